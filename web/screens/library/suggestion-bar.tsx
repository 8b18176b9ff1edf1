import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { listingKey } from '../../data/object-filters.ts';
import { useResource } from '../../data/resource.ts';
import { formatNumber } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import type { ListModel } from './list-model.ts';
import { takeAllSuggestions } from './suggestions.ts';

/** Several suggestions of a list are taken together. */
export function SuggestionBar({ model }: { model: ListModel }) {
  const { listing } = model;
  const { data: count = 0 } = useResource(
    listingKey(listing),
    async (signal) => {
      const query = { ...listing.filters, has_suggestion: true, limit: 1 };
      return (await reply(api.GET('/v1/objects', { params: { query }, signal }))).total;
    },
    ['objects'],
  );
  if (count < 2) return null;
  const { library } = t();
  return (
    <div class="list-note">
      <div class="note calm">
        <p class="grow num">{library.suggestions(count)}</p>
        <button
          type="button"
          class="act num"
          onClick={() => void takeAllSuggestions(listing.filters)}
        >
          {library.takeAll(formatNumber(count))}
        </button>
      </div>
    </div>
  );
}
