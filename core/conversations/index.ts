export { addTurn, ask } from './ask.ts';
export {
  confirmRequestOf,
  openRun,
  type ConfirmationDeps,
  type ConfirmRequest,
  type ShownMessage,
  type StoredRun,
} from './confirmations.ts';
export {
  openSession,
  saveUserMessage,
  saveAssistantMessage,
  type Answer,
  type UserInput,
  type Exchange,
  type UnrecordedAnswer,
} from './exchange.ts';
export { holdObjects } from './held-objects.ts';
export { objectsBehind, redactHidden } from './redaction.ts';
export { type AnswerSubscriber, type AnswerEvent } from './events.ts';
export { conversation, HOW_TO_CITE } from './prompt.ts';
export { recentQueries } from './recent.ts';
export { visibleObjects } from './scope.ts';
export {
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
  bindingOf,
  createChat,
  deleteChat,
  editChat,
  findChat,
  getChat,
  listChats,
  visibleChat,
  type ChatView,
} from './sessions.ts';
export { createAnswerEmitter, cutOffBy, type PartialAnswer } from './stream-answer.ts';
export {
  toStoredStep,
  toVisibleStep,
  type Confirmation,
  type Step,
  type StepCause,
  type StepChange,
} from './steps.ts';
export { type Subject } from './subject.ts';
