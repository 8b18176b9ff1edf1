export type { FoundBot } from './access.ts';
export { getBot, listBots, removeBot } from './bots.ts';
export {
  editBotChat,
  getBotChat,
  knownMemberCount,
  listBotChats,
  type ChatDetail,
} from './chats.ts';
export { receiveUpdates, type DeliverDeps } from './update-loop.ts';
export { admitPlatform, receiveUpdate } from './receive.ts';
export { newLinkCode } from './owner-link.ts';
export { registerBot, type BotView } from './register.ts';
export { queueOwnerMessage, sendOwnerMessage, type MessageDeps } from './owner-messages.ts';
export { syncBotChat, syncDueChats, type SyncTaskDeps } from './sync-chat.ts';
export { REMIND_TASK, SYNC_TASK, UPDATES_TASK } from './tasks.ts';
