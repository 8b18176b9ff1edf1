export {
  createCollection,
  deleteCollection,
  dropCollection,
  editCollection,
  getCollection,
  listCollections,
  type CollectionDeps,
  type CollectionView,
} from './collections.ts';
export { createTheme, deleteTheme, editTheme, listThemes, type ThemeView } from './themes.ts';
