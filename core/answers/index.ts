export { answerQuestion, findEvidence, type DocumentAnswer, type Evidence } from './answer.ts';
export type { Coverage } from './coverage.ts';
