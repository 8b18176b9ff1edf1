export {
  answerQuestion,
  findEvidence,
  saysNothing,
  type DocumentAnswer,
  type Evidence,
} from './answer.ts';
export { reachOf, type Coverage, type Reach } from './coverage.ts';
export { offered, passagesFor, type OfferedPassage } from './offered.ts';
export { citingReader, type Told } from './citing.ts';
