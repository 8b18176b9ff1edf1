import type { ComponentChildren } from 'preact';
import { isInOwnNetwork, isOwnMachine } from '../../../data/own-network.ts';
import { formatMoment } from '../../../i18n/format.ts';
import { t } from '../../../i18n/connections.ts';
import { Icon } from '../../../ui/icon.tsx';
import { connectionText } from '../../../ui/reason-words.ts';
import type { Card } from './connection.ts';

export interface OutcomeProps {
  readonly card: Card;
  /** Where the connection leads. */
  readonly host: string;
  /** What works: `qwen3:8b answered.` */
  readonly works: ComponentChildren;
  readonly isTrying: boolean;
  readonly onTry: () => void;
}

/** What came of the last check of a connection, and a way to check it again. */
export function Outcome({ card, host, works, isTrying, onTry }: OutcomeProps) {
  const { connections: text, shell } = t();
  const isOff = card.status === 'disabled';
  const isBad = card.status === 'error' && !isTrying;
  const isGood = card.status === 'ok' && !isTrying;
  return (
    <div role="status">
      {!card.configured && !isTrying && <p class="soft">{text.notConnected}</p>}
      {(card.configured || isTrying) && (
        <div class={`result${isBad ? ' bad' : isGood ? '' : ' idle'}`}>
          {isTrying ? (
            <span class="spin" aria-hidden="true" />
          ) : (
            <Icon name={isBad ? 'alert' : isOff ? 'pause' : 'check'} />
          )}
          <p class="grow">
            {isTrying && <b>{text.trying}</b>}
            {isGood && works}
            {isBad && <Failure card={card} host={host} />}
            {isOff && !isTrying && (
              <>
                <b>{text.off}</b> {text.offStays}
              </>
            )}
            {!isTrying && !isOff && card.checked_at !== '' && (
              <>
                <br />
                <span class="soft">{triedAt(card)}</span>
              </>
            )}
          </p>
          {card.configured && !isOff && (
            <button
              type="button"
              class="button"
              aria-label={`${shell.tryAgain}: ${text.kinds[card.kind]}`}
              aria-disabled={isTrying}
              onClick={() => !isTrying && onTry()}
            >
              {shell.tryAgain}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Why the check failed, and what the host suggests. */
function Failure({ card, host }: { card: Card; host: string }) {
  const { connections: text } = t();
  const { last_error_code: code, last_error_fact: fact } = card;
  return (
    <>
      <b>{text.fails[card.kind]}</b> {connectionText(code ?? 'other', fact)}
      {isInOwnNetwork(host) && code === 'blocked_address' && (
        <>
          <br />
          {text.privateBefore} <code>OUTBOUND_ALLOW</code>
          {text.privateAfter}
        </>
      )}
      {isOwnMachine(host) && (code === 'unreachable' || code === 'timed_out') && (
        <>
          <br />
          {text.ownMachine}
        </>
      )}
    </>
  );
}

function triedAt({ checked_at: at, secret_hint: end }: Card): string {
  const { connections: text } = t();
  const moment = formatMoment(at);
  return end === '' ? text.tried(moment) : text.triedWithKey(moment, end);
}
