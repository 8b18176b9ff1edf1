export { anchor } from './anchor.ts';
export {
  answerQuestion,
  findEvidence,
  saysNothing,
  type DocumentAnswer,
  type Evidence,
} from './answer.ts';
export { citingReader, type CitingReader, type OfferedPassage, type Told } from './citing.ts';
export { reachOf, type Coverage, type Reach } from './coverage.ts';
export { offered, passagesFor } from './offered.ts';
