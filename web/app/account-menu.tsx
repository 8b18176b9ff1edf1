import { useSignal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import { messageOf } from '../i18n/errors.ts';
import { t } from '../i18n/language.ts';
import { whenSaved } from '../state/unsaved.ts';
import { toast } from '../ui/toasts.tsx';
import { to } from './address.ts';
import { useId } from '../ui/use-id.ts';
import { lazily } from '../ui/lazily.tsx';

const SignOutDialog = lazily(() => import('./sign-out-dialog.tsx'));

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** The account: settings, the way into the hidden zone, signing out. */
export function AccountMenu({ name }: { name: string }) {
  const id = useId();
  const unsent = useSignal(0);
  const signOut = async (isConfirmed = false) => {
    unsent.value = 0;
    try {
      const { countUnsent, signOut: end } = await import('../uploads/sign-out.ts');
      const count = isConfirmed ? 0 : await countUnsent();
      if (count > 0) unsent.value = count;
      else await end(() => reply(api.POST('/v1/sign-out')));
    } catch (error) {
      toast(messageOf(error));
    }
  };
  return (
    <>
      <button
        type="button"
        class="face"
        popovertarget={id}
        // With what is seen of it (WCAG 2.5.3).
        aria-label={`${initials(name)}, ${t().shell.account(name)}`}
      >
        {initials(name)}
      </button>
      <div id={id} popover="auto" class="menu">
        <p class="menu-head cut">{name}</p>
        <a href={to('/settings')}>{t().shell.places.settings}</a>
        <a href={to('/hidden')}>{t().shell.hiddenZone}</a>
        <button type="button" onClick={() => whenSaved(() => void signOut())}>
          {t().shell.signOut}
        </button>
      </div>
      {unsent.value > 0 && (
        <SignOutDialog
          unsent={unsent.value}
          onConfirm={() => void signOut(true)}
          onClose={() => (unsent.value = 0)}
        />
      )}
    </>
  );
}
