export { applyReorganization, type PlanChanges } from './apply-plan.ts';
export { listReorganizations } from './list.ts';
export {
  getReorganization,
  hasEnded,
  MOVES_SHOWN,
  type ReorganizationMove,
  type ReorganizationView,
} from './progress.ts';
export { reorganize, type ReorganizeDeps } from './run.ts';
export { REORGANIZE_TASK, RUNS_KEPT, startReorganization } from './start.ts';
export { suggestFolder, needsFolderSuggestion, type SuggestDeps } from './suggest.ts';
export { undoReorganization } from './undo.ts';
export { folderFor, planFolders } from './plan.ts';
export type {
  ObjectFeatures,
  KnownTheme,
  NewFolder,
  NewTheme,
  Plan,
  ExistingFolder,
} from './plan-types.ts';
