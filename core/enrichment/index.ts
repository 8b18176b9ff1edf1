export {
  enrichmentRequest,
  parseModelReply,
  type EnrichmentRequest,
  type ToEnrich,
  type ModelFindings,
} from './by-model/index.ts';
export { comparable } from './cue-index.ts';
export { enrich, enrichWithoutText, type EnrichmentInput, type Findings } from './enrich.ts';
export { ENTITY_KINDS, findEntities, type EntityKind } from './entities/index.ts';
export { docTypeOfFile, type FileFacts } from './file-type.ts';
export { truncate } from './title.ts';
