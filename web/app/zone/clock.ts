import { useEffect, useState } from 'preact/hooks';

/** `14:32` of minutes and seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Whole seconds until a moment, down to 0. `onEnd` is called when it has come. */
export function useSecondsUntil(endsAt: number, onEnd: () => void): number {
  const read = () => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
  const [, setShown] = useState(read);
  useEffect(() => {
    const tick = () => {
      setShown(read());
      if (Date.now() >= endsAt) onEnd();
    };
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  // Read anew: another moment counts from its first frame on.
  return read();
}
