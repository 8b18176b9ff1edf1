export { streamModel, MAX_ANSWER_BYTES, collectText, type CollectedText } from './model-stream.ts';
export {
  engineFor,
  EXTRACTIVE,
  ENGINE_CHOICES,
  nameOf,
  DEFAULT_CONTEXT_TOKENS,
  type Engine,
  type EngineChoice,
  type EngineDeps,
  type ModelEngine,
  type OperatorModel,
} from './engine.ts';
export { busyModelIn, modelFailed } from './errors.ts';
export { truncateToTokens, takeWithinBudget, estimateTokens } from './token-budget.ts';
