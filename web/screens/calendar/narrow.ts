import { useEffect, useState } from 'preact/hooks';

/** As wide as a phone; the style sheets have the same bound. */
const query = matchMedia('(max-width: 43.74rem)');

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const read = () => setNarrow(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  return isNarrow;
}
