export {
  renewClaim,
  enqueueDueTasks,
  runTask,
  type RunDeps,
  type TaskHandler,
  type TaskHandlers,
} from './run.ts';
export {
  LEASE_RENEWAL_MS,
  reschedule,
  releaseClaim,
  resetAttempts,
  isLastAttempt,
  newTask,
  enqueueAll,
  type TaskNudge,
} from './tasks.ts';
