import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import { messageOf } from '../i18n/errors.ts';
import { t } from '../i18n/language.ts';
import { toast } from '../ui/toasts.tsx';
import { isSignedIn } from '../state/session-state.ts';
import { lockZone } from '../state/zone.ts';
import { to } from './address.ts';
import { useId } from '../ui/use-id.ts';

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
  const signOut = async () => {
    try {
      await lockZone();
      const { forgetUploads } = await import('../uploads/queue.ts');
      await forgetUploads();
      await reply(api.POST('/v1/sign-out'));
      isSignedIn.value = false;
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
        <button type="button" onClick={() => void signOut()}>
          {t().shell.signOut}
        </button>
      </div>
    </>
  );
}
