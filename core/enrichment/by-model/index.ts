export { enrichmentRequest, type EnrichmentRequest, type ToEnrich } from './request.ts';
export { toldBy, type Told } from './reply.ts';
