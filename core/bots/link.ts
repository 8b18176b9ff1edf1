import type { Bot } from '../../ports/bots.ts';
import type { MessengerId, MessengerUpdate } from '../../ports/messenger.ts';

/** A message that is to be marked as seen. */
export interface Greeting {
  readonly chatId: MessengerId;
  readonly messageId: MessengerId;
}

/** Whoever follows a link with the code in it sends this; so may a person by hand. */
const START = /^\/start(?:@\w+)?\s+(\S+)$/;

/** Whose private chat the bot may write to, after these updates: the code, and nothing else, makes it the owner's. */
export function linkedBy(
  bot: Bot,
  news: readonly MessengerUpdate[],
): { readonly bot: Bot; readonly greetings: readonly Greeting[] } {
  const greetings: Greeting[] = [];
  let { ownerChatId } = bot;
  for (const { news: each } of news) {
    if (each.type === 'blocked' && each.chatId === ownerChatId) ownerChatId = null;
    if (each.type !== 'private' || START.exec(each.text.trim())?.[1] !== bot.linkCode) continue;
    ownerChatId = each.chatId;
    const { chatId, messageId } = each;
    if (messageId !== null) greetings.push({ chatId, messageId });
  }
  return { bot: ownerChatId === bot.ownerChatId ? bot : { ...bot, ownerChatId }, greetings };
}
