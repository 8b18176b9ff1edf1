export { findObjects, type ObjectHit } from './find.ts';
export { headTerms, indexText, placeObject, type IndexedText } from './indexing.ts';
export { parseQuery, parseQuestion, type Query } from './query.ts';
export { rankPassages, type RankedPassage, type Ranking } from './rank.ts';
