import { useId } from '../../../ui/use-id.ts';

export interface PinFormProps {
  /** Until then no PIN is tried. */
  readonly until: string | undefined;
  readonly reload: () => void;
}

export interface PinFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (pin: string) => void;
}

/** A field for a PIN. It may be pasted, and password managers leave it alone. */
export function PinField({ label, value, onInput }: PinFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input pin-input"
        type="password"
        autocomplete="off"
        required
        minLength={4}
        maxLength={12}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}
