import type { Citation } from '../../ports/conversations.ts';
import { objectNumberOf, ordOf, passageNumber, type SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { parseQuestion, type Ranking, rankPassages } from '../search/index.ts';
import { type QuestionLanguage, questionLanguages, tokensOf } from '../text/index.ts';
import { asksForWhatIsNowhere } from './absence.ts';
import { composeAnswer } from './compose.ts';
import { reachOf, type Coverage, type Reach } from './coverage.ts';
import { nothingFound, type Silence } from './phrases.ts';
import { windowsOf, type RankedText, type Window } from './windows.ts';
import { worthy } from './worthy.ts';

/** Passages that answers are looked for in. */
const PASSAGES = 10;

/**
 * The share of the question's weight that some passage must hold or resemble. Pairs of characters run across words, so
 * of those a text holds fewer without dealing less with the matter.
 */
const FOUND = 0.4;
const FOUND_PAIRS = 0.24;
/** The same of one or two sentences and what they stand under. */
const TOLD = 0.31;
const TOLD_PAIRS = 0.2;

/** The passages that a question is best answered from. */
export interface Evidence {
  readonly ranking: Ranking;
  /** Best first. Empty when no passage deals with enough of the question. */
  readonly texts: readonly RankedText[];
}

export async function findEvidence(
  { search }: Pick<Stores, 'search'>,
  question: string,
  filter: SearchFilter,
  /** The part of the usual share that will do: who reads for meaning finds more in less. */
  part = 1,
): Promise<Evidence> {
  const ranking = await rankPassages(search, parseQuestion(question), filter, { guess: true });
  const best = ranking.best.slice(0, PASSAGES);
  const needed = part * neededShare(ranking, FOUND, FOUND_PAIRS);
  if (!best.some(({ coverage }) => coverage >= needed)) return { ranking, texts: [] };
  // Where only the name of an object matches, its text begins the answer.
  const shown = best.map(({ number }) =>
    ordOf(number) < 0 ? passageNumber(objectNumberOf(number), 0) : number,
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
  let [needed, whole] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    const pair = /^[^\0-\u0dff]/.test(atoms[i]?.[0]?.terms[0] ?? '');
    needed += weight * (pair ? ofPairs : ofWords);
    whole += weight;
  }
  return whole ? needed / whole : 1;
}

/** An answer in sentences of the documents, each followed by `[n]`, where n is the index of its citation. */
export interface DocumentAnswer {
  readonly content: string;
  /** All of them are referred to. Empty when nothing was found. */
  readonly citations: readonly Citation[];
  readonly coverage: Coverage;
}

/**
 * Answers a question in the documents' own sentences, without any model. Where nothing deals with the question the
 * answer says so and why, in the question's language, and cites nothing.
 */
export async function answerQuestion(
  stores: Pick<Stores, 'search' | 'objects'>,
  question: string,
  filter: SearchFilter,
): Promise<DocumentAnswer> {
  const reach = await reachOf(stores, filter);
  const coverage = { searched: reach.searched, unread: reach.unread };
  const { ranking, texts } = await findEvidence(stores, question, filter);
  const windows = windowsOf(question, ranking, texts);
  const shown = tells(question, ranking, windows) ? worthy(windows) : [];
  const ids = [...new Set(shown.map(({ passage }) => passage.objectId))];
  const objects = new Map(
    (await stores.objects.findMany(ids)).map((object) => [object.id, object]),
  );
  const language = languageOf(question);
  const { content, citations } = composeAnswer(shown, objects, language);
  if (citations.length > 0) return { content, citations, coverage };
  return { content: saysNothing(question, reach, filter), citations: [], coverage };
}

/** That nothing was found, and why, in the question's language. */
export const saysNothing = (question: string, reach: Reach, filter: SearchFilter): string =>
  nothingFound(languageOf(question), silenceOf(reach, filter), reach);

/** Whether the windows deal with the question closely enough to answer it. */
function tells(question: string, ranking: Ranking, windows: readonly Window[]): boolean {
  const share = Math.max(0, ...windows.map((window) => window.share * window.trust));
  return (
    share >= neededShare(ranking, TOLD, TOLD_PAIRS) &&
    !asksForWhatIsNowhere(question, ranking, share)
  );
}

function silenceOf({ searched, unread }: Reach, filter: SearchFilter): Silence {
  const narrowed = [filter.objectIds, filter.collectionId, filter.docType, filter.kinds].some(
    (part) => part !== undefined,
  );
  if (searched > 0 || unread > 0) return narrowed ? 'no-match-there' : 'no-match';
  return narrowed ? 'nothing-there' : 'no-files';
}

/** Of a question, in UTF-16 units, to tell its language. */
const LOOKED_AT = 1_000;

const languageOf = (question: string): QuestionLanguage =>
  questionLanguages(tokensOf(question.slice(0, LOOKED_AT)).map(({ plain }) => plain))[0] ?? 'en';
