export { answerQuestion, findEvidence, type DocumentAnswer, type Evidence } from './answer.ts';
export type { Coverage } from './coverage.ts';
export { anchor } from './anchor.ts';
export { citingReader, type CitingReader, type OfferedPassage, type Told } from './citing.ts';
