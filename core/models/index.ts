export { drawn, MOST_ANSWER_BYTES, saidBy } from './drawing.ts';
export {
  engineFor,
  EXTRACTIVE,
  nameOf,
  USUAL_CONTEXT_TOKENS,
  type Engine,
  type EngineDeps,
  type ModelEngine,
  type OperatorModel,
} from './engine.ts';
export { modelFailed } from './errors.ts';
export { cutTo, fitting, tokensIn } from './room.ts';
