import { useState } from 'preact/hooks';
import { t } from '../../i18n/calendar.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Scope } from './changes.ts';
import { closeDialog, type ScopeQuestion } from './sheet-state.ts';

export const SCOPES: readonly Scope[] = ['one', 'following', 'all'];

/** What of a series is meant. */
export function ScopeChoice({
  value,
  scopes = SCOPES,
  onChoose,
}: {
  value: Scope;
  scopes?: readonly Scope[];
  onChoose: (scope: Scope) => void;
}) {
  const { calendar } = t();
  return (
    <fieldset class="scopes">
      <legend>{calendar.scopeTitle}</legend>
      {scopes.map((scope) => (
        <label key={scope} class="radio">
          <input
            type="radio"
            name="scope"
            checked={value === scope}
            autofocus={value === scope}
            onChange={() => onChoose(scope)}
          />
          {calendar.scopes[scope]}
        </label>
      ))}
    </fieldset>
  );
}

/** Asks what of a series moves or is deleted. */
export function ScopeDialog({ question }: { question: ScopeQuestion }) {
  const { calendar, shell } = t();
  const { item, kind, onlyOne, run } = question;
  const [scope, setScope] = useState<Scope>('one');
  return (
    <Dialog
      title={
        kind === 'move' ? calendar.moveOf(item.data.title) : calendar.deleteOf(item.data.title)
      }
      onClose={closeDialog}
      onSubmit={() => {
        closeDialog();
        void run(scope);
      }}
      foot={
        <>
          <button type="button" class="button" onClick={closeDialog}>
            {shell.cancel}
          </button>
          <button type="submit" class={`button ${kind === 'move' ? 'strong' : 'danger'}`}>
            {kind === 'move' ? calendar.move.title : calendar.delete}
          </button>
        </>
      }
    >
      <ScopeChoice value={scope} scopes={onlyOne ? ['one'] : SCOPES} onChoose={setScope} />
      {onlyOne && <p>{calendar.onlyOne}</p>}
    </Dialog>
  );
}
