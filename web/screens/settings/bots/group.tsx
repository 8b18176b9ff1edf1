import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { to } from '../../../app/address.ts';
import { formatMoment } from '../../../i18n/format.ts';
import { t } from '../../../i18n/bots.ts';
import { asChange, recordChange } from '../../../state/undo.ts';
import { toast } from '../../../ui/toasts.tsx';
import { useId } from '../../../ui/use-id.ts';
import { Refused, useAttempt } from '../attempt.tsx';
import { Switch } from '../choice.tsx';
import { Members } from './members.tsx';

type Chat = components['schemas']['BotChat'];

export interface GroupProps {
  readonly botId: string;
  readonly chat: Chat;
  readonly isOwn: boolean;
  readonly reload: () => void;
}

/** A group as the bot knows it. */
export function Group({ botId, chat, isOwn, reload }: GroupProps) {
  const { bots } = t();
  const id = useId();
  const consent = useAttempt();
  const sync = useAttempt();
  const [hasMembers, setHasMembers] = useState(false);
  /** What was chosen, until the service says the same. */
  const [chosen, setChosen] = useState<boolean>();
  const { chat_id: chatId, title, proactive_allowed: mayWrite } = chat;
  const path = { bot_id: botId, chat_id: chatId };
  useEffect(() => setChosen(undefined), [mayWrite]);
  const allow = async (isAllowed: boolean): Promise<void> => {
    const body = { proactive_allowed: isAllowed };
    setChosen(isAllowed);
    await reply(api.PATCH('/v1/bots/{bot_id}/chats/{chat_id}', { params: { path }, body }));
    reload();
  };
  const change = async (isAllowed: boolean) => {
    if (!(await consent.run(() => asChange(allow(isAllowed))))) return setChosen(undefined);
    recordChange({
      label: isAllowed ? bots.allowed(title) : bots.forbade(title),
      undo: () => allow(!isAllowed),
      redo: () => allow(isAllowed),
    });
  };
  const update = async () => {
    const post = () =>
      reply(api.POST('/v1/bots/{bot_id}/chats/{chat_id}/sync', { params: { path } }));
    if (!(await sync.run(post))) return;
    toast(bots.updated(title));
    reload();
  };
  return (
    <li class="bot-group">
      <div class="bot-head">
        <p class="grow">
          <b>
            <bdi>{title}</bdi>
          </b>
          <br />
          <span class="soft">{factsOf(chat)}</span>
          {chat.collection_id !== '' && (
            <>
              <br />
              <a href={to(`/folder/${chat.collection_id}`)}>{bots.folder}</a>
            </>
          )}
        </p>
        <button
          type="button"
          class="button small"
          aria-expanded={hasMembers}
          aria-controls={id}
          aria-label={`${hasMembers ? bots.hideMembers : bots.members}: ${title}`}
          onClick={() => setHasMembers(!hasMembers)}
        >
          {hasMembers ? bots.hideMembers : bots.members}
        </button>
        {isOwn && (
          <button
            type="button"
            class="button small"
            aria-label={`${bots.sync}: ${title}`}
            disabled={sync.isBusy}
            onClick={() => void update()}
          >
            {sync.isBusy ? bots.syncing : bots.sync}
          </button>
        )}
      </div>
      {isOwn && (
        <p class="bot-consent">
          <Switch
            label={bots.mayWrite}
            isOn={chosen ?? mayWrite}
            onSwitch={(isOn) => void change(isOn)}
          />
        </p>
      )}
      <Refused error={consent.error ?? sync.error} codes={bots.codes} />
      <div id={id}>{hasMembers && <Members botId={botId} chatId={chatId} />}</div>
    </li>
  );
}

function factsOf({
  known_count: known,
  member_count: total,
  last_seen_at: heard,
  synced_at: synced,
}: Chat): string {
  const { bots } = t();
  return [
    total > 0 ? bots.knownOf(known, total) : bots.known(known),
    heard === '' ? bots.notHeard : bots.heard(formatMoment(heard)),
    ...(synced === '' ? [] : [bots.synced(formatMoment(synced))]),
  ].join(' · ');
}
