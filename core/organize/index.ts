export {
  getReorganization,
  hasEnded,
  type ReorganizationMove,
  type ReorganizationView,
} from './progress.ts';
export { reorganize, type ReorganizeDeps } from './run.ts';
export { REORGANIZE_TASK, startReorganization } from './start.ts';
export { suggestFolder, wantsFolder, type SuggestDeps } from './suggest.ts';
export { undoReorganization } from './undo.ts';
export {
  folderFor,
  planFolders,
  type Card,
  type KnownTheme,
  type NewFolder,
  type NewTheme,
  type Plan,
  type Shelf,
} from './plan.ts';
