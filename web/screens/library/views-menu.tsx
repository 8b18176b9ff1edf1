import { useState } from 'preact/hooks';
import type { Listing } from '../../data/object-filters.ts';
import { viewOf, views } from '../../data/views.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Menu } from '../../ui/menu.tsx';
import { reportFailure } from './problem.ts';

const load = () => import('./view-changes.tsx');
const ViewDialog = lazily(load);

type Changes = Awaited<ReturnType<typeof load>>;

/** Keeps the list under a name, and leads to those that were kept. */
export function ViewsMenu({
  listing,
  setListing,
}: {
  listing: Listing;
  setListing: (listing: Listing) => void;
}) {
  const { library } = t();
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const view = viewOf(listing);
  const { collection_id: folder, theme_id: theme, ...rest } = listing.filters;
  const isPlain = Object.keys(rest).length === 0 && listing.order === 'newest';
  const button = (
    <>
      <bdi>{view?.name ?? library.views}</bdi>
      <Icon name="down" />
    </>
  );
  const at = views.value.findIndex(({ id }) => id === view?.id);
  return (
    <>
      {views.value.length > 0 && (
        <Menu class={`pick${view ? ' on' : ''}`} button={button}>
          <div class="choices">
            {views.value.map((each) => (
              <button
                key={each.id}
                type="button"
                aria-pressed={each.id === view?.id}
                onClick={() => setListing(each)}
              >
                <bdi>{each.name}</bdi>
              </button>
            ))}
            {view && (
              <>
                <button type="button" onClick={() => setDialog('rename')}>
                  <Icon name="edit" />
                  {library.renameView}
                </button>
                {at > 0 && (
                  <button type="button" onClick={() => change(({ reorder }) => reorder(view, -1))}>
                    <Icon name="up" />
                    {library.viewUp}
                  </button>
                )}
                {at < views.value.length - 1 && (
                  <button type="button" onClick={() => change(({ reorder }) => reorder(view, 1))}>
                    <Icon name="down" />
                    {library.viewDown}
                  </button>
                )}
                <button type="button" onClick={() => change(({ remove }) => remove(view))}>
                  <Icon name="trash" />
                  {library.removeView}
                </button>
              </>
            )}
          </div>
        </Menu>
      )}
      {!isPlain && !view && (
        <button type="button" class="act" onClick={() => setDialog('save')}>
          {library.keepAsView}
        </button>
      )}
      {dialog && (
        <ViewDialog
          view={dialog === 'rename' ? view : undefined}
          listing={listing}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

const change = (make: (changes: Changes) => Promise<void>): void =>
  void load().then(make).catch(reportFailure);
