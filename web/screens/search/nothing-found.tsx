import { to } from '../../app/address.ts';
import { useResource } from '../../data/resource.ts';
import type { ObjectFilters } from '../../data/object-filters.ts';
import { t } from '../../i18n/search.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notice.tsx';
import { findRelaxations, namesOf } from './relaxations.ts';
import { queryOfSearch } from './search-query.ts';

/** Why nothing was found: what to drop from the search, and how many documents are found then. */
export function NothingFound({ query, filters }: { query: string; filters: ObjectFilters }) {
  const { data } = useResource(`less ${query} ${JSON.stringify(filters)}`, (signal) =>
    findRelaxations(query, filters, signal),
  );
  return (
    <Empty title={t().search.nothing}>
      {namesOf(filters).length === 0 && <p>{t().search.nothingIn}</p>}
      {data && data.length === 0 && <p>{t().search.noneSuggested}</p>}
      {data && data.length > 0 && (
        <>
          <p>{t().search.dropHint}</p>
          <ul class="next">
            {data.map(({ label, q, filters: less, total }) => (
              <li key={label}>
                <a href={to(`/library${queryOfSearch(q, less)}`)}>
                  <Icon name="search" />
                  <bdi>{label}</bdi>
                  <span class="soft num">{t().search.documents(total)}</span>
                  <Icon name="right" small flip />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Empty>
  );
}
