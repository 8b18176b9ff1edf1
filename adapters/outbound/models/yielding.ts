import type { ModelEvent } from '../../../ports/language-model.ts';
import type { Scheduler } from '../../../ports/runtime.ts';

/** Maximum length of text per event, in UTF-16 units. Consumers take about a microsecond per unit. */
const STRETCH = 8_192;

/** Passes events on, splits long texts, and yields in between: a model may send everything at once. */
export function yieldBetweenEvents(
  scheduler: Scheduler,
): (events: readonly ModelEvent[]) => AsyncGenerator<ModelEvent> {
  let handed = 0;
  return async function* (events) {
    for (const event of events)
      for (const part of event.type === 'text' ? partsOf(event.text) : [event]) {
        handed += part.type === 'text' ? part.text.length : 1;
        yield part;
        if (handed < STRETCH) continue;
        handed = 0;
        await scheduler.yield();
      }
  };
}

/** No split within a surrogate pair. */
function* partsOf(text: string): Iterable<ModelEvent> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + STRETCH);
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end -= 1;
    yield { type: 'text', text: text.slice(start, end) };
    start = end;
  }
}
