import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { changeChat } from '../../data/chats.ts';
import { useResource } from '../../data/resource.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/ask.ts';
import { useActions } from '../../keys/action.ts';
import { askAbout, type NamedDocument } from '../../state/ask-about.ts';
import { InZone } from '../../state/in-zone.ts';
import { isZoneChat } from '../../state/zone-chats.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen, ScreenHeading } from '../../ui/screen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Announcer } from './announcer.tsx';
import { askNames, conversationActions } from '../conversation/actions.ts';
import { Composer, type ComposerText } from '../conversation/composer.tsx';
import { FolderScope } from './folder-scope.tsx';
import { ChatList } from '../conversation/chat-list.tsx';
import { ChatTools } from '../conversation/chat-menu.tsx';
import {
  exchangesOf,
  isRunning,
  withoutRepeated,
  type EngineChoice,
  type Exchange,
} from '../conversation/exchange.ts';
import { useFollow } from '../conversation/follow.ts';
import { litExchange } from '../conversation/lit.ts';
import { ask, forgetAnswered, forgetFailed, liveChat, runningIn, stop } from './live.ts';
import { SourcesPanel } from './sources.tsx';
import { Turn } from './turn.tsx';

interface ConversationProps {
  readonly chatId: string | undefined;
  /** Called with the id of the conversation before its address is shown. */
  readonly onCreate: (id: string) => void;
}

const storeFolder = (chatId: string, id: string | null): void =>
  void changeChat(chatId, { collection_id: id }).catch((failure: unknown) =>
    toast(messageOf(failure)),
  );

export function Conversation({ chatId, onCreate }: ConversationProps) {
  const { data: chat, error, reload } = useStoredChat(chatId);
  const about = useSignal<readonly NamedDocument[]>([]);
  const newFolder = useSignal<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isInZone = useContext(InZone);
  const isOfZone = isInZone && (chatId === undefined || isZoneChat(chatId));
  const folderId = chat ? chat.collection_id : newFolder.value;
  const live = liveChat(chatId);
  const stored = useMemo(() => (chat ? exchangesOf(chat) : []), [chat]);
  const exchanges = withoutRepeated([
    ...stored.slice(0, live?.storedBefore),
    ...(live?.exchanges ?? []),
  ]);
  const running = runningIn(chatId);
  const { ref, follow } = useFollow(exchanges, live ? undefined : chat?.id);
  const created = useCreated(chatId, onCreate);

  const submit = (
    question: string,
    documents: readonly NamedDocument[],
    { folder = folderId, engine }: { folder?: string | null; engine?: EngineChoice } = {},
  ) => {
    follow();
    const input = { chatId, question, folderId: folder, about: documents, isInZone };
    void ask({ ...input, stored: stored.length, ...(engine && { engine }) }, created);
  };
  const askAgain = (exchange: Exchange, engine?: EngineChoice) => {
    forgetFailed(exchange.id);
    submit(exchange.question, exchange.about, engine && { engine });
  };
  const setFolder = (id: string | null) => {
    newFolder.value = id;
    if (chatId !== undefined) storeFolder(chatId, id);
  };

  useEffect(() => () => forgetAnswered(chatId), [chatId]);
  const given = askAbout.value;
  useEffect(() => {
    if (!given || chatId !== undefined) return;
    askAbout.value = undefined;
    about.value = given.documents ?? [];
    newFolder.value = given.folderId ?? null;
    if (given.question !== undefined)
      submit(given.question, about.value, { folder: given.folderId ?? null });
    // Only what was handed over starts this.
  }, [given, chatId]);
  useAskActions(chatId, field);

  if (error instanceof ApiError && error.status === 404 && !live) return <GoneChat />;
  // A conversation is named after its first question, which may not be stored yet.
  const title =
    (stored.length > 0 && chat?.title) ||
    (exchanges[0]?.question ?? chat?.title ?? t().ask.newTitle);
  const isEmpty = chatId === undefined && exchanges.length === 0;
  const cited = citedExchange(exchanges);
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
            {chat && <ChatTools chat={chat} kind="ask" stop={() => stop(chatId)} />}
          </div>
        </div>
      }
      panel={cited && <SourcesPanel exchange={cited} chatId={chatId} />}
    >
      <div
        ref={ref}
        class="scroll"
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-busy={running !== undefined}
        aria-label={t().ask.conversation}
      >
        <div class="talk">
          {isOfZone && (
            <p class="note plain">
              <Icon name="info" />
              {t().hidden.conversation}
            </p>
          )}
          {isEmpty && <Beginning isInZone={isInZone} />}
          {error !== undefined && exchanges.length === 0 && <Failed error={error} retry={reload} />}
          {chatId !== undefined && !chat && error === undefined && exchanges.length === 0 && (
            <Working>{t().ask.loading}</Working>
          )}
          {exchanges.map((exchange) => (
            <Turn
              key={exchange.id}
              exchange={exchange}
              chatId={chatId}
              folderId={folderId}
              askAgain={running ? undefined : askAgain}
            />
          ))}
        </div>
      </div>
      <Composer
        text={composerText(isEmpty)}
        isFirst={isEmpty}
        isRunning={running !== undefined}
        about={about.value}
        scope={<FolderScope folderId={folderId} onChange={setFolder} />}
        onAbout={(documents) => void (about.value = documents)}
        onSend={(question) => submit(question, about.value)}
        onStop={() => stop(chatId)}
        fieldRef={field}
      />
      <Announcer exchange={live?.exchanges.findLast(isRunning) ?? live?.exchanges.at(-1)} />
    </Screen>
  );
}

