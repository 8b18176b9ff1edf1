export { openBlob, isCompressible, readableName } from './entries.ts';
export { exportWorkspace } from './export.ts';
export {
  discardArchives,
  importArchive,
  receiveArchive,
  type Imported,
  type SentArchive,
} from './import.ts';
export { ArchivePaths } from './archive-paths.ts';
