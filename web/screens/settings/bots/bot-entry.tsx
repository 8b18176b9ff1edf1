import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { t } from '../../../i18n/bots.ts';
import { connectionText } from '../../../ui/reason-words.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useId } from '../../../ui/use-id.ts';
import { Refused, useAttempt } from '../attempt.tsx';
import type { Bot } from './bot.ts';
import { Groups } from './groups.tsx';
import { LinkSteps } from './link-steps.tsx';

export interface BotEntryProps {
  readonly bot: Bot;
  /** Whether its groups are shown at first. */
  readonly isOpen: boolean;
  readonly reload: () => void;
}

/** One bot: whether it reaches the owner, its groups, removing it. */
export function BotEntry({ bot, isOpen, reload }: BotEntryProps) {
  const { bots } = t();
  const id = useId();
  const [hasGroups, setHasGroups] = useState(isOpen);
  const [isLinking, setLinking] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { name, username, owner_linked: isLinked, link_code: code } = bot;
  const isOwn = code !== null;
  const link = !isOwn ? bots.ofOther : isLinked ? bots.linked : bots.notLinked;
  return (
    <li class="bot">
      <div class="bot-head">
        <p class="grow">
          <b>
            <bdi>{name}</bdi>
          </b>{' '}
          <span class="soft">@{username}</span>
          <br />
          <span class={isOwn && !isLinked ? 'state wait' : 'soft'}>{link}</span>
          <Reception bot={bot} />
        </p>
        <button
          type="button"
          class="button"
          aria-expanded={hasGroups}
          aria-controls={id}
          aria-label={`${bots.groups}: ${name}`}
          onClick={() => setHasGroups(!hasGroups)}
        >
          {bots.groups}
        </button>
        {isOwn && (
          <button
            type="button"
            class="button plain danger"
            aria-label={`${bots.remove}: ${name}`}
            onClick={() => setRemoving(true)}
          >
            {bots.remove}
          </button>
        )}
      </div>
      {isOwn &&
        (isLinked && !isLinking ? (
          <button type="button" class="act" onClick={() => setLinking(true)}>
            {bots.linkOther}
          </button>
        ) : (
          <LinkSteps username={username} code={code} />
        ))}
      <div id={id}>{hasGroups && <Groups bot={bot} isOwn={isOwn} />}</div>
      {isRemoving && <RemoveBot bot={bot} onRemoved={reload} onClose={() => setRemoving(false)} />}
    </li>
  );
}

/** How messages reach the bot, and why not or not by the shortest way. */
function Reception({
  bot: { state, last_error_code: code, last_error_fact: fact },
}: Pick<BotEntryProps, 'bot'>) {
  const { bots } = t();
  const works = state === 'webhook' || state === 'polling';
  return (
    <>
      <br />
      <span class={works ? 'soft' : 'state wait'}>{bots.states[state]}</span>
      {code !== null && (
        <>
          <br />
          <span class="soft">{connectionText(code, fact)}</span>
        </>
      )}
    </>
  );
}

interface RemoveProps {
  readonly bot: Bot;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

function RemoveBot({ bot: { id, name }, onRemoved, onClose }: RemoveProps) {
  const { bots, shell } = t();
  const attempt = useAttempt();
  const remove = async () => {
    const params = { path: { bot_id: id } };
    if (!(await attempt.run(() => reply(api.DELETE('/v1/bots/{bot_id}', { params }))))) return;
    onClose();
    onRemoved();
    toast(bots.removed(name));
  };
  return (
    <Dialog
      title={bots.removeTitle(name)}
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={attempt.isBusy}>
            {bots.removeBot}
          </button>
        </>
      }
    >
      <p>{bots.removeHint}</p>
      <Refused error={attempt.error} codes={bots.codes} />
    </Dialog>
  );
}
