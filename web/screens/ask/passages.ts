import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import type { Citation } from '../conversation/exchange.ts';

/** The words around a citation. */
export interface Passage {
  readonly before: string;
  readonly after: string;
  readonly page: number | undefined;
}

type ObjectText = components['schemas']['ObjectText'];

const MAX_DOCUMENTS = 8;
/** Of each side, in UTF-16 units. */
const MAX_CONTEXT_LENGTH = 350;

export const passageKey = ({ object_id, char_start, char_end }: Citation): string =>
  `${object_id} ${char_start} ${char_end}`;

/**
 * Reads the words around citations, one document after the other. Only these words stay in memory. A document that cannot
 * be read, or whose text has changed, has none: its citation stands for itself.
 */
export function usePassages(citations: readonly Citation[]): ReadonlyMap<string, Passage> {
  const passages = useSignal<ReadonlyMap<string, Passage>>(new Map());
  const wanted = citations.map(passageKey).join();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void readPassages(citations, signal, (key, passage) => {
      if (!signal.aborted) passages.value = new Map([...passages.value, [key, passage]]);
    });
    return () => controller.abort();
    // `wanted` says what the citations are.
  }, [wanted, passages]);
  return passages.value;
}

async function readPassages(
  citations: readonly Citation[],
  signal: AbortSignal,
  found: (key: string, passage: Passage) => void,
): Promise<void> {
  const byDocument = [...Map.groupBy(citations, ({ object_id }) => object_id)];
  for (const [id, cited] of byDocument.slice(0, MAX_DOCUMENTS)) {
    const params = { path: { object_id: id } };
    const text = await reply(api.GET('/v1/objects/{object_id}/text', { params, signal })).catch(
      () => undefined,
    );
    if (signal.aborted) return;
    for (const citation of text ? cited : []) {
      const passage = text && passageOf(text, citation);
      if (passage) found(passageKey(citation), passage);
    }
  }
}

/** Within the paragraph: up to the blank lines around it. */
function passageOf({ text, pages }: ObjectText, citation: Citation): Passage | undefined {
  const start = indexOfCodePoint(text, citation.char_start);
  const end = start + citation.snippet.length;
  if (text.slice(start, end) !== citation.snippet) return undefined;
  const before = text.slice(Math.max(0, start - MAX_CONTEXT_LENGTH), start);
  const after = text.slice(end, end + MAX_CONTEXT_LENGTH);
  const on = pages.find(
    (each) => each.char_start <= citation.char_start && citation.char_start < each.char_end,
  );
  return { before: lastParagraph(before), after: firstParagraph(after), page: on?.page };
}

const BLANK_LINE = /\n[ \t]*\n/;

function lastParagraph(text: string): string {
  const parts = text.split(BLANK_LINE);
  const last = parts.at(-1) ?? '';
  const isCut = parts.length === 1 && text.length === MAX_CONTEXT_LENGTH;
  return isCut ? `… ${last.slice(last.search(/\s/) + 1)}` : last;
}

function firstParagraph(text: string): string {
  const [first = '', ...more] = text.split(BLANK_LINE);
  const isCut = more.length === 0 && text.length === MAX_CONTEXT_LENGTH;
  return isCut ? `${first.replace(/\s\S*$/, '')} …` : first;
}

/** Offsets of the interface count code points, those of the language count UTF-16 units. */
function indexOfCodePoint(text: string, offset: number): number {
  let at = 0;
  for (let count = 0; count < offset && at < text.length; count++)
    at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
  return at;
}
