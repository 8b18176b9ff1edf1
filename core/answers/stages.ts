import type { Citation } from '../../ports/conversations.ts';

/** A citation's marker in an answer. */
export interface CitationMarker {
  readonly index: number;
  /** Only at its first reference. */
  readonly citation: Citation | undefined;
}

/** Marks where something was removed from an answer. */
export const GAP = '';

/** One UTF-16 unit of an answer, a gap or a marker. */
export type Unit = string | CitationMarker;

/**
 * A stage of the citation stream. Each stage receives one unit at a time, so the result cannot depend on chunk
 * boundaries, and holds back at most `MAX_HELD_BACK` units.
 */
export interface Stage {
  push(unit: Unit): void;
  /** End of input: held-back units are decided now. */
  end(): void;
}

/** Maximum of held-back UTF-16 units, after which the text is emitted as it is. */
export const MAX_HELD_BACK = 2_000;

/** A blank line at the end of a text. Held-back text never crosses one. */
export const endsInBlankLine = (text: string): boolean =>
  text.endsWith('\n') && /\n[ \t]*\n$/.test(text.slice(-100));
