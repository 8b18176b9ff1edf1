import { useLocation } from 'preact-iso';
import { useCallback, useRef, useState } from 'preact/hooks';
import { ROOT, to } from '../../app/address.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EndLink } from './end-link.tsx';
import { Lately } from './lately.tsx';
import { LinkPanel } from './link-panel.tsx';
import { NewLink } from './new-link.tsx';
import { focusBeside, focusRow, rowOf, useShareActions } from './share-actions.ts';
import { PAGE, isShown, readShares, type ShareLink, type ShareList } from './share-data.ts';
import { ShareTable } from './share-table.tsx';
import { SubjectChooser } from './subject-chooser.tsx';

const GREY_ROWS = 8;

/** Links for visitors: all of them, one of them, and a new one. */
export default function SharesScreen() {
  const { shares } = t();
  const { path, query, route } = useLocation();
  const part = path.slice(ROOT.length).split('/')[2];
  const [concealed, setConcealed] = useState<string>();
  const [ending, setEnding] = useState<ShareLink>();
  const wanted = useRef(PAGE);
  const { data, error, reload } = useResource(
    'shares',
    (signal) => readShares(wanted.current, signal),
    ['shares', 'objects', 'folders'],
  );
  const go = useCallback((address: string) => route(address), [route]);
  const shown = part === 'new' ? undefined : (part ?? concealed);
  const close = useCallback(() => {
    setConcealed(undefined);
    route(to('/shares'));
    if (shown !== undefined) requestAnimationFrame(() => focusRow(rowOf(shown)));
  }, [route, shown]);
  const end = useCallback(
    (id: string) => setEnding(data?.items.find((share) => share.id === id)),
    [data],
  );
  const hasPanel = part !== undefined || concealed !== undefined;
  useShareActions({ isPanelOpen: hasPanel, go, close, end });
  const more = () => {
    wanted.current += PAGE;
    reload();
  };
  const afterEnd = ({ id }: ShareLink) => {
    if (id === shown) {
      setConcealed(undefined);
      route(to('/shares'));
    }
    focusBeside(id);
  };
  return (
    <>
      <Screen
        title={shares.title}
        detail={data && data.total > 0 ? detailOf(data) : ''}
        sheet={`keep wide-panel shares${hasPanel ? ' panel-first' : ''}`}
        end={
          <a class="button" href={to('/shares/new')}>
            <Icon name="plus" />
            {shares.newLink}
          </a>
        }
        panel={
          hasPanel && (
            <Panel
              key={part === 'new' ? `new ${query['folder']} ${query['object']}` : shown}
              shown={shown}
              query={query}
              onEnd={setEnding}
              onClose={close}
            />
          )
        }
      >
        <div class="scroll" tabIndex={0} role="region" aria-label={shares.list}>
          {error !== undefined && (
            <div class="list-note">
              <Failed error={error} retry={reload} />
            </div>
          )}
          {!data && error === undefined && <GreyRows />}
          {data && data.items.length === 0 && (
            <Empty title={shares.nothing}>
              <p>{shares.nothingHint}</p>
              <a class="button strong" href={to('/shares/new')}>
                {shares.newLink}
              </a>
            </Empty>
          )}
          {data && data.items.length > 0 && (
            <>
              <ShareTable
                items={data.items}
                shown={shown}
                onShow={({ id }) => setConcealed(id)}
                onEnd={setEnding}
              />
              {data.items.length < data.total && (
                <p class="after-table">
                  <button type="button" class="button" onClick={more}>
                    {shares.showMore(data.total - data.items.length)}
                  </button>
                </p>
              )}
              <Lately items={data.items} />
              <p class="soft after-table">{shares.aboutAddress}</p>
            </>
          )}
        </div>
      </Screen>
      {ending && (
        <EndLink
          share={ending}
          onClose={() => setEnding(undefined)}
          onEnded={() => afterEnd(ending)}
        />
      )}
    </>
  );
}

interface PanelProps {
  readonly shown: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly onEnd: (share: ShareLink) => void;
  readonly onClose: () => void;
}

function Panel({ shown, query, onEnd, onClose }: PanelProps) {
  const { folder, object } = query;
  const isOfSeveral = query['several'] !== undefined;
  if (shown !== undefined) return <LinkPanel id={shown} onEnd={onEnd} onClose={onClose} />;
  if (folder)
    return (
      <NewLink
        subject={{ kind: 'folder', id: folder }}
        isOfSeveral={isOfSeveral}
        onClose={onClose}
      />
    );
  if (object)
    return <NewLink subject={{ kind: 'file', id: object }} isOfSeveral={false} onClose={onClose} />;
  return <SubjectChooser isOfSeveral={isOfSeveral} onClose={onClose} />;
}

/** How many links visitors can open: known when all of them are loaded. */
function detailOf({ items, total }: ShareList): string {
  const { shares } = t();
  return items.length < total
    ? shares.links(total)
    : shares.openLinks(items.filter(isShown).length);
}

const GreyRows = () => (
  <div class="late" role="status" aria-label={t().shell.loading}>
    {Array.from({ length: GREY_ROWS }, (_, n) => (
      <div key={n} class="grey" />
    ))}
  </div>
);
