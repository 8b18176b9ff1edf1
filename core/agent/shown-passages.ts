import type { PromptPassage } from '../answers/index.ts';

/** The passages that a model was shown in one run, from any source. */
export interface ShownPassages {
  /** A passage's number is its index here, from 1. */
  readonly passages: readonly PromptPassage[];
  /** Returns the passage's number, which is the same if it is shown again. */
  offer(passage: PromptPassage): number;
}

export function createShownPassages(shown: readonly PromptPassage[] = []): ShownPassages {
  const passages: PromptPassage[] = [];
  const numbers = new Map<string, number>();
  const created: ShownPassages = {
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
  for (const passage of shown) created.offer(passage);
  return created;
}
