import { useLocation } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { to } from '../../../app/address.ts';
import { t } from '../../../i18n/viewer.ts';
import { useActions } from '../../../keys/action.ts';

/** The keys of an editor: saving, and the way back to the document. */
export function useEditActions(id: string, save: () => unknown): void {
  const { route } = useLocation();
  const latest = useRef(save);
  latest.current = save;
  useActions(
    useMemo(
      () => [
        {
          id: 'save',
          group: 'document' as const,
          label: () => t().viewer.actions.save,
          keys: ['Ctrl+Enter', 'Ctrl+S'],
          inFields: true as const,
          run: () => void latest.current(),
        },
        {
          id: 'leave-editor',
          group: 'document' as const,
          label: () => t().viewer.actions.back,
          keys: ['Escape'],
          run: () => route(to(`/object/${id}`)),
        },
      ],
      [id, route],
    ),
  );
}
