export { archiveShared } from './archive.ts';
export { shareContents, type ShareContents } from './contents.ts';
export type { ShareOwner, Visitor } from './visitor-access.ts';
export {
  createShare,
  editShare,
  getShare,
  listShares,
  revokeShare,
  type ShareView,
} from './manage.ts';
export { previewShared, readSharedThumbnail, type SharedPreview } from './preview.ts';
export { readShared } from './read.ts';
export { unlockShare } from './unlock.ts';
export { uploadTarget, receivingShared, uploadShared, type UploadDestination } from './upload.ts';
export { visitShare } from './visit.ts';
