import { t } from '../../i18n/calendar.ts';
import { formatList } from '../../i18n/format.ts';
import { addMonths, isoDay, parseDay } from './days.ts';
import { dateText, monthNameText, weekdays, weekdayText } from './formats.ts';
import { Field } from './field.tsx';
import type { Faults } from './form-state.ts';
import {
  formatRule,
  FREQUENCIES,
  isLastOfMonth,
  MAX_INTERVAL,
  nthOf,
  parseRule,
  type Rule,
  type RuleEnd,
  type RuleStart,
} from './rule.ts';
import { wordsOfRule } from './rule-words.ts';
import { partsOf, weekdayOf } from './days.ts';

interface RuleEditorProps {
  readonly rrule: string;
  readonly start: RuleStart;
  readonly fault: Faults['rrule'];
  readonly onChange: (rrule: string) => void;
}

const NEVER: RuleEnd = { kind: 'never' };
const PLAIN = { interval: 1, weekdays: [], nth: undefined, end: NEVER } as const;

/** How often an event repeats. A rule that it can not express is shown in words, and stays unless another is chosen. */
export function RuleEditor({ rrule, start, fault, onChange }: RuleEditorProps) {
  const { calendar } = t();
  const { rule: words } = calendar;
  const rule = rrule === '' ? undefined : parseRule(rrule, start);
  const isForeign = rrule !== '' && !rule;
  const set = (change: Partial<Rule>) => {
    if (rule) onChange(formatRule({ ...rule, ...change }, start));
  };
  const choose = (value: string) => {
    const frequency = FREQUENCIES.find((each) => each === value);
    if (frequency) onChange(formatRule({ ...PLAIN, frequency }, start));
    else if (value === 'none') onChange('');
  };
  return (
    <div class="rule-editor">
      <div class="pairs">
        <Field label={calendar.repeatsHow} fault={fault}>
          {(props) => (
            <select
              {...props}
              data-field="rrule"
              class="input"
              value={isForeign ? 'foreign' : (rule?.frequency ?? 'none')}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              <option value="none">{words.none}</option>
              {FREQUENCIES.map((each) => (
                <option key={each} value={each}>
                  {words.frequency[each]}
                </option>
              ))}
              {isForeign && <option value="foreign">{words.foreign}</option>}
            </select>
          )}
        </Field>
        {rule && (
          <Field label={words.interval}>
            {(props) => (
              <input
                {...props}
                class="input"
                type="number"
                min={1}
                max={MAX_INTERVAL}
                value={rule.interval}
                onChange={(event) => set({ interval: countOf(event.currentTarget.value) })}
              />
            )}
          </Field>
        )}
      </div>
      {rule?.frequency === 'weekly' && <Weekdays rule={rule} start={start} onChange={set} />}
      {(rule?.frequency === 'monthly' || rule?.frequency === 'yearly') && (
        <DayOfMonth rule={rule} start={start} onChange={set} />
      )}
      {rule && <End rule={rule} start={start} onChange={set} />}
      {rrule !== '' && (
        <p class="soft rule-words" role="status">
          {wordsOfRule(rrule, start.tz)}
        </p>
      )}
    </div>
  );
}

const countOf = (text: string): number =>
  Math.min(MAX_INTERVAL, Math.max(1, Math.floor(Number(text)) || 1));

interface PartProps {
  readonly rule: Rule;
  readonly start: RuleStart;
  readonly onChange: (change: Partial<Rule>) => void;
}

function Weekdays({ rule, start, onChange }: PartProps) {
  const { calendar } = t();
  const chosen = rule.weekdays.length === 0 ? [weekdayOf(start.day)] : rule.weekdays;
  return (
    <fieldset class="field weekdays">
      <legend class="label">{calendar.rule.onDays}</legend>
      <div class="buttons">
        {weekdays().map((weekday) => (
          <label key={weekday} class="radio">
            <input
              type="checkbox"
              aria-label={weekdayText(weekday, 'long')}
              checked={chosen.includes(weekday)}
              onChange={({ currentTarget: { checked } }) => {
                const rest = chosen.filter((each) => each !== weekday);
                onChange({ weekdays: checked ? [...rest, weekday] : rest });
              }}
            />
            {weekdayText(weekday, 'short')}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function DayOfMonth({ rule, start, onChange }: PartProps) {
  const { calendar } = t();
  const { rule: words } = calendar;
  const nth = nthOf(start.day);
  const name = weekdayText(nth.weekday, 'long');
  const inMonth = (text: string) =>
    rule.frequency === 'yearly'
      ? formatList([text, monthNameText(partsOf(start.day).month)])
      : text;
  const choices = [
    { value: 'date', label: words.onDate(Number(dateText(start.day))), nth: undefined },
    { value: 'nth', label: words.nth(nth.nth, name, nth.weekday), nth },
    ...(isLastOfMonth(start.day)
      ? [{ value: 'last', label: words.nth(-1, name, nth.weekday), nth: { ...nth, nth: -1 } }]
      : []),
  ].filter((choice) => choice.nth === undefined || choice.nth.nth <= 4);
  const value = !rule.nth ? 'date' : rule.nth.nth < 0 ? 'last' : 'nth';
  return (
    <Field label={words.onDays}>
      {(props) => (
        <select
          {...props}
          class="input"
          value={value}
          onChange={(event) => {
            const chosen = choices.find((each) => each.value === event.currentTarget.value);
            onChange({ nth: chosen?.nth });
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {inMonth(choice.label)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const DEFAULT_COUNT = 10;

function End({ rule, start, onChange }: PartProps) {
  const { calendar } = t();
  const { rule: words } = calendar;
  const { end } = rule;
  const choose = (kind: string) => {
    if (kind === 'until') onChange({ end: { kind, day: addMonths(start.day, 3) } });
    else if (kind === 'count') onChange({ end: { kind, count: DEFAULT_COUNT } });
    else onChange({ end: NEVER });
  };
  return (
    <div class="pairs">
      <Field label={words.ends}>
        {(props) => (
          <select
            {...props}
            class="input"
            value={end.kind}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="never">{words.never}</option>
            <option value="until">{words.untilDay}</option>
            <option value="count">{words.afterCount}</option>
          </select>
        )}
      </Field>
      {end.kind === 'until' && (
        <Field label={words.lastDay}>
          {(props) => (
            <input
              {...props}
              class="input"
              type="date"
              min={isoDay(start.day)}
              value={isoDay(end.day)}
              onChange={(event) => {
                const day = parseDay(event.currentTarget.value);
                if (day !== undefined) onChange({ end: { kind: 'until', day } });
              }}
            />
          )}
        </Field>
      )}
      {end.kind === 'count' && (
        <Field label={words.count}>
          {(props) => (
            <input
              {...props}
              class="input"
              type="number"
              min={1}
              max={MAX_INTERVAL}
              value={end.count}
              onChange={(event) =>
                onChange({ end: { kind: 'count', count: countOf(event.currentTarget.value) } })
              }
            />
          )}
        </Field>
      )}
    </div>
  );
}
