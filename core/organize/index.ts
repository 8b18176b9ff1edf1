export { folderFor, planFolders } from './plan.ts';
export type { Card, KnownTheme, NewFolder, NewTheme, Plan, Shelf } from './plan-types.ts';
