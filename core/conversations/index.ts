export { addTurn, ask } from './ask.ts';
export {
  openSession,
  saveUserMessage,
  saveAssistantMessage,
  type Answer,
  type AnswerDeps,
  type UserInput,
  type Exchange,
} from './exchange.ts';
export { redactHidden } from './redaction.ts';
export { type AnswerSubscriber, type AnswerEvent } from './events.ts';
export { conversation, HOW_TO_CITE } from './prompt.ts';
export { recentQueries } from './recent.ts';
export { visibleObjects } from './scope.ts';
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
export { createAnswerEmitter, type PartialAnswer } from './stream-answer.ts';
export { objectsInSteps, toVisibleStep, type Confirmation, type Step } from './steps.ts';
