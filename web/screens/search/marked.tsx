import { useMemo } from 'preact/hooks';
import { partsOf } from './words.ts';

/** A text with the words of the query marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  const parts = useMemo(() => partsOf(text, query), [text, query]);
  return (
    <>
      {parts.map((part, nth) =>
        part.isWord ? <mark key={nth}>{part.text}</mark> : <span key={nth}>{part.text}</span>,
      )}
    </>
  );
}
