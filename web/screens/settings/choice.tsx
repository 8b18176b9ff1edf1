import { useId } from '../../ui/use-id.ts';

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChoose: (value: T) => void;
}

/** A choice of many. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as T)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each} selected={each === value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice of few, all of which are seen. */
export const Segments = <T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) => (
  <div class="field">
    <span class="label" aria-hidden="true">
      {label}
    </span>
    <div class="segmented" role="group" aria-label={label}>
      {options.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChoose(each)}
        >
          {name}
        </button>
      ))}
    </div>
  </div>
);

export interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

export const Switch = ({ label, isOn, onSwitch }: SwitchProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
    />
    {label}
  </label>
);
