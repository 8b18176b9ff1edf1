import { useLocation } from 'preact-iso';
import { listingKey, listingOfQuery, queryOfListing } from '../../data/object-filters.ts';
import { views } from '../../data/views.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { ROOT, to } from '../address.ts';

/** Lists that the owner has given a name. */
export function ViewLinks() {
  const { path, query } = useLocation();
  if (views.value.length === 0) return null;
  const shown = path === `${ROOT}/library` ? listingKey(listingOfQuery(query)) : undefined;
  return (
    <>
      <div class="below-head">
        <h2>{t().library.views}</h2>
      </div>
      <ul class="tree">
        {views.value.map((view) => (
          <li key={view.id}>
            <a
              class="leaf"
              href={to(`/library${queryOfListing(view)}`)}
              aria-current={shown === listingKey(view) ? 'page' : undefined}
            >
              <Icon name="list" />
              <span>
                <bdi>{view.name}</bdi>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
