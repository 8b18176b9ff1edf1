import { useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import { timeZone } from '../../state/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/notice.tsx';
import { createEvent, editEvent, newKey, type Scope, type Times } from './changes.ts';
import { parseDay } from './days.ts';
import {
  changesOf,
  faultsOf,
  faultsOfError,
  fieldsOf,
  fieldsOfTimes,
  isTimes,
  newBodyOf,
  timesOfFields,
  withStart,
  type Faults,
  type FieldName,
  type Fields,
} from './form-state.ts';
import { Field } from './field.tsx';
import type { CalendarEvent, Item } from './items.ts';
import { Reminders } from './reminders.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { ScopeChoice } from './scope-dialog.tsx';
import { closeDialog } from './sheet-state.ts';
import { zoneName, zonesWith } from './zones.ts';

const STATUSES = ['confirmed', 'tentative', 'cancelled'] as const;

/** The form of a new event. */
export const NewEventForm = ({ times }: { times: Times }) => (
  <EventForm before={fieldsOfTimes(times)} />
);

/** The form of an occurrence, and of the series that it is in. */
export const EditEventForm = ({ item, event }: { item: Item; event: CalendarEvent }) => (
  <EventForm before={fieldsOf(item, event)} item={item} />
);

function EventForm({ before, item }: { before: Fields; item?: Item }) {
  const { calendar, shell } = t();
  const [original] = useState(before);
  const [fields, setFields] = useState(before);
  const [scope, setScope] = useState<Scope>('one');
  const [faults, setFaults] = useState<Faults>({});
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const [key] = useState(newKey);
  const form = useRef<HTMLDivElement>(null);
  const isSeries = item?.data.recurring === true;
  const set = (change: Partial<Fields>) => setFields((now) => ({ ...now, ...change }));
  const refuse = (found: Faults) => {
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
  };
  const save = async () => {
    const times = timesOfFields(fields);
    const found = faultsOf(fields);
    refuse(found);
    if (!isTimes(times) || Object.keys(found).length > 0 || isSaving) return;
    setError(undefined);
    setSaving(true);
    try {
      await (item
        ? change(item, original, fields, times, scope)
        : createEvent(newBodyOf(fields, times), key));
      closeDialog();
    } catch (failure) {
      const refused = faultsOfError(failure);
      refuse(refused);
      if (Object.keys(refused).length === 0) setError(failure);
      setSaving(false);
    }
  };
  const start = parseDay(fields.startDay);
  const input = (name: FieldName) => ({
    'data-field': name,
    'aria-invalid': faults[name] !== undefined,
  });
  return (
    <Dialog
      title={item ? calendar.editTitle : calendar.newEvent}
      wide
      onClose={closeDialog}
      onSubmit={() => void save()}
      foot={
        <>
          <button type="button" class="button" onClick={closeDialog}>
            {shell.cancel}
          </button>
          <button type="submit" class="button strong" disabled={isSaving}>
            {isSaving ? calendar.saving : calendar.save}
          </button>
        </>
      }
    >
      <div class="form event-form" ref={form}>
        <Field label={calendar.eventTitle} fault={faults.title}>
          {(props) => (
            <input
              {...props}
              {...input('title')}
              class="input"
              type="text"
              maxLength={500}
              autocomplete="off"
              autofocus
              value={fields.title}
              onInput={(event) => set({ title: event.currentTarget.value })}
            />
          )}
        </Field>
        <When
          fields={fields}
          faults={faults}
          set={set}
          setStart={(change) => setFields((now) => withStart(now, change))}
        />
        {isSeries && <ScopeChoice value={scope} onChoose={setScope} />}
        {(!isSeries || scope !== 'one') && start !== undefined && (
          <RuleEditor
            rrule={fields.rrule}
            start={{ day: start, tz: fields.tz, allDay: fields.allDay }}
            fault={faults.rrule}
            onChange={(rrule) => set({ rrule })}
          />
        )}
        <Field label={calendar.location}>
          {(props) => (
            <input
              {...props}
              class="input"
              type="text"
              maxLength={1_000}
              autocomplete="off"
              value={fields.location}
              onInput={(event) => set({ location: event.currentTarget.value })}
            />
          )}
        </Field>
        <Reminders minutes={fields.reminders} onChange={(reminders) => set({ reminders })} />
        <MoreFields
          fields={fields}
          fault={faults.tz}
          isOpen={original.tz !== timeZone.value}
          set={set}
        />
        {error !== undefined && <Failed error={error} />}
      </div>
    </Dialog>
  );
}

interface MoreFieldsProps {
  readonly fields: Fields;
  readonly fault: Faults['tz'];
  readonly isOpen: boolean;
  readonly set: (change: Partial<Fields>) => void;
}

/** What few events need. */
function MoreFields({ fields, fault, isOpen, set }: MoreFieldsProps) {
  const { calendar } = t();
  return (
    <details class="more-fields" open={isOpen || undefined}>
      <summary>{calendar.moreFields}</summary>
      <div class="form">
        <Field label={calendar.description}>
          {(props) => (
            <textarea
              {...props}
              class="input area"
              rows={4}
              maxLength={20_000}
              value={fields.description}
              onInput={(event) => set({ description: event.currentTarget.value })}
            />
          )}
        </Field>
        <div class="pairs">
          <Field label={calendar.zone} fault={fault}>
            {(props) => (
              <select
                {...props}
                data-field="tz"
                aria-invalid={fault !== undefined}
                class="input"
                value={fields.tz}
                onChange={(event) => set({ tz: event.currentTarget.value })}
              >
                {zonesWith(timeZone.value, fields.tz).map((zone) => (
                  <option key={zone} value={zone}>
                    {zoneName(zone)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={calendar.state}>
            {(props) => (
              <select
                {...props}
                class="input"
                value={fields.status}
                onChange={({ currentTarget: { value } }) =>
                  set({ status: STATUSES.find((each) => each === value) ?? 'confirmed' })
                }
              >
                {STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {calendar.statusChoices[status]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </div>
    </details>
  );
}

interface WhenProps {
  readonly fields: Fields;
  readonly faults: Faults;
  readonly set: (change: Partial<Fields>) => void;
  readonly setStart: (change: Partial<Fields>) => void;
}

/** From when until when. */
function When({ fields, faults, set, setStart }: WhenProps) {
  const { calendar } = t();
  const { allDay } = fields;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={allDay}
          onChange={(event) => set({ allDay: event.currentTarget.checked })}
        />
        {calendar.allDay}
      </label>
      <div class="pairs">
        <DayAndTime
          label={calendar.starts}
          fault={faults.start}
          name="start"
          day={fields.startDay}
          time={allDay ? undefined : fields.startTime}
          onDay={(startDay) => setStart({ startDay })}
          onTime={(startTime) => setStart({ startTime })}
        />
        <DayAndTime
          label={calendar.ends}
          fault={faults.end}
          name="end"
          day={fields.endDay}
          time={allDay ? undefined : fields.endTime}
          onDay={(endDay) => set({ endDay })}
          onTime={(endTime) => set({ endTime })}
        />
      </div>
    </>
  );
}

async function change(
  item: Item,
  before: Fields,
  after: Fields,
  times: Times,
  scope: Scope,
): Promise<void> {
  const meant = item.data.recurring ? scope : 'all';
  const { body, isMoved } = changesOf(before, after, meant);
  if (!isMoved && Object.keys(body).length === 0) return;
  await editEvent(item, body, isMoved ? times : undefined, meant);
}

interface DayAndTimeProps {
  readonly label: string;
  readonly name: 'start' | 'end';
  readonly fault: Faults[FieldName];
  readonly day: string;
  /** Absent for all-day events. */
  readonly time: string | undefined;
  readonly onDay: (day: string) => void;
  readonly onTime: (time: string) => void;
}

function DayAndTime({ label, name, fault, day, time, onDay, onTime }: DayAndTimeProps) {
  const { calendar } = t();
  return (
    <Field label={label} fault={fault}>
      {(props) => (
        <span class="day-and-time">
          <input
            {...props}
            class="input"
            type="date"
            data-field={name}
            min="1900-01-01"
            max="2200-12-31"
            value={day}
            onInput={(event) => onDay(event.currentTarget.value)}
          />
          {time !== undefined && (
            <input
              class="input"
              type="time"
              aria-label={calendar.timeOf(label)}
              aria-describedby={props['aria-describedby']}
              value={time}
              onInput={(event) => onTime(event.currentTarget.value)}
            />
          )}
        </span>
      )}
    </Field>
  );
}
