import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { to } from '../../app/address.ts';
import type { Listing } from '../../data/object-filters.ts';
import { loadRetention } from '../../data/trash.ts';
import { t } from '../../i18n/language.ts';
import { Empty } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { openDialog } from '../library/dialog-state.ts';
import { DocumentPane } from '../library/document-pane.tsx';
import { useListModel } from '../library/list-model.ts';
import { PreviewPanel } from '../library/preview-panel.tsx';
import { isPreviewOpen } from '../library/preview-state.ts';

/** What was moved last comes first: moving a document to the trash changes it. */
const TRASH: Listing = { filters: { trashed: true }, order: 'updated' };

/** Documents that can be restored, until they are erased. */
export default function TrashScreen() {
  const { library, shell } = t();
  const { route } = useLocation();
  const model = useListModel(TRASH, ({ id }) => route(to(`/object/${id}`)));
  useEffect(() => {
    const controller = new AbortController();
    // Not reported: rows are complete without the day on which they are erased, and the next visit reads it again.
    loadRetention(controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, []);
  const { total } = model.list.state.value;
  const empty = (
    <button
      type="button"
      class="button danger"
      onClick={() => void (openDialog.value = { kind: 'empty-trash' })}
    >
      {library.emptyTrash}
    </button>
  );
  return (
    <Screen
      title={shell.places.trash}
      detail={total === undefined ? '' : library.documents(total)}
      end={total ? empty : undefined}
      panel={isPreviewOpen.value && <PreviewPanel model={model} />}
    >
      <p class="plan-line soft">{library.trashHint}</p>
      <DocumentPane
        model={model}
        label={shell.places.trash}
        isTrash
        empty={<Empty title={library.trashEmpty} />}
      />
    </Screen>
  );
}
