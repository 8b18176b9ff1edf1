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
