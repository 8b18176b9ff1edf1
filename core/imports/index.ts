export { dismissImport, getImport, listImports } from './list.ts';
export {
  NOT_FOLLOWED,
  follow,
  interruptRun,
  openRun,
  type FollowDeps,
  type ImportFollower,
} from './follow.ts';
