export { addTurn, ask } from './ask.ts';
export type { Exchange } from './exchange.ts';
export { withoutHidden } from './concealment.ts';
export { type AnswerAudience, type AnswerNews } from './events.ts';
export { recentQueries } from './recent.ts';
export { createChat, deleteChat, editChat, getChat, listChats, type ChatView } from './sessions.ts';
