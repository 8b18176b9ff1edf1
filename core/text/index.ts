export { lastOf, pairsOf, termsOf, parseGroupedNumber } from './analyse.ts';
export {
  codePointLength,
  codePointsBefore,
  lengthsIn,
  trimmed,
  wellFormed,
  type TextRange,
} from './code-points.ts';
export { normalizeCase, withoutAccents } from './fold.ts';
export { lazily } from './lazily.ts';
export { isFragment } from './lines.ts';
export { passagesOf } from './passages.ts';
export { memoize } from './memoize.ts';
export { layoutOf, type Piece } from './layout.ts';
export { sentencesOf } from './sentences.ts';
export {
  backwards,
  beginningOf,
  primaryStem,
  commonBeginning,
  documentForms,
  endingWith,
  isBackwards,
  LATIN_LANGUAGES,
  mayHaveForms,
  prefixStems,
  queryForms,
} from './stems.ts';
export {
  isQuestionWord,
  isStopWord,
  questionLanguages,
  withoutChineseStopWords,
  type QuestionLanguage,
} from './stop-words.ts';
export { isAscii, tokensOf, type Token } from './tokens.ts';
