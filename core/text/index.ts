export { lastOf, pairsOf, termsOf, wholeGrouped } from './analyse.ts';
export {
  codePointLength,
  codePointsBefore,
  lengthsIn,
  trimmed,
  wellFormed,
  type Stretch,
} from './code-points.ts';
export { plainForm, withoutAccents } from './fold.ts';
export { isFragment } from './lines.ts';
export { passagesOf } from './passages.ts';
export { remembering } from './remembering.ts';
export { layoutOf, type Piece } from './layout.ts';
export { sentencesOf } from './sentences.ts';
export {
  backwards,
  beginningOf,
  chiefForm,
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
  isAskingWord,
  isStopWord,
  questionLanguages,
  withoutChineseStopWords,
  type QuestionLanguage,
} from './stop-words.ts';
export { isAscii, tokensOf, type Token } from './tokens.ts';
