import { UnavailableError } from '../../ports/errors.ts';
import type { Accounts } from '../../ports/identity.ts';
import { DownloadError, type OfficeSession } from '../../ports/office.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import { notFound } from '../shared/common-errors.ts';
import { DomainError } from '../shared/errors.ts';
import { invalidSignature, notSaved, unknownStatus } from './errors.ts';
import type { OfficeDeps } from './office.ts';
import type { CallbackCapability, UrlCapability } from './capability-urls.ts';
import {
  storeSavedFile,
  downloadSavedFile,
  type StoreSavedDeps,
  type DownloadSavedDeps,
} from './save.ts';
import { notifyOnce } from './notify-owner.ts';
import { verifyCallback, type SentCallback, type VerifiedCallback } from './verified-callback.ts';

export interface CallbackDeps extends OfficeDeps, StoreSavedDeps, DownloadSavedDeps {
  readonly accounts: Accounts;
  readonly mutex: KeyedMutex;
}

/** Document statuses of the document server, by their published numbers. */
const STATUS = {
  editing: 1,
  save: 2,
  saveFailed: 3,
  closed: 4,
  forced: 6,
  forcedFailed: 7,
} as const;

/**
 * Processes a callback of the document server. When it resolves, the file to save is durable. Repeated callbacks have
 * one effect. Callbacks of one object are serialized.
 *
 * Ends with `not_found`, `invalid_signature`, `unknown_status`, `upstream_failed`, `unsupported_type`, `plan_limit`, or
 * UnavailableError of the storage; then nothing has changed, except that the owner may have been notified.
 */
export async function handleCallback(
  deps: CallbackDeps,
  pass: UrlCapability,
  sent: SentCallback,
): Promise<void> {
  // Without the secret no signature can be verified.
  if (!deps.office || pass.opens !== 'callback') throw notFound();
  const { engine } = deps.office;
  const callback = await verifyCallback(engine, sent);
  if (callback.key !== pass.key) throw invalidSignature();
  await deps.mutex(`office ${pass.objectId}`, () => applyCallback(deps, pass, callback));
}

async function applyCallback(
  deps: CallbackDeps,
  pass: CallbackCapability,
  callback: VerifiedCallback,
): Promise<void> {
  switch (callback.status) {
    case STATUS.editing:
      return;
    case STATUS.closed:
      return closeSession(deps, pass);
    case STATUS.save:
    case STATUS.forced:
      return save(deps, pass, callback);
    case STATUS.saveFailed:
    case STATUS.forcedFailed:
      return notifyOnce(
        deps,
        pass,
        callback.proof,
        'The document server could not save the edited document.',
      );
    default:
      throw unknownStatus();
  }
}

/** Closed without changes. Later callbacks for this key are rejected. */
async function closeSession(deps: CallbackDeps, pass: CallbackCapability): Promise<void> {
  await deps.uow.write(pass.scope, async ({ officeSessions }) => {
    const session = await officeSessions.find(pass.objectId, pass.key);
    if (session) await officeSessions.save({ ...session, state: 'closed' });
  });
}

async function save(
  deps: CallbackDeps,
  pass: CallbackCapability,
  callback: VerifiedCallback,
): Promise<void> {
  const { url } = callback;
  if (url === undefined) throw invalidSignature();
  const owner = await deps.accounts.findOwner(pass.scope.ownerId);
  if (!owner) throw notFound();
  await requireEditable(deps, pass);
  try {
    const saved = await downloadSavedFile(deps, pass.scope, url);
    await storeSavedFile(deps, pass, owner, {
      saved,
      proof: callback.proof,
      closes: callback.status === STATUS.save,
    });
  } catch (error) {
    throw await notifyFailure(deps, pass, callback.proof, error);
  }
}

/** Checked before anything is fetched: the document exists, and a user with write permission has joined. */
async function requireEditable(deps: CallbackDeps, pass: CallbackCapability): Promise<void> {
  const session = await deps.uow.read(pass.scope, async (stores) => {
    if (!(await stores.objects.find(pass.objectId))) throw notFound();
    return stores.officeSessions.find(pass.objectId, pass.key);
  });
  if (!mayChange(session)) throw invalidSignature();
}

/** An unknown key may have been one with unsaved changes. */
const mayChange = (session: OfficeSession | undefined): boolean => session?.editable ?? true;

const TELLING: readonly DomainError['kind'][] = ['quota-exceeded', 'unsupported-type'];

/** The editing user may have left, so the owner is notified of the error. */
async function notifyFailure(
  deps: CallbackDeps,
  pass: CallbackCapability,
  proof: string,
  error: unknown,
): Promise<unknown> {
  if (error instanceof DownloadError) {
    await notifyOnce(deps, pass, proof, error.message);
    return notSaved(error.message);
  }
  if (error instanceof UnavailableError && error.port === 'storage')
    await notifyOnce(deps, pass, proof, error.message);
  if (error instanceof DomainError && TELLING.includes(error.kind))
    await notifyOnce(deps, pass, proof, error.message);
  return error;
}
