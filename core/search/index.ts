export { weightOf } from './candidates.ts';
export { findObjects, placed, type ObjectHit } from './find.ts';
export { headTerms, indexText, placeObject, sizeOf, type IndexedText } from './indexing.ts';
export { parseQuery, parseQuestion, type Query } from './query.ts';
export { rankPassages, type RankedPassage, type Ranking } from './rank.ts';
export { wordResemblances } from './refine.ts';
export { spotter, type Spot } from './spots.ts';
