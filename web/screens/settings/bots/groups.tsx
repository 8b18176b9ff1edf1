import { useRef } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/bots.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import type { Bot } from './bot.ts';
import { Group } from './group.tsx';

type Chat = components['schemas']['BotChat'];

const PAGE = 50;

export interface GroupsProps {
  readonly bot: Bot;
  /** Another owner's bot is only read. */
  readonly isOwn: boolean;
}

/** The groups of a bot, most recently heard from first. */
export function Groups({ bot: { id }, isOwn }: GroupsProps) {
  const { bots, shell } = t();
  const wanted = useRef(PAGE);
  const { data, error, isLoading, reload } = useResource(
    `groups of ${id}`,
    (signal) => readGroups(id, wanted.current, signal),
    ['bots'],
  );
  const showMore = () => {
    wanted.current += PAGE;
    reload();
  };
  return (
    <div class="bot-groups">
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && isLoading && <Working>{shell.loading}</Working>}
      {data?.total === 0 && <p class="soft">{bots.noGroups}</p>}
      <ul aria-label={bots.groups}>
        {data?.items.map((chat) => (
          <Group key={chat.chat_id} botId={id} chat={chat} isOwn={isOwn} reload={reload} />
        ))}
      </ul>
      {data && data.items.length < data.total && (
        <button type="button" class="button" disabled={isLoading} onClick={showMore}>
          {bots.more}
        </button>
      )}
      {isOwn && data && data.total > 0 && <p class="soft">{bots.mayWriteHint}</p>}
    </div>
  );
}

async function readGroups(
  botId: string,
  count: number,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Chat[]; readonly total: number }> {
  const items: Chat[] = [];
  for (;;) {
    const query = { limit: PAGE, offset: items.length };
    const params = { path: { bot_id: botId }, query };
    const page = await reply(api.GET('/v1/bots/{bot_id}/chats', { params, signal }));
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= Math.min(count, page.total))
      return { items, total: page.total };
  }
}
