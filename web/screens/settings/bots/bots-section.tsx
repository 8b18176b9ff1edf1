import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/bots.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { Setting } from '../setting.tsx';
import { BotEntry } from './bot-entry.tsx';
import { ConnectBot } from './connect-bot.tsx';

/** An owner may have 20. Those of others in the workspace are listed as well. */
const LIMIT = 100;

/** Bots of messengers: connect one, link one's own chat, what it knows of its groups. */
export default function BotsSection() {
  const { bots, shell } = t();
  const { data, error, isLoading, reload } = useResource(
    'bots',
    (signal) => reply(api.GET('/v1/bots', { params: { query: { limit: LIMIT } }, signal })),
    ['bots'],
  );
  const items = data?.items;
  return (
    <>
      <Setting title={bots.title} hint={bots.hint}>
        {error !== undefined && <Failed error={error} retry={reload} />}
        {!items && isLoading && <Working>{shell.loading}</Working>}
        {items?.length === 0 && <p class="soft">{bots.none}</p>}
        <ul class="bots">
          {items?.map((bot) => (
            <BotEntry key={bot.id} bot={bot} isOpen={items.length === 1} reload={reload} />
          ))}
        </ul>
      </Setting>
      <Setting title={bots.connect} hint={bots.connectHint}>
        <ConnectBot reload={reload} />
      </Setting>
    </>
  );
}
