export { termsOf } from './analyse.ts';
export { codePointLength, codePointsBefore } from './code-points.ts';
export { passagesOf } from './passages.ts';
export { sentencesOf } from './sentences.ts';
export { isStopWord, questionLanguages, type QuestionLanguage } from './stop-words.ts';
export { tokensOf, type Token } from './tokens.ts';
