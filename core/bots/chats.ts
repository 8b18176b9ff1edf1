import type { BotChat, BotMember } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import type { MessengerId } from '../../ports/messenger.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { ownBot, visibleBot } from './access.ts';
import { isHere } from './apply.ts';
import { MAX_MEMBERS } from './registry.ts';

export interface ChatDeps {
  readonly uow: UnitOfWork<'bots'>;
  readonly directory: Pick<Directory, 'botById'>;
}

export interface ChatDetail {
  readonly chat: BotChat;
  /** Most recently heard from first, never heard from last. */
  readonly members: readonly BotMember[];
}

/** The groups that a bot is in, most recently heard from first. */
export async function listBotChats(
  deps: ChatDeps,
  caller: Caller,
  botId: string,
  request: PageRequest,
): Promise<Page<BotChat>> {
  const { scope } = await visibleBot(deps, caller, botId);
  return deps.uow.read(scope, ({ bots }) => bots.chatPage(botId, request));
}

export async function getBotChat(
  deps: ChatDeps,
  caller: Caller,
  botId: string,
  chatId: MessengerId,
): Promise<ChatDetail> {
  const { scope } = await visibleBot(deps, caller, botId);
  return deps.uow.read(scope, async ({ bots }) => {
    const [chat] = await bots.chats(botId, [chatId]);
    if (!isHere(chat)) throw notFound();
    const members = await bots.membersOf(botId, chatId, 'here', MAX_MEMBERS);
    return { chat, members: [...members].sort(byHearing) };
  });
}

const byHearing = (a: BotMember, b: BotMember): number =>
  (b.lastSeenAt ?? -1) - (a.lastSeenAt ?? -1) || (a.userId < b.userId ? -1 : 1);

/**
 * Grants or withdraws the permission to write into the group first; undefined leaves it unchanged. Only the owner may
 * do this.
 */
export async function editBotChat(
  deps: ChatDeps,
  caller: Caller,
  botId: string,
  chatId: MessengerId,
  edit: { readonly proactiveAllowed?: boolean },
): Promise<BotChat> {
  const { scope } = await ownBot(deps, caller, botId);
  return deps.uow.write(scope, async ({ bots }) => {
    const [chat] = await bots.chats(botId, [chatId]);
    if (!isHere(chat)) throw notFound();
    const edited = { ...chat, ...edit };
    await bots.saveChats(botId, [edited]);
    return edited;
  });
}

/** The number of known members, limited to the member count. */
export const knownMemberCount = ({ knownCount, memberCount }: BotChat): number =>
  memberCount > 0 ? Math.min(knownCount, memberCount) : knownCount;
