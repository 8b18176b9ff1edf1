import { useEffect } from 'preact/hooks';
import { messageOf } from '../i18n/errors.ts';
import { t } from '../i18n/language.ts';
import { openSession } from '../state/session.ts';
import { openFailure } from '../state/session-state.ts';
import { Empty } from '../ui/notice.tsx';

/** The app was opened without a network, or the service failed: nothing of the owner is stored in the browser. */
export function Offline() {
  useEffect(() => {
    const retry = () => void openSession();
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, []);
  return (
    <main id="main">
      <h1 class="vh">{t().shell.product}</h1>
      <Empty title={messageOf(openFailure.value)}>
        <button type="button" class="button" onClick={() => void openSession()}>
          {t().shell.tryAgain}
        </button>
      </Empty>
    </main>
  );
}
