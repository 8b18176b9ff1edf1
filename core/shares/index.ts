export { admitVisitor, type ShareTries } from './admit-visitor.ts';
export { archiveShared } from './archive.ts';
export { shareContents, type ShareContents } from './contents.ts';
export type { ShareOwner, Visitor } from './visitor-access.ts';
export {
  createShare,
  editShare,
  getShare,
  listShares,
  revokeShare,
  type NewShare,
} from './manage.ts';
export {
  previewNewShare,
  SENSITIVE_TYPES,
  type SharePreview,
  type ShareWarning,
} from './preview-new.ts';
export { previewShared, readSharedThumbnail, type SharedPreview } from './preview.ts';
export { readShared } from './read.ts';
export { unlockShare } from './unlock.ts';
export { OpenBodies } from './open-bodies.ts';
export { openUpload, type IncomingBody, type OpenUpload } from './open-upload.ts';
export { uploadTarget, uploadShared, type UploadDestination } from './upload.ts';
export { SHARE_STATES, SHARE_STATE_REASONS, type ShareView } from './view.ts';
export { visitShare } from './visit.ts';
