import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/agent.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notice.tsx';
import { ChatList } from '../conversation/chat-list.tsx';

/** A conversation that has not begun: what the agent is for, and what it needs. */
export default function Beginning({ onExample }: { onExample: (message: string) => void }) {
  const { agent, ask } = t();
  return (
    <>
      <Empty title={agent.begin}>
        <p>{agent.beginHint}</p>
      </Empty>
      <NoModel />
      <section aria-label={agent.exampleLabel}>
        <ul class="next examples">
          {agent.examples.map((example) => (
            <li key={example}>
              <button type="button" onClick={() => onExample(example)}>
                <Icon name="agent" />
                <span>{example}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <nav class="only-narrow" aria-label={ask.chats}>
        <ChatList kind="agent" current={undefined} />
      </nav>
    </>
  );
}

/** The operator may have connected a model for all owners: sending is possible in any case. */
function NoModel() {
  const { agent } = t();
  const { data } = useResource(
    'agent model',
    (signal) =>
      reply(
        api.GET('/v1/integrations/{kind}', { params: { path: { kind: 'llm' as const } }, signal }),
      ),
    ['integrations'],
  );
  if (!data || (data.configured && data.enabled)) return null;
  return (
    <div class="note warn">
      <Icon name="model" />
      <p class="grow">{agent.noModel}</p>
      <a class="act" href={to('/settings/connections')}>
        {agent.connect}
      </a>
    </div>
  );
}
