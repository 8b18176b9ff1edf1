export {
  createCollection,
  deleteCollection,
  editCollection,
  getCollection,
  listCollections,
  type CollectionView,
} from './collections.ts';
export { createTheme, deleteTheme, editTheme, listThemes, type ThemeView } from './themes.ts';
