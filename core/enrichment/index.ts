export {
  enrichmentRequest,
  toldBy,
  type EnrichmentRequest,
  type ToEnrich,
  type Told,
} from './by-model/index.ts';
export { comparable } from './cue-index.ts';
export { enrich, withoutText, type EnrichmentInput, type Findings } from './enrich.ts';
export { ENTITY_KINDS, findEntities, type EntityKind } from './entities/index.ts';
export { docTypeOfFile, type FileFacts } from './file-type.ts';
export { cut } from './title.ts';
