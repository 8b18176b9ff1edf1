export { openBlob, isCompressible, readableName } from './entries.ts';
export { exportWorkspace } from './export.ts';
export { importArchive, receiveArchive, type Imported } from './import.ts';
export { ArchivePaths } from './archive-paths.ts';
