import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../i18n/picture.ts';
import { useId } from '../../../ui/use-id.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
  readonly isOff?: boolean;
}

/** A whole number of pixels. Another text says why beside the field, and changes nothing. */
export function NumberField({ label, value, min, max, onChange, isOff = false }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped(undefined), [value]);
  const isValid = (text: string): boolean =>
    /^\d{1,6}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
  const isWrong = typed !== undefined && !isValid(typed);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input num"
        inputmode="numeric"
        autocomplete="off"
        disabled={isOff}
        value={typed ?? value}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onInput={({ currentTarget }) => {
          const { value: text } = currentTarget;
          setTyped(text);
          if (isValid(text)) onChange(Number(text));
        }}
        onBlur={() => {
          if (!isWrong) setTyped(undefined);
        }}
      />
      {isWrong && (
        <span id={`${id}-error`} class="hint field-error" role="alert">
          {t().picture.wrongNumber(min, max)}
        </span>
      )}
    </div>
  );
}
