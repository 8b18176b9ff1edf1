import { useRef, useState } from 'preact/hooks';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/data.ts';
import { formatMoment } from '../../i18n/format.ts';
import { zoneChanges } from '../../state/zone-token.ts';
import { Failed, Working } from '../../ui/notice.tsx';
import { Choice } from './choice.tsx';
import { sourceOf, subjectOf, wordsOf } from './security/event-words.ts';
import { readEvents, type EventKind, type SecurityEvent } from './security/read-events.ts';
import { Setting } from './setting.tsx';

const PAGE = 50;

/** What happened to the account, newest first. What concerns a hidden document is listed while the zone is open. */
export default function SecuritySection() {
  const { dataText: text, shell } = t();
  const [kind, setKind] = useState<EventKind>();
  const wanted = useRef(PAGE);
  const { data, error, isLoading, reload } = useResource(
    `security events ${kind ?? ''} ${zoneChanges.value}`,
    (signal) => readEvents(kind, wanted.current, signal),
    ['access', 'shares', 'integrations', 'settings'],
  );
  const choose = (chosen: EventKind | 'all') => {
    wanted.current = PAGE;
    setKind(chosen === 'all' ? undefined : chosen);
  };
  const showMore = () => {
    wanted.current += PAGE;
    reload();
  };
  const kinds = Object.entries(text.events) as [EventKind, string][];
  return (
    <Setting title={text.log} hint={text.logHint}>
      <Choice
        label={text.logKind}
        value={kind ?? 'all'}
        options={[['all', text.allKinds], ...kinds]}
        onChoose={choose}
      />
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && isLoading && <Working>{shell.loading}</Working>}
      {data?.items.length === 0 && (
        <p class="soft" role="status">
          {kind ? text.noEventsOfKind : text.noEvents}
        </p>
      )}
      <ol class="entries events" aria-label={text.log}>
        {data?.items.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ol>
      {data?.hasMore && (
        <div class="buttons">
          <button type="button" class="button" onClick={showMore}>
            {text.moreEvents}
          </button>
          {isLoading && <Working>{shell.loading}</Working>}
        </div>
      )}
    </Setting>
  );
}

const BAD: ReadonlySet<EventKind> = new Set([
  'sign_in_failed',
  'zone_unlock_failed',
  'zone_locked_out',
  'share_unlock_failed',
]);

function Event({ event }: { event: SecurityEvent }) {
  const { dataText: text } = t();
  const subject = subjectOf(event);
  const words = wordsOf(event);
  return (
    <li>
      <p class="grow">
        <b class={BAD.has(event.kind) ? 'bad-count' : ''}>{text.events[event.kind]}</b>
        {subject !== undefined && (
          <>
            {' '}
            <bdi>{subject}</bdi>
          </>
        )}
        {words.text !== '' && (
          <>
            <br />
            <span lang={words.isEnglish ? 'en' : undefined}>
              <bdi>{words.text}</bdi>
            </span>
          </>
        )}
        <br />
        <span class="soft">
          <bdi>{sourceOf(event)}</bdi>
        </span>
      </p>
      <time class="soft num" dateTime={event.at}>
        {formatMoment(event.at)}
      </time>
    </li>
  );
}
