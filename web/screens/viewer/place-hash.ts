import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { placeOfHash, type TextRange } from './text/range.ts';

/** The place that the address names. The fragment is no part of what the router reports. */
export function usePlace(): TextRange | undefined {
  const { url } = useLocation();
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const at = url.indexOf('#');
    const read = () => setHash(at < 0 ? location.hash : url.slice(at));
    read();
    addEventListener('hashchange', read);
    addEventListener('popstate', read);
    return () => {
      removeEventListener('hashchange', read);
      removeEventListener('popstate', read);
    };
  }, [url]);
  return useMemo(() => placeOfHash(hash), [hash]);
}
