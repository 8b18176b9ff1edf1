export {
  offerDueTasks,
  runTask,
  type RunDeps,
  type TaskHandler,
  type TaskHandlers,
} from './run.ts';
export { newTask, offerAll, type TaskNudge } from './tasks.ts';
