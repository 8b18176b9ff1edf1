import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { listingOfQuery } from '../../data/object-filters.ts';
import { useShowsHidden } from '../../data/shows-hidden.ts';
import { t } from '../../i18n/search.ts';
import { askAbout } from '../../state/ask-about.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ListDialogs } from '../library/document-pane.tsx';
import { FilterRow } from '../library/filter-row.tsx';
import { useListActions } from '../library/list-actions.ts';
import { useModel } from '../library/list-model.ts';
import { isPreviewOpen } from '../library/preview-state.ts';
import { PreviewPanel } from '../library/preview-panel.tsx';
import { problem } from '../library/problem.ts';
import { Problems } from '../library/problems.tsx';
import { SelectionBar } from '../library/selection-bar.tsx';
import { Hit, addressOfHit } from './hit.tsx';
import { createHitModel, type HitModel } from './hit-list.ts';
import { NothingFound } from './nothing-found.tsx';
import { queryOfSearch } from './search-query.ts';

/** Hits that the page keys pass over. */
const LINES = 5;

/** The documents that a search finds, with the words that it found. Filters are those of the address. */
export default function SearchResults({ query }: { query: string }) {
  const { query: parameters, route } = useLocation();
  const listing = listingOfQuery(parameters);
  const showsHidden = useShowsHidden();
  const filters = showsHidden ? { ...listing.filters, include_hidden: true } : listing.filters;
  const model: HitModel = useModel(`search ${query} ${JSON.stringify(filters)}`, () => {
    const created = createHitModel(query, filters, ({ id }) => {
      const hit = created.list.hits.peek().find(({ object }) => object.id === id);
      if (hit) route(addressOfHit(hit));
    });
    return created;
  });
  const { hits, found, error, isLoading, hasMore, loadMore, refresh } = model.list;
  useListActions(model, { isTrash: false, columns: () => 1, lines: () => LINES, go: route });
  useFocusOnCursor(model);
  useEffect(() => () => void (problem.value = undefined), [model]);
  const ask = () => {
    const folderId = filters.collection_id;
    askAbout.value = { question: query, ...(folderId !== undefined && { folderId }) };
    route(to('/ask'));
  };
  return (
    <Screen
      title={t().search.results}
      {...(found.value !== undefined && { detail: t().search.found(found.value) })}
      panel={isPreviewOpen.value && <PreviewPanel model={model} />}
    >
      <FilterRow
        listing={listing}
        hasPlace={false}
        isSearch
        setListing={(chosen) => route(to(`/library${queryOfSearch(query, chosen.filters)}`))}
      />
      <SelectionBar model={model} isTrash={false} />
      <Problems />
      <div
        class="scroll results"
        tabIndex={0}
        role="region"
        aria-label={t().search.resultsFor(query)}
      >
        <button type="button" class="ask-this" onClick={ask}>
          <Icon name="ask" />
          <span class="grow cut">
            {t().search.askThis}: <bdi class="serif">{query}</bdi>
          </span>
          <Icon name="right" small flip />
        </button>
        <p class="vh" role="status">
          {found.value !== undefined && t().search.found(found.value)}
        </p>
        {error.value !== undefined && <Failed error={error.value} retry={refresh} />}
        {isLoading.value && found.value === undefined && <Working>{t().search.searching}</Working>}
        {found.value === 0 && <NothingFound query={query} filters={filters} />}
        <ol class="hits" aria-label={t().search.resultsFor(query)}>
          {hits.value.map((hit, index) => (
            <Hit key={hit.object.id} model={model} hit={hit} index={index} query={query} />
          ))}
        </ol>
        {hasMore.value && (
          <p class="more-hits">
            <button type="button" class="button" disabled={isLoading.value} onClick={loadMore}>
              {t().search.more}
            </button>
          </p>
        )}
      </div>
      <ListDialogs model={model} />
    </Screen>
  );
}

/** The current hit has the focus, unless something else on the page has it. */
function useFocusOnCursor(model: HitModel): void {
  const { value: cursor } = model.cursor;
  useEffect(() => {
    const { activeElement: active } = document;
    const row = document.querySelector(`.hits [data-index="${cursor ?? ''}"]`);
    const isFree = !active || active === document.body || active.matches('.screen-title, .hits *');
    if (!row || !isFree || row.contains(active)) return;
    const link = row.querySelector<HTMLElement>('.name');
    link?.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }, [model, cursor]);
}
