export { addTurn, ask, type Asked, type Turn } from './ask.ts';
export { withoutHidden } from './concealment.ts';
export { recentQueries } from './recent.ts';
export { createChat, deleteChat, editChat, getChat, listChats, type ChatView } from './sessions.ts';
