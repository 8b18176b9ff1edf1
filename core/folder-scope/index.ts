export { rejectBoundCallers } from './access.ts';
export { FOLDER_ACCESS } from './access-table.ts';
export { bindToFolders } from './bind-to-folders.ts';
export { boundToFolders, outsideFolders } from './errors.ts';
