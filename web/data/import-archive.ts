import { effect, signal } from '@preact/signals';
import { SERVICE } from '../app/address.ts';
import { OfflineError, UnreadableError, toApiError } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { isSignedIn } from '../state/session-state.ts';
import { onLock, whileUnlocked } from '../state/zone-token.ts';
import { forgetImport, isCutOff, rememberImport } from './import-runs.ts';
import { CHANGE_KINDS, noteChange } from './live.ts';

export type Imported = components['schemas']['Imported'];

export type ImportState =
  | { readonly phase: 'sending'; readonly sent: number; readonly total: number }
  | { readonly phase: 'reading' }
  | { readonly phase: 'done'; readonly report: Imported }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'stopped' };

/** The import of this page. It goes on while other screens are shown. After a reload the service is asked for it. */
export const importState = signal<ImportState | undefined>(undefined);
/** The idempotency key of the import that runs. */
export const importKey = signal<string | undefined>(undefined);

let running: AbortController | undefined;
/** Whether the archive was brought in with the zone open. */
let isOfZone = false;

export const isImporting = (): boolean =>
  importState.value?.phase === 'sending' || importState.value?.phase === 'reading';

/** Brings in the export of a workspace. What is here already stays as it is. */
export async function importArchive(file: File): Promise<void> {
  if (running) return;
  const controller = new AbortController();
  running = controller;
  isOfZone = whileUnlocked() !== undefined;
  const key = crypto.randomUUID();
  importKey.value = key;
  rememberImport('workspace', key);
  addEventListener('beforeunload', warn);
  importState.value = { phase: 'sending', sent: 0, total: file.size };
  const show = (state: ImportState) => {
    if (running === controller) importState.value = state;
  };
  try {
    const report = await send(file, key, controller.signal, (sent) => {
      if (sent < file.size) return show({ phase: 'sending', sent, total: file.size });
      // From here on the service goes on without this page.
      if (running === controller) removeEventListener('beforeunload', warn);
      show({ phase: 'reading' });
    });
    show({ phase: 'done', report });
    noteChange(...CHANGE_KINDS);
  } catch (error) {
    if (controller.signal.aborted) show({ phase: 'stopped' });
    else if (!isCutOff(error)) show({ phase: 'failed', error });
    else if (running === controller) return loseSight();
  } finally {
    if (running === controller) end();
  }
}

/** Stops while the file is being sent: the service changes nothing before it has all of it. */
export const stopImport = (): void => running?.abort();

function end(): void {
  forgetImport('workspace');
  loseSight();
}

/** The request is over; what came of it is asked of the service. */
function loseSight(): void {
  running = undefined;
  importKey.value = undefined;
  if (isImporting()) importState.value = undefined;
  removeEventListener('beforeunload', warn);
}

const warn = (event: Event): void => event.preventDefault();

/** A report may count what is hidden. */
function forget(): void {
  running?.abort();
  end();
  importState.value = undefined;
}

onLock(() => {
  if (isOfZone) forget();
});
effect(() => {
  if (isSignedIn.value === false) forget();
});

/** `fetch` would not report how much of the file has been sent. */
function send(
  file: File,
  key: string,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Imported> {
  const { promise, resolve, reject } = Promise.withResolvers<Imported>();
  const request = new XMLHttpRequest();
  request.open('POST', `${SERVICE || location.origin}/v1/import`);
  request.setRequestHeader('idempotency-key', key);
  const unlocked = whileUnlocked();
  if (unlocked) request.setRequestHeader('x-hidden-token', unlocked.token);
  request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, file.size - 1));
  request.upload.onload = () => onSent(file.size);
  request.onerror = () => reject(new OfflineError('The service could not be reached.'));
  request.onabort = () =>
    reject(
      signal.aborted
        ? new DOMException('The import was stopped.', 'AbortError')
        : new OfflineError('The page was left.'),
    );
  request.onload = () => {
    try {
      resolve(reportOf(request));
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.append('file', file);
  request.send(form);
  return promise;
}

function reportOf(request: XMLHttpRequest): Imported {
  const { status } = request;
  if (status === 401) isSignedIn.value = false;
  const body = bodyOf(request);
  if (status < 300) {
    if (body === undefined) throw new UnreadableError('The response could not be read.');
    return body as Imported;
  }
  const id = request.getResponseHeader('x-request-id');
  throw toApiError(new Response(null, { status, headers: id ? { 'x-request-id': id } : {} }), body);
}

function bodyOf({ responseText }: XMLHttpRequest): unknown {
  try {
    return JSON.parse(responseText);
  } catch {
    // A proxy in front of the service answers without JSON.
    return undefined;
  }
}
