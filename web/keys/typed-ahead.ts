/** A field that is not there by then has failed to load. */
const MAX_WAIT_MS = 10_000;

export interface TypedAhead {
  /** Ends the collecting and returns the letters. */
  readonly take: () => string;
  /** Whether Enter ended them. */
  readonly isEntered: () => boolean;
  readonly stop: () => void;
}

/**
 * Collects the letters that are typed before a field is there, so that they do not act as single keys. The field takes
 * them with `take`. `hasEnter`: Enter belongs to the field as well, and nothing after it is collected.
 */
export function typedAhead({ hasEnter = false } = {}): TypedAhead {
  let text = '';
  let isEntered = false;
  const collect = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isLetter = [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
    const isEnter = hasEnter && key === 'Enter';
    if (!isLetter && !isEnter && key !== 'Backspace') return;
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) isEntered = true;
    else if (!isEntered) text = isLetter ? text + key : text.slice(0, -1);
  };
  document.addEventListener('keydown', collect, { capture: true });
  const timer = setTimeout(() => stop(), MAX_WAIT_MS);
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('keydown', collect, { capture: true });
  };
  return {
    take: () => {
      stop();
      return text;
    },
    isEntered: () => isEntered,
    stop,
  };
}
