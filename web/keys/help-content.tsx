import { to } from '../app/address.ts';
import { t } from '../i18n/language.ts';
import { Dialog } from '../ui/dialog.tsx';
import { currentActions, type ActionGroup } from './action.ts';
import { KeyRow } from './key-row.tsx';

/** The keys that apply here, from the table that their handlers are made from. */
export default function HelpContent({ close }: { close: () => void }) {
  const withKeys = currentActions().filter(({ keys }) => keys && keys.length > 0);
  const groups = Object.entries(t().keys.groups) as [ActionGroup, string][];
  return (
    <Dialog
      title={t().keys.help}
      wide
      onClose={close}
      onSubmit={close}
      foot={
        <>
          <a class="button" href={to('/welcome')} onClick={close}>
            {t().shell.firstSteps}
          </a>
          <button type="submit" class="button">
            {t().shell.close}
          </button>
        </>
      }
    >
      {/* It has the focus first, so that the arrow keys scroll a long list. */}
      <div class="help" tabIndex={0} role="region" aria-label={t().keys.help}>
        {groups.map(([group, name]) => {
          const actions = withKeys.filter((action) => action.group === group);
          if (actions.length === 0) return null;
          return (
            <section key={group}>
              <h3>{name}</h3>
              <dl>
                {actions.map((action) => (
                  <KeyRow key={action.id} action={action} />
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
