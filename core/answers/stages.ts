import type { Citation } from '../../ports/conversations.ts';

/** A citation's marker in an answer. */
export interface Cited {
  readonly index: number;
  /** Only where it is referred to for the first time. */
  readonly citation: Citation | undefined;
}

/** Where something was taken out of an answer. */
export const GAP = '';

/** One UTF-16 unit of an answer, a gap or a marker. */
export type Unit = string | Cited;

/**
 * A step on the way from what a model says to what is told of it. Each is given one unit after the other, so that
 * nothing can depend on the pieces in which they arrived, and holds back at most `HELD` of them.
 */
export interface Stage {
  push(unit: Unit): void;
  /** Nothing follows: what is held back is decided now. */
  end(): void;
}

/** UTF-16 units that are held back at most, until something is told as it stands. */
export const HELD = 2_000;

/** A blank line at the end of a text. Nothing that is held back reaches beyond one. */
export const endsInBlankLine = (text: string): boolean =>
  text.endsWith('\n') && /\n[ \t]*\n$/.test(text.slice(-100));
