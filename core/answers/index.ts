export { anchor } from './anchor.ts';
export {
  answerQuestion,
  findEvidence,
  saysNothing,
  type DocumentAnswer,
  type Evidence,
} from './answer.ts';
export {
  createCitationStream,
  type CitationStream,
  type PromptPassage,
  type CitedChunk,
} from './citation-stream.ts';
export { countedObjects, searchCoverage, type Coverage, type SearchCoverage } from './coverage.ts';
export { citedSources, sourceOfPassage, type CitedSource } from './sources.ts';
export { withObjectMetadata, passagesForModel } from './model-passages.ts';
