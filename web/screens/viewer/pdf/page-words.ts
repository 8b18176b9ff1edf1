import { findAll, findSnippet, fold, type Folded, type Hit } from '../text/fold.ts';
import type { MarkKind } from '../text/marks.ts';

/** Words to be marked on a page. */
export interface PageMark {
  readonly kind: MarkKind;
  readonly words: string;
  /** The fraction of the page's text at which they are expected. */
  readonly near: number;
  readonly index: number | undefined;
}

/** The text layer of a page as one string. */
export interface PageWords {
  readonly nodes: readonly { readonly node: Text; readonly start: number }[];
  readonly text: string;
  readonly folded: Folded;
}

export function wordsOf(layer: Element): PageWords {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text) {
      nodes.push({ node, start: text.length });
      text += node.data;
    } else if (node.nodeName === 'BR') text += '\n';
  return { nodes, text, folded: fold(text) };
}

/** The range of the page's words, undefined if less than half of them are there. */
export function rangeOfMark(words: PageWords, mark: PageMark): Range | undefined {
  const hit = findSnippet(mark.words, words.folded, mark.near);
  return hit && toRange(words, hit);
}

/** Every place of what is searched for. */
export const rangesOfQuery = (words: PageWords, query: string): readonly Range[] =>
  findAll(words.text, words.folded, query).map((hit) => toRange(words, hit));

function toRange({ nodes }: PageWords, { start, end }: Hit): Range {
  const range = document.createRange();
  const at = (offset: number) => nodes.findLast((each) => each.start <= offset);
  const [first, last] = [at(start), at(Math.max(start, end - 1))];
  if (first) range.setStart(first.node, Math.min(start - first.start, first.node.length));
  if (last) range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range;
}
