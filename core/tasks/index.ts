export {
  keepClaim,
  offerDueTasks,
  runTask,
  type RunDeps,
  type TaskHandler,
  type TaskHandlers,
} from './run.ts';
export {
  KEEP_CLAIM_MS,
  again,
  givenBack,
  gotOn,
  isLastAttempt,
  newTask,
  offerAll,
  type TaskNudge,
} from './tasks.ts';
