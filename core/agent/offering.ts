import type { OfferedPassage } from '../answers/index.ts';

/** The passages that a model was shown in one run, from any source. */
export interface Offering {
  /** A passage's number is its index here, from 1. */
  readonly passages: readonly OfferedPassage[];
  /** Returns the passage's number, which is the same if it is shown again. */
  offer(passage: OfferedPassage): number;
}

export function offering(shown: readonly OfferedPassage[] = []): Offering {
  const passages: OfferedPassage[] = [];
  const numbers = new Map<string, number>();
  const made: Offering = {
    passages,
    offer: (offered) => {
      const { objectId, charStart, text } = offered.passage;
      // A text may be corrected or extracted again while a run lasts.
      const place = `${objectId} ${charStart} ${text}`;
      const known = numbers.get(place);
      if (known !== undefined) return known;
      numbers.set(place, passages.push(offered));
      return passages.length;
    },
  };
  for (const passage of shown) made.offer(passage);
  return made;
}
