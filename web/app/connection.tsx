import { useEffect, useState } from 'preact/hooks';
import { formatTime } from '../i18n/format.ts';
import { t } from '../i18n/language.ts';
import { loadNewVersion, newVersion, registerServiceWorker } from './service-worker.ts';

/** Says that what is shown may be old: without a network, or of an older version of the app. */
export function Connection() {
  const [offlineSince, setOffline] = useState<string | undefined>(
    navigator.onLine ? undefined : new Date().toISOString(),
  );
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('offline', () => setOffline(new Date().toISOString()), { signal });
    addEventListener('online', () => setOffline(undefined), { signal });
    // Without it the app works as well; there is only no shell without a network.
    void registerServiceWorker().catch(reportError);
    return () => controller.abort();
  }, []);
  const { uploads } = t();
  return (
    <>
      {offlineSince !== undefined && (
        <p class="offline-bar" role="status">
          {uploads.offlineSince(formatTime(offlineSince))}
        </p>
      )}
      {newVersion.value && (
        <p class="offline-bar" role="status">
          {uploads.newVersion}{' '}
          <button type="button" class="act" onClick={loadNewVersion}>
            {uploads.reload}
          </button>
        </p>
      )}
    </>
  );
}
