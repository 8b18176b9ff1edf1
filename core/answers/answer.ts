import type { Citation } from '../../ports/conversations.ts';
import { objectNumberOf, ordOf, passageNumber, type SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { parseQuestion, type Ranking, rankPassages } from '../search/index.ts';
import { type QuestionLanguage, questionLanguages, tokensOf } from '../text/index.ts';
import { composeAnswer } from './compose.ts';
import { coverageOf, type Coverage } from './coverage.ts';
import { nothingFound, type Silence } from './phrases.ts';
import { bestApart, windowsOf, type RankedText } from './windows.ts';

/** Passages that answers are looked for in. */
const PASSAGES = 10;
/** Citations an answer has at most. */
const CITATIONS = 5;
/** What a window must be worth against the best one to be shown beside it. */
const WORTHY = 0.25;

/**
 * The share of the question's weight that some passage must hold or resemble. Pairs of characters run across words, so
 * of those a text holds fewer without dealing less with the matter.
 */
const FOUND = 0.4;
const FOUND_PAIRS = 0.24;

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
): Promise<Evidence> {
  const ranking = await rankPassages(search, parseQuestion(question), filter, { guess: true });
  const best = ranking.best.slice(0, PASSAGES);
  if (!best.some(({ coverage }) => coverage >= neededShare(ranking))) return { ranking, texts: [] };
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

function neededShare({ atoms, weights }: Ranking): number {
  let [needed, whole] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    const pair = /^[^\0-\u0dff]/.test(atoms[i]?.[0]?.terms[0] ?? '');
    needed += weight * (pair ? FOUND_PAIRS : FOUND);
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
  const coverage = await coverageOf(stores, filter);
  const { ranking, texts } = await findEvidence(stores, question, filter);
  const windows = bestApart(windowsOf(question, ranking, texts), CITATIONS);
  const [top = 0] = windows.map(({ score }) => score);
  const shown = windows.filter(({ score }) => score >= WORTHY * top);
  const ids = [...new Set(shown.map(({ passage }) => passage.objectId))];
  const objects = new Map(
    (await stores.objects.findMany(ids)).map((object) => [object.id, object]),
  );
  const language = languageOf(question);
  const { content, citations } = composeAnswer(shown, objects, language);
  if (citations.length > 0) return { content, citations, coverage };
  const silence = nothingFound(language, silenceOf(coverage, filter), coverage.unread);
  return { content: silence, citations: [], coverage };
}

function silenceOf({ searched, unread }: Coverage, filter: SearchFilter): Silence {
  if (searched > 0 || unread > 0) return 'no-match';
  const narrowed = [filter.objectIds, filter.collectionId, filter.docType, filter.kinds];
  return narrowed.some((part) => part !== undefined) ? 'nothing-there' : 'no-files';
}

/** Of a question, in UTF-16 units, to tell its language. */
const LOOKED_AT = 1_000;

const languageOf = (question: string): QuestionLanguage =>
  questionLanguages(tokensOf(question.slice(0, LOOKED_AT)).map(({ plain }) => plain))[0] ?? 'en';