function composerText(isFirst: boolean): ComposerText {
  const { ask } = t();
  return {
    label: ask.question,
    placeholder: isFirst ? ask.placeholder : ask.placeholderOn,
    send: ask.send,
    stop: ask.stop,
    chosen: ask.aboutThese,
    noneChosen: ask.aboutAll,
    choose: ask.chooseDocuments,
    chooseCount: ask.askAboutCount,
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
    route(to(`/ask/${id}`), true);
  };
}

function useAskActions(
  chatId: string | undefined,
  field: { readonly current: HTMLTextAreaElement | null },
) {
  const { route } = useLocation();
  useActions(
    useMemo(
      () =>
        conversationActions(
          {
            isRunning: () => runningIn(chatId) !== undefined,
            stop: () => stop(chatId),
            send: () => field.current?.form?.requestSubmit(),
            write: () => field.current?.focus(),
            newChat: () => route(to('/ask')),
          },
          askNames,
        ),
      [chatId, field, route],
    ),
  );
}

const useStoredChat = (chatId: string | undefined) =>
  useResource(
    `chat ${chatId ?? ''}`,
    async (signal) => {
      if (chatId === undefined) return undefined;
      const params = { path: { chat_id: chatId } };
      return reply(api.GET('/v1/chats/{chat_id}', { params, signal }));
    },
    ['chats'],
  );

/** The exchange whose sources stand beside the conversation: the one pointed at, or the last one. */
const citedExchange = (exchanges: readonly Exchange[]): Exchange | undefined => {
  const cited = exchanges.filter(({ citations }) => citations.length > 0);
  return cited.find(({ id }) => id === litExchange()) ?? cited.at(-1);
};

const Beginning = ({ isInZone }: { isInZone: boolean }) => (
  <>
    <Empty title={t().ask.begin}>
      <p>{t().ask.beginHint}</p>
    </Empty>
    {!isInZone && (
      <nav class="only-narrow" aria-label={t().ask.chats}>
        <ChatList kind="ask" current={undefined} />
      </nav>
    )}
  </>
);

const GoneChat = () => (
  <Screen title={t().shell.notFound}>
    <Empty title={t().ask.gone}>
      <a class="button" href={to('/ask')}>
        {t().ask.newChat}
      </a>
    </Empty>
  </Screen>
);
