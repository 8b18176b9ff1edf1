import type { Bot } from '../../ports/bots.ts';
import type { MessengerId, MessengerUpdate } from '../../ports/messenger.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { RandomSource } from '../../ports/runtime.ts';

export interface LinkDeps {
  readonly digests: SecretDigest;
  readonly random: RandomSource;
}

const LINK_CODE_BYTES = 16;

/** 128 random bits: guessing needs no rate limit. */
export const newLinkCode = ({ random }: Pick<LinkDeps, 'random'>): string =>
  random.secret(LINK_CODE_BYTES);

/** A message to be marked as seen. */
export interface Acknowledgement {
  readonly chatId: MessengerId;
  readonly messageId: MessengerId;
}

/** The deep link with the code sends this text; a person may also type it. */
const START = /^\/start(?:@\w+)?\s+(\S+)$/;

/**
 * Links the private chat that sends the link code to the owner. A code works once and is then replaced, so that a
 * leaked code cannot divert reminders to another chat.
 */
export function applyOwnerLink(
  deps: LinkDeps,
  bot: Bot,
  updates: readonly MessengerUpdate[],
): { readonly bot: Bot; readonly greetings: readonly Acknowledgement[] } {
  const greetings: Acknowledgement[] = [];
  let { ownerChatId, linkCode } = bot;
  for (const { event: each } of updates) {
    if (each.type === 'blocked' && each.chatId === ownerChatId) ownerChatId = null;
    if (each.type !== 'private') continue;
    const sent = START.exec(each.text.trim())?.[1];
    if (sent === undefined || !deps.digests.matches(sent, deps.digests.digest(linkCode))) continue;
    ownerChatId = each.chatId;
    linkCode = newLinkCode(deps);
    const { chatId, messageId } = each;
    if (messageId !== null) greetings.push({ chatId, messageId });
  }
  const isSame = ownerChatId === bot.ownerChatId && linkCode === bot.linkCode;
  return { bot: isSame ? bot : { ...bot, ownerChatId, linkCode }, greetings };
}
