import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/language.ts';
import { settingsText } from '../../../i18n/settings-text.ts';

export interface NameFormProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onSave: (name: string) => void;
  readonly onCancel: () => void;
}

/** Changes a name where it stands. */
export function NameForm({ name, isBusy, onSave, onCancel }: NameFormProps) {
  const text = settingsText();
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(name);
  useEffect(() => ref.current?.select(), []);
  return (
    <form
      class="inline-form grow"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <input
        ref={ref}
        class="input grow"
        aria-label={text.name}
        required
        maxLength={100}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button type="submit" class="button strong" disabled={isBusy}>
        {isBusy ? text.saving : text.save}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        {t().shell.cancel}
      </button>
    </form>
  );
}
