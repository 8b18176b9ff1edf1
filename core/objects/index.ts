export {
  addFiles,
  addFilesFrom,
  addLink,
  addNote,
  type AddDeps,
  type AddedObject,
  type OnDuplicate,
} from './add.ts';
export { keepBeneath } from './beneath.ts';
export { changeMany, type BulkChange, type BulkOutcome } from './bulk.ts';
export {
  ENRICH_TASK,
  RECOGNISE_TASK,
  REMOVE_BLOB_TASK,
  READ_TASK,
  alterContent,
  discardBlobs,
  isAwaited,
  keepsName,
  orDiscard,
  readingOf,
  releaseContent,
  replaceContent,
  requireRoom,
  type Change,
  type ContentStores,
  type IncomingContent,
} from './content.ts';
export { retainContent } from './retain-content.ts';
export {
  MAX_CATEGORIES,
  MAX_CATEGORY_LENGTH,
  applyMove,
  categorizeObject,
  editObject,
  moveObject,
  type ObjectEdit,
} from './edit.ts';
export { inTrash, tooLarge, unknownDocType, unsupportedType, versionConflict } from './errors.ts';
export { isFilename, keptName, nameFromTitle, stemOf, titleFromLine } from './filename.ts';
export { getObject, readable, readContent, type ReadableContent } from './get.ts';
export { listObjects, type ObjectListing, type ObjectPaging } from './list.ts';
export {
  Head,
  discardFiles,
  passOverFile,
  receiveFile,
  type ReceiveDeps,
  type ReceivedFile,
} from './receive.ts';
export { LINK_TYPE, nameFromPageTitle, nameFromUrl } from './link.ts';
export { isFormat, isMediaType } from './media-type.ts';
export { listVersions, restoreVersion, saveFile, saveText } from './save-content.ts';
export { searchObjects, type SearchHit } from './search.ts';
export { answerSuggestion } from './suggestion.ts';
export { readThumbnail, thumbnailOf, type ThumbnailDeps } from './thumbnail.ts';
export { traitsOf, type Editor, type Traits } from './traits.ts';
export { deleteObject, emptyTrash, purgeTrash, restoreObject, setTrashed } from './trash.ts';
export { isWebAddress } from './web-address.ts';
export { findChangeable, findSeen, viewOf, viewsOf, type ObjectView } from './view.ts';
