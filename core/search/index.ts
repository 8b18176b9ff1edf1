export { weightOf } from './candidates.ts';
export { findObjects, toTextOffsets, type ObjectHit } from './find.ts';
export {
  titleTerms,
  indexText,
  indexObjectMetadata,
  sizeOf,
  type IndexedText,
} from './indexing.ts';
export { parseQuery, parseQuestion, type Query } from './query.ts';
export { rankPassages, type RankedPassage, type Ranking } from './rank.ts';
export { wordResemblances } from './rerank.ts';
export { createTermMatcher, type TermMatch } from './term-matches.ts';
