import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from '../../../ui/use-id.ts';

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: ComponentChildren;
  /** Why the value was refused. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly isSecret?: boolean;
  readonly isNumber?: boolean;
}

/** A field with its hint, and with why the service refused its value. */
export function TextField(props: TextFieldProps) {
  const { label, value, onInput, hint, error, placeholder, isSecret, isNumber } = props;
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  const attributes = {
    id,
    class: `input${isNumber ? ' num' : ''}`,
    inputMode: isNumber ? ('decimal' as const) : undefined,
    autocomplete: 'off',
    autocapitalize: 'off' as const,
    spellcheck: false,
    placeholder,
    value,
    'aria-invalid': error !== undefined,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
      onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isSecret ? <input type="password" {...attributes} /> : <input type="text" {...attributes} />}
      {error !== undefined && (
        <span id={`${id}-error`} class="field-error">
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
