import { useLocation } from 'preact-iso';
import { to } from '../../app/address.ts';
import { openAddMenu } from '../../app/add-menu.tsx';
import { withFilters, type Listing } from '../../data/object-filters.ts';
import { t } from '../../i18n/language.ts';
import { Empty } from '../../ui/notice.tsx';
import { addressOf, type Place } from './place.ts';

/** An empty list: nothing is there yet, or nothing fits the filters. */
export function NothingHere({ place, listing }: { place: Place; listing: Listing }) {
  const { library, shell } = t();
  const { route } = useLocation();
  const { collection_id: folder, theme_id: theme } = listing.filters;
  const own = withFilters(
    {},
    place.kind === 'library' ? {} : { collection_id: folder, theme_id: theme },
  );
  if (Object.keys(listing.filters).length === Object.keys(own).length)
    return (
      <Empty title={library.nothingYet}>
        <button type="button" class="button strong" onClick={openAddMenu}>
          {shell.add}
        </button>
        {place.kind === 'library' && (
          <a class="button plain" href={to('/welcome')}>
            {shell.firstSteps}
          </a>
        )}
      </Empty>
    );
  return (
    <Empty title={library.nothingFits}>
      <button
        type="button"
        class="button"
        onClick={() => route(addressOf({ filters: own, order: listing.order }))}
      >
        {library.dropFilters}
      </button>
    </Empty>
  );
}
