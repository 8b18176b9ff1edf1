export { enrichmentRequest, type EnrichmentRequest, type ToEnrich } from './request.ts';
export { parseModelReply, type ModelFindings } from './reply.ts';
