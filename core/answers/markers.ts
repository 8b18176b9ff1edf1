import type { Unit } from './stages.ts';

/** The number of a passage in brackets, or several, as written by the model. */
export interface Marker {
  readonly numbers: readonly number[];
  readonly raw: string;
}

export type MarkerOrText = string | Marker;

/** Prefix of a possible marker, and a complete marker: [1], [1, 3], 【2】, \[2\]. */
const BEGINNING = /^\\?(?:[[［【][\d,;，、 –-]{0,40}\\?)?$/;
const WHOLE = /^\\?[[［【] ?\d{1,3}(?: ?[,;，、–-] ?\d{1,3})* ?\\?[\]］】]$/;
/** [2–9] refers to each number of the range, up to this many. */
const MAX_RANGE_LENGTH = 10;

/** Separates markers from text. A marker-like text of a link or an image is left to the link stage. */
export function createMarkerStage(next: (token: MarkerOrText) => void): {
  push(unit: string): void;
  end(): void;
} {
  let held = '';
  let before = '';
  let image: Marker | undefined;

  function text(units: string): void {
    for (const unit of units.split('')) {
      before = unit;
      next(unit);
    }
  }

  function decideImage(after: string): void {
    if (!image) return;
    const marker = image;
    image = undefined;
    if (after === '(') text(marker.raw);
    else next(marker);
  }

  function push(unit: string): void {
    decideImage(unit);
    const longer = held + unit;
    if (WHOLE.test(longer)) {
      held = '';
      const marker = { numbers: numbersOf(longer), raw: longer };
      if (before === '!') image = marker;
      else next(marker);
      before = ']';
    } else if (BEGINNING.test(longer)) {
      held = longer;
    } else if (held !== '') {
      const plain = held;
      held = '';
      text(plain);
      push(unit);
    } else {
      text(unit);
    }
  }

  return {
    push,
    end() {
      decideImage('');
      text(held);
    },
  };
}

function numbersOf(raw: string): readonly number[] {
  return raw
    .replaceAll(/[^\d,;，、–-]/g, '')
    .split(/[,;，、]/)
    .flatMap((part) => {
      const [from = 0, to = from] = part.split(/[–-]/).map(Number);
      const count = to - from + 1;
      if (count < 1 || count > MAX_RANGE_LENGTH) return [from, to];
      return Array.from({ length: count }, (_, i) => from + i);
    });
}

export const isMarker = (token: MarkerOrText | Unit): token is Marker =>
  typeof token !== 'string' && 'numbers' in token;
