import type { Citation } from '../../ports/conversations.ts';
import {
  objectNumberOf,
  passageOrdinal,
  passageNumber,
  type SearchFilter,
} from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { parseQuestion, type Ranking, rankPassages } from '../search/index.ts';
import { type QuestionLanguage, questionLanguages, tokensOf } from '../text/index.ts';
import { isUnanswerable } from './unanswerable.ts';
import { composeAnswer } from './compose.ts';
import { searchCoverage, type Coverage, type SearchCoverage } from './coverage.ts';
import { citedSources } from './sources.ts';
import { noAnswerText, type NoAnswerReason } from './phrases.ts';
import { windowsOf, type RankedText, type Window } from './windows.ts';
import { selectWindows } from './window-selection.ts';

/** Maximum number of passages considered for an answer. */
const PASSAGES = 10;

/**
 * Minimum share of the question's weight that some passage must match, exactly or similarly. Character bigrams cross
 * word boundaries, so a relevant text contains fewer of them.
 */
const FOUND = 0.4;
const FOUND_PAIRS = 0.24;
/** The same for one or two sentences with their headings. */
const TOLD = 0.31;
const TOLD_PAIRS = 0.2;

/** The passages that answer a question best. */
export interface Evidence {
  readonly ranking: Ranking;
  /** Best first. Empty if no passage matches enough of the question. */
  readonly texts: readonly RankedText[];
}

export async function findEvidence(
  { search }: Pick<Stores, 'search'>,
  question: string,
  filter: SearchFilter,
  /** Fraction of the usual threshold. A reader that understands meaning needs fewer matching words. */
  part = 1,
): Promise<Evidence> {
  const ranking = await rankPassages(search, parseQuestion(question), filter, { guess: true });
  const best = ranking.best.slice(0, PASSAGES);
  const needed = part * neededShare(ranking, FOUND, FOUND_PAIRS);
  if (!best.some(({ coverage }) => coverage >= needed)) return { ranking, texts: [] };
  // If only the name of an object matches, the answer starts with its first text.
  const shown = best.map(({ number }) =>
    passageOrdinal(number) < 0 ? passageNumber(objectNumberOf(number), 0) : number,
  );
  const passages = new Map(
    (await search.texts([...new Set(shown)])).map((passage) => [passage.number, passage]),
  );
  const texts = best.flatMap((ranked, i) => {
    const passage = passages.get(shown[i] ?? -1);
    return passage ? [{ ranked, passage }] : [];
  });
  return { ranking, texts };
}

function neededShare({ atoms, weights }: Ranking, ofWords: number, ofPairs: number): number {
  let [needed, complete] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    const pair = /^[^\0-\u0dff]/.test(atoms[i]?.[0]?.terms[0] ?? '');
    needed += weight * (pair ? ofPairs : ofWords);
    complete += weight;
  }
  return complete ? needed / complete : 1;
}

/** An answer in sentences of the documents, each followed by `[n]`, where n is the index of its citation. */
export interface DocumentAnswer {
  readonly content: string;
  /** Each one is referenced. Empty if nothing was found. */
  readonly citations: readonly Citation[];
  readonly coverage: Coverage;
  /** The objects whose passages were considered. */
  readonly objectIds: readonly string[];
}

/**
 * Answers a question with sentences of the documents, without a model. If no passage is relevant, the answer gives
 * the reason, in the question's language, without citations.
 *
 * @param known the coverage of the filter, if the caller has read it already
 */
export async function answerQuestion(
  stores: Pick<Stores, 'search' | 'objects' | 'texts'>,
  question: string,
  filter: SearchFilter,
  known?: SearchCoverage,
): Promise<DocumentAnswer> {
  const reach = known ?? (await searchCoverage(stores, filter));
  const coverage = { searched: reach.searched, unread: reach.unread };
  const { ranking, texts } = await findEvidence(stores, question, filter);
  const windows = windowsOf(question, ranking, texts);
  const shown = tells(question, ranking, windows) ? selectWindows(windows) : [];
  const sources = await citedSources(
    stores,
    shown.map(({ passage }) => passage.objectId),
  );
  const objectIds = [...new Set(texts.map(({ passage }) => passage.objectId))];
  const language = languageOf(question);
  const { content, citations } = composeAnswer(shown, sources, language);
  if (citations.length > 0) return { content, citations, coverage, objectIds };
  return { content: saysNothing(question, reach, filter), citations: [], coverage, objectIds };
}

/** The answer that nothing was found, with the reason, in the question's language. */
export const saysNothing = (
  question: string,
  reach: SearchCoverage,
  filter: SearchFilter,
): string => noAnswerText(languageOf(question), silenceOf(reach, filter), reach);

/** Whether the windows are relevant enough to answer the question. */
function tells(question: string, ranking: Ranking, windows: readonly Window[]): boolean {
  const share = Math.max(0, ...windows.map((window) => window.share * window.trust));
  return (
    share >= neededShare(ranking, TOLD, TOLD_PAIRS) && !isUnanswerable(question, ranking, share)
  );
}

function silenceOf({ searched, unread }: SearchCoverage, filter: SearchFilter): NoAnswerReason {
  const narrowed = [filter.objectIds, filter.collectionId, filter.docType, filter.kinds].some(
    (part) => part !== undefined,
  );
  if (searched > 0 || unread > 0) return narrowed ? 'no-match-there' : 'no-match';
  return narrowed ? 'nothing-there' : 'no-files';
}

/** Length of a question used for language detection, in UTF-16 units. */
const LOOKED_AT = 1_000;

const languageOf = (question: string): QuestionLanguage =>
  questionLanguages(tokensOf(question.slice(0, LOOKED_AT)).map(({ plain }) => plain))[0] ?? 'en';
