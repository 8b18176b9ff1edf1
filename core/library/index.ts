export {
  MAX_DESCRIPTION_LENGTH,
  MAX_ICON_LENGTH,
  MAX_NAME_LENGTH,
  MAX_VIEW_POSITION,
  MAX_VIEWS,
} from './limits.ts';
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
export { findNamed } from './names.ts';
export { isPlainName } from '../shared/plain-name.ts';
export { createTheme, deleteTheme, editTheme, listThemes, type ThemeView } from './themes.ts';
export {
  createView,
  deleteView,
  editView,
  listViews,
  requireViewCapacity,
  type ViewEdit,
} from './views.ts';
