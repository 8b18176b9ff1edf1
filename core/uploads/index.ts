export { addAtPath, type AddAtPathDeps } from './add-at-path.ts';
export { appendToUpload, type AppendDeps, type SentBytes } from './append.ts';
export { createUpload, maxUploadSize, type NewUpload } from './create.ts';
export { offsetMismatch, uploadExpired } from './errors.ts';
export { expireUploads, type ExpireDeps } from './expire.ts';
export { getUpload, type UploadView } from './state.ts';
export { parseRelativePath, type RelativePath } from './relative-path.ts';
export { terminateUpload } from './terminate.ts';
