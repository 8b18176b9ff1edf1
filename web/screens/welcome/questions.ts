import type { components } from '../../api/schema.js';
import type { Language } from '../../i18n/plural.ts';
import { labelOf } from './label-of.ts';
import { QUESTION_FORMS, type QuestionForms } from './question-forms.ts';

type Enrichment = components['schemas']['Enrichment'];

export const MAX_QUESTIONS = 3;
/** As far as entities are looked for. */
const MAX_TEXT_LENGTH = 100_000;
const MAX_VALUE_LENGTH = 60;
/** A line with fewer words beside a value says nothing about it: a letterhead, a signature. */
const MIN_WORDS_BESIDE_NAME = 2;
const MIN_WORDS_BESIDE_VALUE = 3;

/** A question, and how well its answer is expected to read: 0 is best. */
interface Proposal {
  readonly question: string;
  readonly rank: 0 | 1 | 2;
}

/**
 * Questions that the amounts, dates and names of a document answer, in the language of the document. One of each kind
 * first.
 */
export function questionsOf(
  { entities, keywords, language }: Pick<Enrichment, 'entities' | 'keywords' | 'language'>,
  text: string,
  ownLanguage: Language,
): readonly string[] {
  const forms =
    new Map(Object.entries(QUESTION_FORMS)).get(language) ?? QUESTION_FORMS[ownLanguage];
  const beginning = text.slice(0, MAX_TEXT_LENGTH);
  const found = new Map(Object.entries(entities));
  const occurring = (kind: string) =>
    textsIn(found.get(kind)).filter((value) => beginning.includes(value));
  const kinds = [
    // The sum is below its parts.
    occurring('amounts')
      .toReversed()
      .map((value) => aboutAmount(beginning, value, forms)),
    occurring('dates').map((value) => aboutDate(beginning, value, forms)),
    [
      ...occurring('people').map((value) => aboutName(beginning, value, forms.person(value))),
      ...occurring('organizations').map((value) => aboutName(beginning, value, forms.about(value))),
    ],
  ].map(bestFirst);
  const words = keywords.filter((word) => beginning.includes(word)).map(forms.about);
  return [...new Set([...inTurn(kinds), ...words])].slice(0, MAX_QUESTIONS);
}

function aboutAmount(text: string, value: string, forms: QuestionForms): Proposal {
  const label = labelOf(text, value, true);
  if (label !== undefined) return { question: forms.howMuch(label), rank: 0 };
  return {
    question: forms.amount(value),
    rank: isInSentence(text, value, MIN_WORDS_BESIDE_VALUE) ? 1 : 2,
  };
}

function aboutDate(text: string, value: string, forms: QuestionForms): Proposal {
  const label = labelOf(text, value, false);
  if (label !== undefined) return { question: forms.when(label), rank: 0 };
  return {
    question: forms.date(value),
    rank: isInSentence(text, value, MIN_WORDS_BESIDE_VALUE) ? 1 : 2,
  };
}

function aboutName(text: string, value: string, question: string): Proposal {
  const isWhole = /[\s\p{Script=Han}]/u.test(value);
  return {
    question,
    rank: !isInSentence(text, value, MIN_WORDS_BESIDE_NAME) ? 2 : isWhole ? 0 : 1,
  };
}

/** Whether a line says something about the value. */
const isInSentence = (text: string, value: string, minWords: number): boolean =>
  text.split('\n').some((line) => {
    const [before, ...behind] = line.split(value);
    if (behind.length === 0) return false;
    const beside = `${before ?? ''} ${behind.join(' ')}`;
    return (beside.match(/\p{Script=Han}|\p{L}+/gu)?.length ?? 0) >= minWords;
  });

const bestFirst = (proposals: readonly Proposal[]): readonly string[] =>
  proposals.toSorted((a, b) => a.rank - b.rank).map(({ question }) => question);

/** The first of each, then the second of each. */
function inTurn(kinds: readonly (readonly string[])[]): readonly string[] {
  const length = Math.max(...kinds.map((kind) => kind.length));
  return Array.from({ length }, (_, nth) =>
    kinds.flatMap((kind) => kind.slice(nth, nth + 1)),
  ).flat();
}

/** A model may describe an entity by an object. */
function textsIn(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return [];
  const texts = values.map((value: unknown) => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return '';
    const { text, value: inner, name } = value as Readonly<Record<string, unknown>>;
    return [text, inner, name].find((each) => typeof each === 'string') ?? '';
  });
  return texts.filter((text) => text !== '' && text.length <= MAX_VALUE_LENGTH);
}
