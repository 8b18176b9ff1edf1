export { archiveShared } from './archive.ts';
export { shareContents, type ShareContents } from './contents.ts';
export type { ShareHost, Visitor } from './entrance.ts';
export {
  createShare,
  editShare,
  getShare,
  listShares,
  revokeShare,
  type ShareView,
} from './manage.ts';
export { lookAtShared, readSharedThumbnail, type SharedPreview } from './preview.ts';
export { readShared } from './read.ts';
export { unlockShare } from './unlock.ts';
export { hostOfUpload, receivingShared, uploadShared, type UploadHost } from './upload.ts';
export { visitShare } from './visit.ts';
