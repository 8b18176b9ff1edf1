import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { withoutZone } from '../../api/request.ts';
import { useResource } from '../../data/resource.ts';
import { roleInUse, useRoles } from '../../data/roles.ts';
import { t } from '../../i18n/agent.ts';
import { agentGiven } from '../../state/agent-given.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen, ScreenHeading } from '../../ui/screen.tsx';
import { ChatTools } from '../conversation/chat-menu.tsx';
import { Composer, type ComposerText } from '../conversation/composer.tsx';
import { useFollow } from '../conversation/follow.ts';
import { Announcer } from './announcer.tsx';
import { ErrandView } from './errand-view.tsx';
import { confirmOf, errandsOf, isRunning, stepsOf, type Errand } from './errand.ts';
import {
  adopt,
  begin,
  decide,
  forgetDone,
  forgetFailed,
  liveChat,
  runningIn,
  stop,
} from './live.ts';
import { RoleChoice } from './role-choice.tsx';
import { shownErrands } from './shown.ts';
import { changedSteps } from './step.ts';
import { forgetUndone } from './undo.ts';
import { useAgentActions } from './use-agent-actions.ts';

const Beginning = lazily(() => import('./beginning.tsx'));
const changes = () => import('./changes.tsx');
const ChangesPanel = lazily(async () => ({ default: (await changes()).ChangesPanel }));
const ChangesLine = lazily(async () => ({ default: (await changes()).ChangesLine }));

interface ConversationProps {
  readonly chatId: string | undefined;
  /** Called with the id of the conversation before its address is shown. */
  readonly onCreate: (id: string) => void;
}

/** A conversation with the agent: messages, steps, changes. */
export function Conversation({ chatId, onCreate }: ConversationProps) {
  const { agent, ask } = t();
  const { data, error, reload } = useStoredChat(chatId);
  const chat = data?.chat;
  const { data: roles = [] } = useRoles();
  const about = useSignal<readonly NamedDocument[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const live = liveChat(chatId);
  const stored = useMemo(() => (data ? errandsOf(data.chat, data.ahead) : []), [data]);
  useEffect(() => forgetUndone(stored.flatMap(stepsOf)), [stored]);
  const errands = shownErrands(stored, live);
  const steps = errands.flatMap(stepsOf);
  const changed = changedSteps(steps);
  const running = runningIn(chatId);
  const { ref, follow } = useFollow(errands, live ? undefined : chat?.id);
  const created = useCreated(chatId, onCreate);

  const submit = (message: string, documents: readonly NamedDocument[]) => {
    follow();
    about.value = [];
    const role = roleInUse(roles);
    void begin({ chatId, message, about: documents, role, stored: stored.length }, created);
  };
  const sendAgain = ({ id, message, about: documents }: Errand) => {
    forgetFailed(id);
    submit(message, documents);
  };
  const onDecide = (errand: Errand, decision: 'allow' | 'refuse') => {
    const confirm = confirmOf(errand);
    follow();
    if (!confirm) return;
    if (chatId !== undefined) adopt(chatId, stored, errand.id);
    void decide(errand.id, confirm, decision);
  };
  const showExample = (message: string) => {
    if (!field.current) return;
    field.current.value = message;
    field.current.focus();
  };

  useEffect(() => () => forgetDone(chatId), [chatId]);
  const given = agentGiven.value;
  useEffect(() => {
    if (!given || chatId !== undefined) return;
    agentGiven.value = undefined;
    about.value = given;
  }, [given, chatId, about]);
  const asking = errands.findLast((errand) => confirmOf(errand) !== undefined);
  useAgentActions({
    chatId,
    field,
    steps,
    decide: asking && ((decision) => onDecide(asking, decision)),
  });

  if (error instanceof ApiError && error.status === 404 && !live) return <GoneChat />;
  // A conversation is named after its first message, which may not be stored yet.
  const title =
    (stored.length > 0 && chat?.title) || (errands[0]?.message ?? chat?.title ?? agent.title);
  const isEmpty = chatId === undefined && errands.length === 0;
  return (
    <Screen
      title={title}
      head={
        <div class="bar plain-bar">
          <div class="grow ask-title">
            <ScreenHeading>
              <bdi>{title}</bdi>
            </ScreenHeading>
          </div>
          <div class="end">
            {chat && <ChatTools chat={chat} kind="agent" stop={() => stop(chatId)} />}
          </div>
        </div>
      }
      panel={changed.length > 0 && <ChangesPanel steps={changed} />}
    >
      <div
        ref={ref}
        class="scroll"
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-busy={running !== undefined}
        aria-label={agent.conversation}
      >
        <div class="talk">
          {isEmpty && <Beginning onExample={showExample} />}
          {error !== undefined && errands.length === 0 && <Failed error={error} retry={reload} />}
          {chatId !== undefined && !chat && error === undefined && errands.length === 0 && (
            <Working>{ask.loading}</Working>
          )}
          {errands.map((errand) => (
            <ErrandView
              key={errand.id}
              errand={errand}
              chatId={chatId}
              sendAgain={running ? undefined : sendAgain}
              onDecide={onDecide}
            />
          ))}
          {!running && changed.length > 0 && <ChangesLine steps={changed} />}
        </div>
      </div>
      <Composer
        text={composerText(isEmpty)}
        isFirst={isEmpty}
        isRunning={running !== undefined}
        about={about.value}
        scope={<RoleChoice roles={roles} />}
        onAbout={(documents) => void (about.value = documents)}
        onSend={(message) => submit(message, about.value)}
        onStop={() => stop(chatId)}
        fieldRef={field}
      />
      <Announcer errand={live?.errands.findLast(isRunning) ?? live?.errands.at(-1)} />
    </Screen>
  );
}

function composerText(isFirst: boolean): ComposerText {
  const { agent } = t();
  return {
    label: agent.message,
    placeholder: isFirst ? agent.message : agent.placeholderOn,
    send: agent.send,
    stop: agent.stop,
    chosen: agent.given,
    noneChosen: agent.takeBack,
    choose: agent.give,
    chooseCount: agent.giveCount,
  };
}

/** Stands for a screen that was left. */
const LEFT = '';

/** Shows the address of a conversation that was created, unless another screen is shown by then. */
function useCreated(chatId: string | undefined, onCreate: ConversationProps['onCreate']) {
  const { route } = useLocation();
  const shown = useRef(chatId);
  shown.current = chatId;
  useEffect(
    () => () => {
      shown.current = LEFT;
    },
    [],
  );
  return (id: string) => {
    if (shown.current !== undefined) return;
    onCreate(id);
    route(to(`/agent/${id}`), true);
  };
}

/** Without the hidden zone: what is about hidden documents has no address of its own. */
const useStoredChat = (chatId: string | undefined) =>
  useResource(
    `agent chat ${chatId ?? ''}`,
    async (signal) => {
      if (chatId === undefined) return undefined;
      const params = { path: { chat_id: chatId } };
      const call = api.GET('/v1/chats/{chat_id}', { params, signal, fetch: withoutZone });
      const chat = await reply(call);
      // A confirmation ends by the service's clock, which this device's may differ from.
      const now = Date.parse((await call).response.headers.get('date') ?? '');
      return { chat, ahead: Number.isNaN(now) ? 0 : now - Date.now() };
    },
    ['chats'],
  );

const GoneChat = () => (
  <Screen title={t().shell.notFound}>
    <Empty title={t().ask.gone}>
      <a class="button" href={to('/agent')}>
        {t().ask.newChat}
      </a>
    </Empty>
  </Screen>
);
