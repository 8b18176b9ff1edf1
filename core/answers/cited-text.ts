import { sentencesOf, type TextRange } from '../text/index.ts';
import { occursVerbatim } from './anchor.ts';
import { GAP, type CitationMarker, type Stage } from './stages.ts';

/** Finds a quotation in the passages with these numbers. */
export interface Register<Place> {
  /** The ranges in those of the passages in which `find` finds something. */
  locate(
    numbers: readonly number[],
    find: (passage: string) => TextRange | undefined,
  ): readonly Place[];
  /** Numbers the ranges as citations, in the order of the answer. */
  cite(places: readonly Place[]): readonly CitationMarker[];
}

/** Emitted text remembered to find the sentence before a marker, in UTF-16 units. */
const CLAIM = 1_500;
/** Represents a marker in the emitted text. */
export const CITED = '\ufffc';

/** Emits text and citations to the next stage, and remembers the end of what it emitted. */
export class CitedText<Place> {
  readonly #register: Register<Place>;
  readonly #next: Stage;
  #recent = '';

  constructor(register: Register<Place>, next: Stage) {
    this.#register = register;
    this.#next = next;
  }

  say(units: string): void {
    for (const unit of units.split('')) this.#next.push(unit);
    this.#recent += units;
    if (this.#recent.length > 4 * CLAIM) this.#recent = this.#recent.slice(-CLAIM);
  }

  gap(): void {
    this.#next.push(GAP);
  }

  cite(places: readonly Place[]): void {
    const markers = this.#register.cite(places);
    if (markers.length === 0) this.gap();
    for (const marker of markers) {
      this.#next.push(marker);
      this.#recent += CITED;
    }
  }

  /** A marker without a quotation: the sentence before it must occur in the passage. */
  citeSentence(numbers: readonly number[]): void {
    let claims: readonly string[] | undefined;
    this.cite(
      this.#register.locate(numbers, (passage) => {
        claims ??= claimsIn(this.#recent.slice(-CLAIM));
        return claims.map((claim) => occursVerbatim(claim, passage)).find((found) => found);
      }),
    );
  }

  /** The last unit; '' before the first. */
  last(): string {
    return this.#recent.slice(-1);
  }

  end(): void {
    this.#next.end();
  }
}

/** The last sentence emitted, and its last part without a citation. */
function claimsIn(token: string): readonly string[] {
  const { start, end } = sentencesOf(token).at(-1) ?? { start: 0, end: 0 };
  const sentence = token.slice(start, end).replace(/^(?:[-*+•>#]+|\d{1,3}[.)])\s+/, '');
  const parts = [sentence.replaceAll(CITED, ' '), sentence.slice(sentence.lastIndexOf(CITED) + 1)];
  return [...new Set(parts)];
}
