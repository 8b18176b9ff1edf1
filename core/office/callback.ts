import type { Accounts } from '../../ports/identity.ts';
import { DownloadRefused, type OfficeSession } from '../../ports/office.ts';
import type { Turns } from '../shared/turns.ts';
import { notFound } from '../shared/common-errors.ts';
import { DomainError } from '../shared/errors.ts';
import { forged, notSaved, unknownStatus } from './errors.ts';
import type { OfficeDeps } from './office.ts';
import type { CallbackPass, Pass } from './passes.ts';
import { keepSaved, receiveSaved, type KeepDeps, type ReceiveSavedDeps } from './save.ts';
import { tellOnce } from './tell.ts';
import { toldBy, type SentCallback, type Told } from './told.ts';

export interface CallbackDeps extends OfficeDeps, KeepDeps, ReceiveSavedDeps {
  readonly accounts: Accounts;
  readonly turns: Turns;
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
 * Ends with `not_found`, `invalid_signature`, `unknown_status`, `upstream_failed`, `unsupported_type`, `plan_limit`;
 * then nothing has changed, except that the owner may have been notified.
 */
export async function takeCallback(
  deps: CallbackDeps,
  pass: Pass,
  sent: SentCallback,
): Promise<void> {
  // Without the secret no signature can be verified.
  if (!deps.office || pass.opens !== 'callback') throw notFound();
  const { engine } = deps.office;
  const told = await toldBy(engine, sent);
  if (told.key !== pass.key) throw forged();
  await deps.turns(`office ${pass.objectId}`, () => takeIn(deps, pass, told));
}

async function takeIn(deps: CallbackDeps, pass: CallbackPass, told: Told): Promise<void> {
  switch (told.status) {
    case STATUS.editing:
      return;
    case STATUS.closed:
      return closeSession(deps, pass);
    case STATUS.save:
    case STATUS.forced:
      return save(deps, pass, told);
    case STATUS.saveFailed:
    case STATUS.forcedFailed:
      return tellOnce(
        deps,
        pass,
        told.proof,
        'The document server could not save the edited document.',
      );
    default:
      throw unknownStatus();
  }
}

/** Closed without changes. Later callbacks for this key are rejected. */
async function closeSession(deps: CallbackDeps, pass: CallbackPass): Promise<void> {
  await deps.uow.write(pass.scope, async ({ officeSessions }) => {
    const session = await officeSessions.find(pass.objectId, pass.key);
    if (session) await officeSessions.save({ ...session, state: 'closed' });
  });
}

async function save(deps: CallbackDeps, pass: CallbackPass, told: Told): Promise<void> {
  const { url } = told;
  if (url === undefined) throw forged();
  const owner = await deps.accounts.findOwner(pass.scope.ownerId);
  if (!owner) throw notFound();
  await requireEditable(deps, pass);
  try {
    const saved = await receiveSaved(deps, pass.scope, url);
    await keepSaved(deps, pass, owner, {
      saved,
      proof: told.proof,
      closes: told.status === STATUS.save,
    });
  } catch (error) {
    throw await toldFailure(deps, pass, told.proof, error);
  }
}

/** Checked before anything is fetched: the document exists, and a user with write permission has joined. */
async function requireEditable(deps: CallbackDeps, pass: CallbackPass): Promise<void> {
  const session = await deps.uow.read(pass.scope, async (stores) => {
    if (!(await stores.objects.find(pass.objectId))) throw notFound();
    return stores.officeSessions.find(pass.objectId, pass.key);
  });
  if (!mayChange(session)) throw forged();
}

/** An unknown key may have been one with unsaved changes. */
const mayChange = (session: OfficeSession | undefined): boolean => session?.editable ?? true;

const TELLING: readonly DomainError['kind'][] = ['plan-exhausted', 'unsupported-type'];

/** The editing user may have left, so the owner is notified of the error. */
async function toldFailure(
  deps: CallbackDeps,
  pass: CallbackPass,
  proof: string,
  error: unknown,
): Promise<unknown> {
  if (error instanceof DownloadRefused) {
    if (error.why === 'elsewhere') return forged();
    await tellOnce(deps, pass, proof, error.message);
    return notSaved(error.message);
  }
  if (error instanceof DomainError && TELLING.includes(error.kind))
    await tellOnce(deps, pass, proof, error.message);
  return error;
}
