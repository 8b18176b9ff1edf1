import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { useResource, type Resource } from '../../data/resource.ts';

/** Shown as rows. */
const MAX_ROWS = 12;

export interface FirstDocuments {
  /** In the order in which they were added. Nothing hidden is among them, also while the zone is open. */
  readonly items: readonly ObjectItem[];
  readonly total: number;
  readonly read: number;
}

/** The latest documents and how many are read, followed as the service reads them. */
export const useFirstDocuments = (): Resource<FirstDocuments> =>
  useResource(
    'first documents',
    async (signal) => {
      const list = (query: { limit: number; status?: 'ready' }) =>
        reply(api.GET('/v1/objects', { params: { query: { ...query, order: 'newest' } }, signal }));
      const [latest, ready] = await Promise.all([
        list({ limit: MAX_ROWS }),
        list({ limit: 1, status: 'ready' }),
      ]);
      const items = latest.items.filter(({ is_hidden: isHidden }) => !isHidden).toReversed();
      return { items, total: latest.total, read: ready.total };
    },
    ['objects'],
  );
