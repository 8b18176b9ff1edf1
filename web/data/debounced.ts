import { useEffect, useState } from 'preact/hooks';

/** After the last key, before a search of what was typed. */
const DELAY_MS = 120;

/** The value once it has stayed the same for a moment. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
