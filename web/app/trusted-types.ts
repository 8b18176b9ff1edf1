import { ROOT } from './address.ts';

interface TypePolicies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): URL };
}

const WORKERS: readonly string[] = [PDF_WORKER_PATH, HASH_WORKER_PATH, SERVICE_WORKER_PATH].map(
  (path) => `${ROOT}${path}`,
);

function workerAddress(address: string): string {
  if (WORKERS.includes(address)) return address;
  throw new TypeError('Only the workers of this app are loaded.');
}

const types = (globalThis as { readonly trustedTypes?: TypePolicies }).trustedTypes;
const policy = types?.createPolicy('app', { createScriptURL: workerAddress });

/** The address of one of the app's own workers, for `Worker` and for registering the service worker. */
export const trustedWorker = (path: string): URL | string =>
  policy?.createScriptURL(`${ROOT}${path}`) ?? workerAddress(`${ROOT}${path}`);
