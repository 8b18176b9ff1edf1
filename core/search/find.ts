import type { ObjectOrder } from '../../ports/objects.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import {
  titleRowNumber,
  passageOrdinal,
  passageNumber,
  type NumberedPassage,
  type SearchFilter,
  type SearchIndex,
  type TextSpan,
} from '../../ports/search.ts';
import { emptyText } from '../shared/common-errors.ts';
import { codePointLength, codePointsBefore } from '../text/index.ts';
import { weightOf } from './candidates.ts';
import { parseQuery } from './query.ts';
import { rankPassages, type Ranking } from './rank.ts';
import { snippetOf } from './snippet.ts';
import { createTermMatcher } from './term-matches.ts';

/** A matching object, and the part of its text that explains the match. */
export interface ObjectHit {
  readonly objectId: string;
  readonly score: number;
  /** Exactly the text of that range; '' if the object has no text. */
  readonly snippet: string;
  /** Code points in the object's text, end exclusive. */
  readonly charStart: number;
  readonly charEnd: number;
  /** The passage that contains it; null if the object has no text. */
  readonly passage: TextSpan | null;
}

interface Found {
  readonly object: number;
  /** The best matching passage; the title row if only the name matches. */
  readonly passage: number;
  readonly score: number;
}

/**
 * The matching objects, best first, the newest of equals, or in an order of lists, with the exact total. Every object is
 * listed once across pages. Ends with `empty_text` for white space only.
 */
export async function findObjects(
  search: SearchIndex,
  text: string,
  filter: SearchFilter,
  { limit, offset, order }: PageRequest & { readonly order?: ObjectOrder },
): Promise<Page<ObjectHit>> {
  if (text.trim() === '') throw emptyText();
  const ranking = await rankPassages(search, parseQuery(text), filter);
  const first = await scored(search, ranking);
  const total = ranking.objects.length;
  if (order) {
    const numbers = await search.inOrder(ranking.objects, order, { limit, offset });
    const all = new Map([...first, ...beyond(ranking, first)].map((each) => [each.object, each]));
    const page = numbers.flatMap((number) => all.get(number) ?? []);
    return { items: await shown(search, ranking, page), total };
  }
  const input = offset + limit;
  const found = input <= first.length ? first : [...first, ...beyond(ranking, first)];
  const page = found.slice(offset, input);
  return { items: await shown(search, ranking, page), total };
}

/** The objects of the scored passages. */
async function scored(search: SearchIndex, { best }: Ranking): Promise<readonly Found[]> {
  const found = new Map<number, Found>();
  for (const { object, number, score } of best)
    if (!found.has(object)) found.set(object, { object, passage: number, score });
  const known = new Map(
    (await search.identify([...found.keys()])).map((object) => [object.number, object]),
  );
  const newest = (a: Found, b: Found) => {
    const [left, right] = [known.get(a.object), known.get(b.object)];
    if (!left || !right) return b.object - a.object;
    return right.createdAt - left.createdAt || (left.objectId < right.objectId ? 1 : -1);
  };
  return [...found.values()].sort((a, b) => b.score - a.score || newest(a, b));
}

/** All other matches, by matched terms, after the last scored one. Newest here means most recently indexed. */
function beyond(
  { passages, objects, weights }: Ranking,
  first: readonly Found[],
): readonly Found[] {
  const complete = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const floor = (first.at(-1)?.score ?? 0) * 0.99;
  const taken = new Set(first.map(({ object }) => object));
  const found: Found[] = [];
  // Both are in object order, one ascending and one descending.
  let at = passages.count - 1;
  for (const object of objects) {
    const head = titleRowNumber(object);
    let passage = head;
    let weight = 0;
    let bits = -1;
    for (; at >= 0; at--) {
      const number = passages.numbers[at] ?? 0;
      if (number < head) break;
      const held = passages.bits[at] ?? 0;
      if (held !== bits) {
        const more = weightOf(held, weights);
        if (more < weight) continue;
        weight = more;
        bits = held;
      }
      // The first of equals.
      passage = number;
    }
    if (!taken.has(object)) found.push({ object, passage, score: (floor * weight) / complete });
  }
  return found.sort((a, b) => b.score - a.score || b.object - a.object);
}

async function shown(
  search: SearchIndex,
  { atoms, weights }: Ranking,
  page: readonly Found[],
): Promise<readonly ObjectHit[]> {
  const shownOf = ({ object, passage }: Found) =>
    passageOrdinal(passage) < 0 ? passageNumber(object, 0) : passage;
  const ids = new Map(
    (await search.identify(page.map(({ object }) => object))).map((o) => [o.number, o.objectId]),
  );
  const texts = new Map(
    (await search.texts(page.map(shownOf))).map((passage) => [passage.number, passage]),
  );
  const spots = createTermMatcher(atoms);
  return page.flatMap((found): readonly ObjectHit[] => {
    const objectId = ids.get(found.object);
    if (objectId === undefined) return [];
    const passage = texts.get(shownOf(found));
    const place = passage
      ? toTextOffsets(passage, snippetOf(passage.text, spots(passage.text), weights))
      : { snippet: '', charStart: 0, charEnd: 0 };
    return [{ objectId, score: found.score, ...place, passage: passage ? spanOf(passage) : null }];
  });
}

const spanOf = ({ ord, charStart, charEnd, text }: NumberedPassage): TextSpan => ({
  ord,
  charStart,
  charEnd,
  text,
});

/** A range of a passage as a range of the whole text. */
export function toTextOffsets(
  { text, charStart }: Pick<NumberedPassage, 'text' | 'charStart'>,
  { start, end }: { readonly start: number; readonly end: number },
): Pick<ObjectHit, 'snippet' | 'charStart' | 'charEnd'> {
  const snippet = text.slice(start, end);
  const from = charStart + codePointsBefore(text, start);
  return { snippet, charStart: from, charEnd: from + codePointLength(snippet) };
}
