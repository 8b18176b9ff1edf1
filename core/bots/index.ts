export type { FoundBot } from './access.ts';
export { getBot, listBots, removeBot } from './bots.ts';
export { editBotChat, getBotChat, knownOf, listBotChats, type ChatDetail } from './chats.ts';
export { deliverUpdates, type DeliverDeps } from './deliver.ts';
export { admitPlatform, receiveUpdate } from './receive.ts';
export { registerBot, type BotView } from './register.ts';
export { messageOwner, sendMessage, type MessageDeps } from './remind.ts';
export { syncBotChat, syncDueChats, type SyncTaskDeps } from './sync-chat.ts';
export { REMIND_TASK, SYNC_TASK, UPDATES_TASK } from './tasks.ts';
