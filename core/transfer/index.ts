export { exportWorkspace, type StreamedFile } from './export.ts';
export { importArchive, receiveArchive, type Imported } from './import.ts';
