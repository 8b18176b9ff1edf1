import { useMemo, useRef } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { draftOf, dropDraft, keepDraft, type Draft } from '../../../state/drafts.ts';

/** Names the unsaved text of a note or text file. */
export const contentDraft = (id: string): string => `content ${id}`;

export interface DraftKeeper {
  /** The text that was not saved when this editor closed before. */
  readonly find: () => Draft | undefined;
  readonly keep: (draft: Draft) => void;
  readonly drop: () => void;
  /** Whether such a text was found. */
  readonly isRestored: boolean;
}

/** The unsaved text of an editor. Nothing is kept of what is hidden. */
export function useDraft(key: string, isHidden: boolean): DraftKeeper {
  const isRestored = useRef(false);
  return useMemo(
    () => ({
      find: () => {
        const draft = isHidden ? undefined : draftOf(key);
        isRestored.current = draft !== undefined;
        return draft;
      },
      keep: (draft) => {
        if (!isHidden) keepDraft(key, draft);
      },
      drop: () => {
        isRestored.current = false;
        dropDraft(key);
      },
      get isRestored() {
        return isRestored.current;
      },
    }),
    [key, isHidden],
  );
}

/** Says that the text is one that was not saved before. */
export const Restored = ({ onDiscard }: { onDiscard: () => void }) => (
  <div class="note page-note">
    <p class="grow" role="status">
      {t().viewer.restored}
    </p>
    <button type="button" class="act" onClick={onDiscard}>
      {t().viewer.discard}
    </button>
  </div>
);
