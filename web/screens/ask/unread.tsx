import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { UnreadReason } from '../../ui/unread-reason.tsx';

interface UnreadProps {
  readonly count: number;
  readonly folderId: string | null;
  /** Whether the question was limited to chosen documents: the list is of all then. */
  readonly isLimited: boolean;
  readonly onClose: () => void;
}

type Item = components['schemas']['ObjectListItem'];

const STATES = ['failed', 'processing', 'pending'] as const;
const MAX_OF_STATE = 30;

/** The documents that no answer has looked into, and why. */
export function UnreadDialog({ count, folderId, isLimited, onClose }: UnreadProps) {
  const { data, error, isLoading, reload } = useResource(
    `unread ${folderId ?? ''}`,
    async (signal) => {
      const folder = folderId === null ? {} : { collection_id: folderId };
      const lists = await Promise.all(
        STATES.map((status) => {
          const query = { status, limit: MAX_OF_STATE, ...folder };
          return reply(api.GET('/v1/objects', { params: { query }, signal }));
        }),
      );
      return lists.flatMap(({ items }) => items);
    },
    ['objects'],
  );
  const rest = count - (data?.length ?? count);
  return (
    <Dialog
      title={t().ask.unreadTitle}
      wide
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <button type="submit" class="button">
          {t().shell.close}
        </button>
      }
    >
      <p>{isLimited ? t().ask.unreadOfAll : t().ask.unreadWhy}</p>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {isLoading && !data && <Working>{t().shell.loading}</Working>}
      <ul class="unread-list">
        {data?.map((item) => (
          <li key={item.id}>
            <a href={to(`/object/${item.id}`)} class="cut grow">
              <bdi>{item.display_name}</bdi>
            </a>
            <span class={`state ${item.status === 'failed' ? 'bad' : 'wait'}`}>
              {reasonOf(item)}
              {item.error_code && ': '}
              <UnreadReason of={item} />
            </span>
          </li>
        ))}
      </ul>
      {data && rest > 0 && !isLimited && <p>{t().ask.unreadRest(rest)}</p>}
    </Dialog>
  );
}

const reasonOf = ({ status }: Item): string =>
  status === 'failed'
    ? t().ask.unreadFailed
    : status === 'processing'
      ? t().ask.beingRead
      : t().ask.waitsToBeRead;
