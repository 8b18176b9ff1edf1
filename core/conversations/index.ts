export { addTurn, ask } from './ask.ts';
export {
  begun,
  keepQuestion,
  keepReply,
  type Answer,
  type AskDeps,
  type Asked,
  type Exchange,
} from './exchange.ts';
export { withoutHidden } from './concealment.ts';
export { type AnswerAudience, type AnswerNews } from './events.ts';
export { conversation, HOW_TO_CITE } from './prompt.ts';
export { recentQueries } from './recent.ts';
export { seenObjects } from './scope.ts';
export {
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
  createChat,
  deleteChat,
  editChat,
  findChat,
  getChat,
  listChats,
  type ChatView,
} from './sessions.ts';
export { teller, type Said } from './speaking.ts';
export { objectsInSteps, shownStep, type Confirmation, type Step } from './steps.ts';
