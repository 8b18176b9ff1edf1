import { useEffect, useRef, useState } from 'preact/hooks';

export type Fields = Readonly<Record<string, string>>;

/** Fields that follow what is stored until the owner changes one of them. */
export function useDraft<F extends Fields>(
  stored: F,
): readonly [draft: F, change: (fields: Partial<F>) => void] {
  const [draft, setDraft] = useState(stored);
  const before = useRef(stored);
  useEffect(() => {
    setDraft((now) => (isSame(now, before.current) ? stored : now));
    before.current = stored;
  }, [JSON.stringify(stored)]);
  const change = (fields: Partial<F>) => setDraft((now) => ({ ...now, ...fields }));
  return [draft, change];
}

const isSame = (a: Fields, b: Fields): boolean => JSON.stringify(a) === JSON.stringify(b);
