import {
  titleRowNumber,
  objectNumberOf,
  passageOrdinal,
  type SearchFilter,
  type SearchIndex,
} from '../../ports/search.ts';
import { selectCandidates, weightOf, type Candidate } from './candidates.ts';
import { matchesOf, type MatchOptions, type Matches } from './matches.ts';
import type { Query } from './query.ts';
import { createReranker } from './rerank.ts';
import { counterFor, scorer, weightsOf } from './score.ts';

/** Maximum number of passages scored by their terms; further matches are only ordered by matched weight. */
const SCORED = 300;
/** Of these, the best ones are reranked. */
const REFINED = 60;
/** Score gain of a passage that matches the whole query over one that matches hardly any of it. */
const COMPLETE = 0.5;

export interface RankedPassage extends Candidate {
  readonly object: number;
  /** The query terms that the object's name contains. */
  readonly inName: number;
  readonly score: number;
  /** Share of the query's weight that the passage and its object's name match, exactly or similarly, 0 to 1. */
  readonly coverage: number;
}

export interface Ranking extends Matches {
  readonly weights: readonly number[];
  /** Best first, the newest of equals. */
  readonly best: readonly RankedPassage[];
}

export async function rankPassages(
  search: SearchIndex,
  query: Query,
  filter: SearchFilter,
  options: MatchOptions = {},
): Promise<Ranking> {
  const matches = await matchesOf(search, query, filter, options);
  const statistics = await search.statistics(filter.visibility);
  const weights = weightsOf(matches.frequencies, statistics);
  const complete = weights.reduce((sum, weight) => sum + weight, 0) || 1;

  const candidates = selectCandidates(matches.passages, weights, SCORED);
  const heads = [...new Set(candidates.map(({ number }) => objectNumberOf(number)))]
    .filter(matches.named)
    .map(titleRowNumber);
  const numbers = candidates.map(({ number }) => number);
  const rows = await search.terms([...numbers, ...heads]);
  const count = counterFor(matches.atoms);
  const none = matches.atoms.map(() => 0);
  const inHeads = new Map(
    heads.map((head, i) => [head, count(rows[numbers.length + i] ?? '').counts]),
  );

  const score = scorer(weights, statistics);
  const ranked = candidates.map((candidate, i) => {
    const object = objectNumberOf(candidate.number);
    const own = passageOrdinal(candidate.number) < 0 ? '' : (rows[i] ?? '');
    const { counts, length } = count(own);
    const coverage = weightOf(candidate.bits, weights) / complete;
    const inHead = inHeads.get(titleRowNumber(object)) ?? none;
    const inName = inHead.reduce((bits, times, atom) => (times ? bits | (2 ** atom) : bits), 0);
    const plain = score(counts, length, inHead) * (1 + COMPLETE * coverage);
    return { ...candidate, object, inName, coverage, own, score: plain };
  });
  ranked.sort(byScore);
  // Reranking never lowers a score, so passages that were not reranked remain below those that were.
  const refine = createReranker(matches.atoms, weights);
  const best = ranked.map(({ own, ...passage }, i): RankedPassage => {
    if (i >= REFINED) return passage;
    const { gain, resembled } = refine(own, passage.bits);
    return {
      ...passage,
      score: passage.score + gain,
      coverage: passage.coverage + resembled / complete,
    };
  });
  best.sort(byScore);
  return { ...matches, weights, best };
}

const byScore = (a: RankedPassage, b: RankedPassage): number =>
  b.score - a.score || b.object - a.object || a.number - b.number;
