import { useMemo, useRef, useState } from 'preact/hooks';
import type { DocumentDetail } from './kinds.ts';

/** Documents of which this tab makes a version. */
const expected = new Set<string>();

/** Makes a version of a document, which is shown as soon as it is there. */
export async function makeVersion<T>(id: string, work: () => Promise<T>): Promise<T> {
  expected.add(id);
  try {
    return await work();
  } catch (error) {
    expected.delete(id);
    throw error;
  }
}

export interface ShownVersion {
  readonly shown: DocumentDetail | undefined;
  /** A version that was made elsewhere since. */
  readonly newer: number | undefined;
  readonly showNewest: () => void;
}

/**
 * The version that is being read stays when another one comes from elsewhere, until the owner wants to see it. Names, folders
 * and the like are always those of now. `follows`: the newest version is always shown.
 */
export function useShownVersion(
  newest: DocumentDetail | undefined,
  follows: boolean,
): ShownVersion {
  const held = useRef<DocumentDetail | undefined>(undefined);
  const [, setShown] = useState(0);
  const { current: before } = held;
  const isSame = before?.id === newest?.id && before?.version === newest?.version;
  const isExpected = newest !== undefined && before !== undefined && expected.has(newest.id);
  if (isSame || follows || isExpected || before?.id !== newest?.id) {
    if (isExpected && !isSame) expected.delete(newest.id);
    held.current = newest;
  }
  const { current } = held;
  const shown = useMemo(
    () => (current && newest && current !== newest ? { ...newest, ...contentOf(current) } : newest),
    [current, newest],
  );
  return {
    shown,
    newer: shown && newest && newest.version > shown.version ? newest.version : undefined,
    showNewest: () => {
      held.current = newest;
      setShown(newest?.version ?? 0);
    },
  };
}

/** What belongs to a version. */
const contentOf = ({
  version,
  kind,
  mime,
  size,
  status,
  error,
  editor,
  original_name,
  content_hash,
  enrichment,
  has_corrections,
  updated_at,
}: DocumentDetail): Partial<DocumentDetail> => ({
  version,
  kind,
  mime,
  size,
  status,
  error,
  editor,
  original_name,
  content_hash,
  enrichment,
  has_corrections,
  updated_at,
});
