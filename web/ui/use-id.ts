import { useState } from 'preact/hooks';

let last = 0;

/** An id that no other part of the page has. Preact's own is unique in one tree only, and the page has several. */
export function useId(): string {
  const [id] = useState(() => `id-${++last}`);
  return id;
}
