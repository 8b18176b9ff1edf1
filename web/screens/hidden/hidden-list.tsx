import { useLocation } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import { to } from '../../app/address.ts';
import type { Listing } from '../../data/object-filters.ts';
import { t } from '../../i18n/language.ts';
import { useActions } from '../../keys/action.ts';
import { askAbout } from '../../state/ask-about.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Screen, ScreenHeading } from '../../ui/screen.tsx';
import { changeDocuments } from '../library/changes.ts';
import { DocumentPane } from '../library/document-pane.tsx';
import { useListModel, type ListModel } from '../library/list-model.ts';
import { PreviewPanel } from '../library/preview-panel.tsx';
import { isPreviewOpen } from '../library/preview-state.ts';

const LISTING: Listing = { filters: { hidden_only: true }, order: 'newest' };
const MAX_ASKED = 10;

/** All hidden documents. */
export function HiddenList() {
  const { route } = useLocation();
  const model = useListModel(LISTING, ({ id }) => route(to(`/object/${id}`)));
  const { hidden, library } = t();
  const { rows, total } = model.list.state.value;
  useShowAgain(model);
  const ask = () => {
    const items = model.selectedCount.value > 0 ? model.targetItems() : [...rows.values()];
    askAbout.value = {
      documents: items.slice(0, MAX_ASKED).map(({ id, display_name: name }) => ({ id, name })),
    };
    route(to('/ask'));
  };
  return (
    <Screen
      title=""
      head={
        <div class="head">
          <ScreenHeading>
            {hidden.hidden}
            {total !== undefined && <small class="num">{library.documents(total)}</small>}
          </ScreenHeading>
          <div class="end">
            {total !== undefined && total > 0 && (
              <button type="button" class="button" onClick={ask}>
                <Icon name="ask" />
                {hidden.askThese}
              </button>
            )}
          </div>
        </div>
      }
      panel={isPreviewOpen.value && <PreviewPanel model={model} />}
    >
      <DocumentPane
        model={model}
        label={hidden.list}
        empty={
          <Empty title={hidden.nothing}>
            <p>{hidden.howToHide}</p>
          </Empty>
        }
      />
    </Screen>
  );
}

function useShowAgain(model: ListModel): void {
  useActions(
    useMemo(
      () => [
        {
          id: 'show-again',
          group: 'list' as const,
          label: () => t().hidden.showAgain,
          isEnabled: () => model.target() !== undefined,
          run: () => {
            const selected = model.target();
            if (selected) void changeDocuments(model, selected, { action: 'unhide' });
          },
        },
      ],
      [model],
    ),
  );
}
