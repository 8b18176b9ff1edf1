import { useState } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import { Icon } from '../../ui/icon.tsx';
import { useId } from '../../ui/use-id.ts';
import { REMINDER_UNITS, wordsOfReminder, type ReminderUnit } from './rule-words.ts';

const MAX_REMINDERS = 10;
const MAX_MINUTES = 40_320;
const UNITS: readonly ReminderUnit[] = ['minutes', 'hours', 'days', 'weeks'];

interface RemindersProps {
  readonly minutes: readonly number[];
  readonly onChange: (minutes: readonly number[]) => void;
}

/** Minutes before the start, several of them. */
export function Reminders({ minutes, onChange }: RemindersProps) {
  const { calendar } = t();
  const id = useId();
  const [amount, setAmount] = useState('10');
  const [unit, setUnit] = useState<ReminderUnit>('minutes');
  const size = REMINDER_UNITS.find((each) => each.unit === unit)?.size ?? 1;
  const chosen = amount.trim() === '' ? NaN : Number(amount) * size;
  const isValid = Number.isInteger(chosen) && chosen >= 0 && chosen <= MAX_MINUTES;
  const isFull = minutes.length >= MAX_REMINDERS;
  const add = () => {
    if (isValid && !isFull) onChange([...new Set([...minutes, chosen])].toSorted((a, b) => a - b));
  };
  return (
    <fieldset class="field reminders">
      <legend class="label">{calendar.reminders}</legend>
      {minutes.length > 0 && (
        <ul class="buttons">
          {minutes.map((each) => (
            <li key={each} class="tag">
              {wordsOfReminder(each)}
              <button
                type="button"
                class="tool small"
                aria-label={calendar.reminder.remove(wordsOfReminder(each))}
                onClick={() => onChange(minutes.filter((other) => other !== each))}
              >
                <Icon name="x" small />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <div class="inline-form">
          <input
            class="input amount"
            type="number"
            min={0}
            max={Math.floor(MAX_MINUTES / size)}
            aria-label={calendar.reminder.amount}
            aria-invalid={!isValid}
            aria-describedby={isValid ? undefined : id}
            value={amount}
            onInput={(event) => setAmount(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <select
            class="input unit"
            aria-label={calendar.reminder.unit}
            value={unit}
            onChange={({ currentTarget: { value } }) =>
              setUnit(UNITS.find((each) => each === value) ?? 'minutes')
            }
          >
            {UNITS.map((each) => (
              <option key={each} value={each}>
                {calendar.reminder.units[each]}
              </option>
            ))}
          </select>
          <button type="button" class="button" disabled={!isValid} onClick={add}>
            {calendar.reminder.add}
          </button>
        </div>
      )}
      {!isValid && (
        <p class="fault" id={id}>
          {calendar.reminder.outside}
        </p>
      )}
    </fieldset>
  );
}
