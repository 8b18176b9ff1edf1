import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { ROOT, to } from '../../app/address.ts';
import { useShowsHidden } from '../../data/shows-hidden.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DocumentPane } from './document-pane.tsx';
import { FilterRow } from './filter-row.tsx';
import { FolderHead } from './folder-head.tsx';
import { useListModel } from './list-model.ts';
import { NothingHere } from './nothing-here.tsx';
import { addressOf, listingAt, placeOf } from './place.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { isPreviewOpen, togglePreview } from './preview-state.ts';
import { SuggestionBar } from './suggestion-bar.tsx';
import { lazyScreen } from '../../ui/lazily.tsx';

const SearchResults = lazyScreen(() => import('../search/search-results.tsx'));

const isPictures = signal(false);

/** All documents, those of a folder, or those of a theme. */
export default function LibraryScreen() {
  const { query } = useLocation();
  const words = query['q'];
  return words ? <SearchResults query={words} /> : <Documents />;
}

function Documents() {
  const { path, query, route } = useLocation();
  const place = placeOf(path.slice(ROOT.length));
  const listing = listingAt(place, query);
  const { filters, order } = listing;
  const showsHidden = useShowsHidden();
  const model = useListModel(
    // Neither the address nor a kept view has this filter.
    showsHidden ? { filters: { ...filters, include_hidden: true }, order } : listing,
    ({ id }) => route(to(`/object/${id}`)),
  );
  const { library } = t();
  const { total } = model.list.state.value;
  const detail = total === undefined ? '' : library.documents(total);
  const name =
    (place.kind === 'folder' && place.folder?.name) ||
    (place.kind === 'theme' && place.theme?.name) ||
    t().shell.places.library;
  return (
    <Screen
      title={name}
      detail={detail}
      end={<HeadEnd place={place} />}
      panel={isPreviewOpen.value && <PreviewPanel model={model} />}
    >
      <FolderHead place={place} />
      <FilterRow
        listing={listing}
        hasPlace={place.kind !== 'library'}
        setListing={(chosen) => route(addressOf(chosen))}
      />
      <SuggestionBar model={model} />
      <DocumentPane
        model={model}
        label={`${name}, ${library.orders[listing.order]}`}
        isPictures={isPictures.value}
        empty={<NothingHere place={place} listing={listing} />}
      />
    </Screen>
  );
}

function HeadEnd({ place }: { place: ReturnType<typeof placeOf> }) {
  const { library } = t();
  const view = (pictures: boolean, icon: 'list' | 'grid', label: string) => (
    <button
      type="button"
      aria-pressed={isPictures.value === pictures}
      aria-label={label}
      onClick={() => void (isPictures.value = pictures)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      {place.kind === 'library' && (
        <a class="button tidy-link" href={to('/tidy')} aria-label={library.tidyUp}>
          <Icon name="tidy" />
          <span class="hide-phone">{library.tidyUp}</span>
        </a>
      )}
      <div class="segmented" role="group" aria-label={library.view}>
        {view(false, 'list', library.asList)}
        {view(true, 'grid', library.asPictures)}
      </div>
      <button
        type="button"
        class="tool hide-phone"
        aria-label={library.actions.details}
        aria-pressed={isPreviewOpen.value}
        onClick={togglePreview}
      >
        <Icon name="info" />
      </button>
    </>
  );
}
