export { openBlob, packs, readableName } from './entries.ts';
export { exportWorkspace } from './export.ts';
export { importArchive, receiveArchive, type Imported } from './import.ts';
export { Places } from './places.ts';
