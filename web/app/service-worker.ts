import { signal } from '@preact/signals';
import { ROOT } from './address.ts';
import { trustedWorker } from './trusted-types.ts';

/** The worker of a newer version of the app, which waits until the owner wants it. */
export const newVersion = signal<ServiceWorker | undefined>(undefined);

/** Registers the worker that shows the shell without a network. Where the address is not secure, browsers have none. */
export async function registerServiceWorker(): Promise<void> {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  const isUpdate = serviceWorker.controller !== null;
  const registration = await serviceWorker.register(trustedWorker(SERVICE_WORKER_PATH), {
    scope: `${ROOT}/`,
    type: 'module',
  });
  const watch = (worker: ServiceWorker | null) => {
    const note = () => {
      if (worker?.state === 'installed' && isUpdate) newVersion.value = worker;
    };
    note();
    worker?.addEventListener('statechange', note);
  };
  watch(registration.waiting);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  // A tab that stays open for days never loads the shell, which is when the browser looks for a newer worker.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && navigator.onLine)
      void registration.update().catch(reportError);
  });
}

/** How long the newer worker may wait for requests that the present one still answers. */
const ACTIVATION_MS = 5_000;

/** Activates the newer version and loads the app again. */
export function loadNewVersion(): void {
  const { value: worker } = newVersion;
  if (!worker) return;
  const load = () => location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', load, { once: true });
  worker.postMessage('activate');
  setTimeout(load, ACTIVATION_MS);
}
