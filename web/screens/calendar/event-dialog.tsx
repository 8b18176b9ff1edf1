import { to, ROOT } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/calendar.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Failed } from '../../ui/notice.tsx';
import { readEvent } from './agenda.ts';
import { DAY_MS, MINUTE_MS, WEEK } from './days.ts';
import { ownZoneWords, whenOf } from './event-words.ts';
import { describedBy, type DocumentSource } from './from-document.ts';
import type { CalendarEvent, Item } from './items.ts';
import { requestDelete, shift } from './move.ts';
import { wordsOfReminder, wordsOfRule } from './rule-words.ts';
import { calendarDialog, closeDialog } from './sheet-state.ts';
import { formatList } from '../../i18n/format.ts';

/** One occurrence: when, where, how it repeats, where it is from. */
export function EventDialog({ item }: { item: Item }) {
  const { calendar, shell } = t();
  const { data } = item;
  const id = data.event_id;
  const {
    data: event,
    error,
    reload,
  } = useResource(`event ${id}`, (signal) => readEvent(id, signal), ['calendar']);
  const { words, source } = describedBy(data.description);
  const edit = () => {
    if (event) calendarDialog.value = { kind: 'edit', item, event };
  };
  return (
    <Dialog
      title={data.title}
      onClose={closeDialog}
      onSubmit={edit}
      foot={
        <>
          <button
            type="button"
            class="button danger"
            onClick={() => {
              closeDialog();
              void requestDelete(item);
            }}
          >
            {calendar.delete}
          </button>
          <MoveMenu item={item} />
          <span class="end buttons">
            <button type="button" class="button" onClick={closeDialog}>
              {shell.close}
            </button>
            <button type="submit" class="button strong" disabled={!event} autofocus>
              {calendar.edit}
            </button>
          </span>
        </>
      }
    >
      {error !== undefined && <Failed error={error} retry={reload} />}
      <dl class="facts event-facts">
        <Fact name={calendar.when}>
          {whenOf(item)}
          {ownZoneWords(item) && <small>{ownZoneWords(item)}</small>}
        </Fact>
        {data.status !== 'confirmed' && (
          <Fact name={calendar.state}>{calendar.statusChoices[data.status]}</Fact>
        )}
        {data.location && (
          <Fact name={calendar.location}>
            <bdi>{data.location}</bdi>
          </Fact>
        )}
        {event && <SeriesFacts event={event} isChanged={data.overridden} />}
      </dl>
      {source ? (
        <DocumentQuote words={words} source={source} />
      ) : (
        words && <p class="described">{words}</p>
      )}
    </Dialog>
  );
}

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function SeriesFacts({ event, isChanged }: { event: CalendarEvent; isChanged: boolean }) {
  const { calendar } = t();
  const { rrule, tz, reminders } = event;
  return (
    <>
      {rrule && (
        <Fact name={calendar.repeatsHow}>
          {wordsOfRule(rrule, tz)}
          {isChanged && <small>{calendar.isChanged}</small>}
        </Fact>
      )}
      {reminders.length > 0 && (
        <Fact name={calendar.reminders}>
          {formatList(reminders.toSorted((a, b) => a - b).map(wordsOfReminder))}
        </Fact>
      )}
    </>
  );
}

/** The words of the document, and the way to their place. */
function DocumentQuote({ words, source }: { words: string; source: DocumentSource }) {
  const { calendar } = t();
  const { objectId, path } = source;
  const { data: name } = useResource(`name ${objectId}`, async (signal) => {
    const params = { path: { object_id: objectId } };
    const { data } = await api.GET('/v1/objects/{object_id}', { params, signal });
    // A document that is gone, or hidden now, has no name here.
    return data && !data.is_hidden ? data.display_name : '';
  });
  return (
    <figure class="event-quote">
      {words && (
        <blockquote class="passage" dir="auto">
          {words}
        </blockquote>
      )}
      <figcaption>
        <a class="act" href={to(path.slice(ROOT.length))} onClick={closeDialog}>
          {name ? <bdi>{name}</bdi> : calendar.openDocument}
        </a>
      </figcaption>
    </figure>
  );
}

const HOUR_MS = 60 * MINUTE_MS;

/** What dragging does, for keyboards and fingers. */
function MoveMenu({ item }: { item: Item }) {
  const { calendar } = t();
  const steps = [
    { label: calendar.move.dayLater, by: DAY_MS },
    { label: calendar.move.dayEarlier, by: -DAY_MS },
    { label: calendar.move.weekLater, by: WEEK * DAY_MS },
    { label: calendar.move.weekEarlier, by: -WEEK * DAY_MS },
    ...(item.data.all_day
      ? []
      : [
          { label: calendar.move.hourLater, by: HOUR_MS },
          { label: calendar.move.hourEarlier, by: -HOUR_MS },
        ]),
  ];
  return (
    <Menu class="button" button={calendar.move.title}>
      {steps.map(({ label, by }) => (
        <button
          key={label}
          type="button"
          onClick={() => {
            closeDialog();
            void shift(item, by);
          }}
        >
          {label}
        </button>
      ))}
    </Menu>
  );
}
