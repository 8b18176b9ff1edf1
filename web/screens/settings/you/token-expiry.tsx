import { settingsText } from '../../../i18n/settings-text.ts';
import { useId } from '../../../ui/use-id.ts';
import { Choice } from '../choice.tsx';

const DAYS = ['30', '90', '365', 'never'] as const;
const MAX_DAYS = 3_650;

/** A number of days as it is typed, or `never`. */
export type Days = string;

export interface TokenExpiryProps {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
}

/** When a token expires: usual lifetimes, any number of days, or never. */
export function TokenExpiry({ days, onChange }: TokenExpiryProps) {
  const text = settingsText();
  const id = useId();
  const usual = DAYS.find((each) => each === days);
  return (
    <>
      <Choice
        label={text.expires}
        value={usual ?? 'own'}
        options={[
          ...DAYS.map(
            (each) => [each, each === 'never' ? text.never : text.inDays(Number(each))] as const,
          ),
          ['own', text.ownDays],
        ]}
        onChoose={(chosen) => onChange(chosen === 'own' ? '' : chosen)}
      />
      {usual === undefined && (
        <div class="field">
          <label for={id}>{text.ownDaysLabel}</label>
          <input
            id={id}
            class="input"
            type="number"
            inputmode="numeric"
            required
            min={1}
            max={MAX_DAYS}
            step={1}
            value={days}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </div>
      )}
    </>
  );
}
