import { to } from '../../app/address.ts';
import { useChats, type ChatCard, type ChatKind } from '../../data/chats.ts';
import { folderOf } from '../../data/folders.ts';
import { dayKey, formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/ask.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed } from '../../ui/notice.tsx';

/** Conversations in the rail: pinned ones first, then by last change. */
export default function ChatRail({ path }: { path: string }) {
  const [, place, current] = path.split('/');
  const kind = place === 'agent' ? 'agent' : 'ask';
  return (
    <>
      <div class="below-head">
        <h2>{t().ask.chats}</h2>
        <a class="tool small" href={to(`/${kind}`)} aria-label={t().ask.newChat}>
          <Icon name="plus" />
        </a>
      </div>
      <ChatList key={kind} kind={kind} current={current} />
    </>
  );
}

interface ChatListProps {
  readonly kind: ChatKind;
  readonly current: string | undefined;
}

/** The same in windows without a rail. */
export function ChatList({ kind, current }: ChatListProps) {
  const { data = [], error, reload } = useChats(kind);
  const { true: pinned = [], false: lately = [] } = Object.groupBy(data, (chat) =>
    chat.pinned ? 'true' : 'false',
  );
  if (error !== undefined && data.length === 0) return <Failed error={error} retry={reload} />;
  return (
    <ul class="tree">
      <Group name={t().ask.pinnedChats} chats={pinned} kind={kind} current={current} />
      <Group name={t().ask.lately} chats={lately} kind={kind} current={current} />
    </ul>
  );
}

interface GroupProps extends ChatListProps {
  readonly name: string;
  readonly chats: readonly ChatCard[];
}

function Group({ name, chats, kind, current }: GroupProps) {
  if (chats.length === 0) return null;
  return (
    <li>
      <p class="theme">{name}</p>
      <ul>
        {chats.map(({ id, title, pinned, updated_at: at, collection_id: folder }) => (
          <li key={id}>
            <a
              class="leaf two"
              href={to(`/${kind}/${id}`)}
              aria-current={id === current ? 'page' : undefined}
            >
              <Icon name={pinned ? 'pin' : kind} />
              <span>
                <bdi>{title}</bdi>
                <small>{whenAndWhere(at, folder)}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

function whenAndWhere(at: string, folderId: string | null): string {
  const day = dayKey(at) === dayKey(Date.now()) ? t().ask.today : formatDay(at);
  const folder = folderOf(folderId)?.name;
  return folder === undefined ? day : t().ask.dayInFolder(day, folder);
}
