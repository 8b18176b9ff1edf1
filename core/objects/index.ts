export {
  addAssembledFile,
  addFiles,
  addFilesFrom,
  addLink,
  addNote,
  type AddDeps,
  type AddedObject,
} from './add.ts';
export { addConflictVersion } from './conflict-version.ts';
export type { BulkChange } from './bulk-change.ts';
export { getBulkRun, type BulkProgress } from './bulk-progress.ts';
export { BULK_TASK } from './bulk-run.ts';
export { MAX_BULK_OBJECTS, undoBulk, updateMatching } from './bulk-start.ts';
export { runBulk, type BulkTaskDeps } from './bulk-task.ts';
export { updateMany, type BulkOutcome } from './bulk-update.ts';
export {
  ENRICH_TASK,
  OCR_TASK,
  REMOVE_BLOB_TASK,
  READ_TASK,
  replaceContentInPlace,
  discardBlobs,
  shouldNotifyOwner,
  keepsName,
  discardBlobsOnError,
  readTaskPayload,
  releaseContent,
  replaceContent,
  requireStorageQuota,
  type ContentChange,
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
export {
  changedSince,
  inTrash,
  stillRunning,
  tooLarge,
  unknownDocType,
  unsupportedType,
  versionConflict,
} from './errors.ts';
export { isFilename, normalizeFilename, nameFromTitle, stemOf, titleFromLine } from './filename.ts';
export { getObject, openVersion, readContent, type ReadableContent } from './get.ts';
export { filterFor, listObjects, requireKnownFilters, type ObjectListing } from './list.ts';
export {
  ContentSample,
  discardFiles,
  drainFile,
  receiveFile,
  type ReceiveDeps,
  type ReceivedFile,
} from './receive.ts';
export { LINK_TYPE, nameFromPageTitle, nameFromUrl } from './link.ts';
export { isFormat, isMediaType } from './media-type.ts';
export { differenceOf, restoreFields } from './restore-fields.ts';
export { listVersions, restoreVersion, saveFile, saveText } from './save-content.ts';
export { searchObjects, type SearchHit } from './search.ts';
export { resolveSuggestion } from './suggestion.ts';
export { readThumbnail, thumbnailOf, type ThumbnailDeps } from './thumbnail.ts';
export { capabilitiesOf, type Editor, type Capabilities } from './capabilities.ts';
export {
  deleteObject,
  emptyTrash,
  purgeTrash,
  restoreObject,
  setTrashed,
  trashRetention,
} from './trash.ts';
export { isWebAddress } from './web-address.ts';
export { findEditable, findVisible, viewOf, viewsOf, type ObjectView } from './view.ts';
