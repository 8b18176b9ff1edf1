export { exportWorkspace } from './export.ts';
export { importArchive, receiveArchive, type Imported } from './import.ts';
