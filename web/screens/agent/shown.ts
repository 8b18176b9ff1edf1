import type { LiveChat } from './live.ts';
import { confirmOf, phaseOf, type Errand, type Part } from './errand.ts';
import type { Step } from './step.ts';

/** The messages of a conversation as they are shown: the stored ones, and those of this tab where it knows more. */
export function shownErrands(
  stored: readonly Errand[],
  live: LiveChat | undefined,
): readonly Errand[] {
  if (!live) return withoutRepeated(stored);
  const known = new Map(
    stored.flatMap(({ parts }) => parts.flatMap(({ steps }) => steps)).flatMap(withId),
  );
  const shown: Errand[] = [];
  let left = live.errands;
  // From the last one on: another device may have sent messages in between, and a failed one may not be stored.
  for (const each of stored.slice(live.storedBefore).toReversed()) {
    const at = left.findLastIndex(({ message }) => message === each.message);
    if (at < 0) {
      shown.unshift(each);
      continue;
    }
    const [errand, ...later] = left.slice(at);
    if (errand) shown.unshift(current(errand, each, known), ...later);
    left = left.slice(0, at);
  }
  return withoutRepeated([...stored.slice(0, live.storedBefore), ...left, ...shown]);
}

/** A message that nothing came of is left out once it was sent again. */
const withoutRepeated = (errands: readonly Errand[]): readonly Errand[] =>
  errands.filter(
    ({ message, parts }, nth) => parts.length > 0 || errands[nth + 1]?.message !== message,
  );

const withId = (step: Step): readonly [string, Step][] => {
  const id = step.undo ?? step.redo;
  return id === undefined ? [] : [[id, step]];
};

/** The service knows more where a change was decided on, undone or redone in another tab or on another device. */
function current(errand: Errand, stored: Errand, known: ReadonlyMap<string, Step>): Errand {
  if (isDecidedElsewhere(errand, stored)) return { ...stored, id: errand.id };
  const ofPart = (part: Part): Part => ({
    ...part,
    steps: part.steps.map((step) => known.get(step.undo ?? step.redo ?? '') ?? step),
  });
  return { ...errand, parts: errand.parts.map(ofPart) };
}

function isDecidedElsewhere(errand: Errand, stored: Errand): boolean {
  if (phaseOf(errand) !== 'asking') return false;
  const isRead = stored.parts.length >= errand.parts.length;
  return isRead && confirmOf(stored)?.id !== confirmOf(errand)?.id;
}
