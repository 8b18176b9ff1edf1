import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { formatMoment } from '../../../i18n/format.ts';
import { t } from '../../../i18n/bots.ts';
import { Failed, Working } from '../../../ui/notice.tsx';

/** The service answers with all at once; the page shows so many more at a time. */
const PAGE = 50;

export interface MembersProps {
  readonly botId: string;
  readonly chatId: number;
}

/** The people that a bot knows in a group, most recently heard from first. */
export function Members({ botId, chatId }: MembersProps) {
  const { bots, shell } = t();
  const [count, setCount] = useState(PAGE);
  const { data, error, isLoading, reload } = useResource(
    `members of ${chatId}`,
    (signal) => {
      const path = { bot_id: botId, chat_id: chatId };
      return reply(api.GET('/v1/bots/{bot_id}/chats/{chat_id}', { params: { path }, signal }));
    },
    ['bots'],
  );
  const members = data?.members;
  return (
    <>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!members && isLoading && <Working>{shell.loading}</Working>}
      {data?.description && (
        <p class="soft">
          <bdi>{data.description}</bdi>
        </p>
      )}
      {members?.length === 0 && <p class="soft">{bots.noMembers}</p>}
      <ul class="members" aria-label={`${bots.members}: ${data?.title ?? ''}`}>
        {members?.slice(0, count).map((member) => (
          <li key={member.messenger_user_id}>
            <b>
              <bdi>{member.display_name}</bdi>
            </b>{' '}
            {member.username !== '' && <span class="soft">@{member.username}</span>}
            <span class="soft">
              {[
                bots.roles[member.role],
                bots.sources[member.source],
                ...(member.last_seen_at === '' ? [] : [formatMoment(member.last_seen_at)]),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {members && members.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + PAGE)}>
          {bots.more}
        </button>
      )}
    </>
  );
}
