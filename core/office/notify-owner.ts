import type { StoredObject } from '../../ports/objects.ts';
import type { OfficeSession, SaveIssue } from '../../ports/office.ts';
import { connectionReason } from '../../ports/reasons.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { failureOf, notify, type NotifyDeps } from '../notifications/index.ts';
import type { CallbackCapability } from './capability-urls.ts';
import { withProcessedSave, unknownSession } from './sessions.ts';

type OfficeNotifyStores = Pick<Stores, 'objects' | 'officeSessions' | 'notifications'>;

export interface OfficeNotifyDeps extends NotifyDeps {
  readonly digests: SecretDigest;
  readonly uow: UnitOfWork<keyof OfficeNotifyStores>;
}

/**
 * Notifies the owner of a failed save: once until a save succeeds, however often it is retried. `proof` is the signed
 * token of the callback; a repeated one is ignored.
 */
export async function notifyOnce(
  deps: OfficeNotifyDeps,
  pass: CallbackCapability,
  proof: string,
  why: string,
): Promise<void> {
  const what = deps.digests.digest(proof);
  await deps.uow.write(pass.scope, async (stores) => {
    const object = await stores.objects.find(pass.objectId);
    if (!object) return;
    const session =
      (await stores.officeSessions.find(pass.objectId, pass.key)) ??
      unknownSession(object.id, pass.key, pass.version, deps.clock.now());
    const processedSaves = withProcessedSave(session, what);
    if (session.notifiedIssues.includes('failed') || session.processedSaves.includes(what))
      return stores.officeSessions.save({ ...session, processedSaves });
    await notify(deps, stores, {
      kind: 'object.failed',
      title: `Your edit of ${object.filename} could not be saved`,
      body: `${why} The file is unchanged.`,
      payload: {
        object_id: object.id,
        filename: object.filename,
        failure: 'unsaved',
        ...failureOf(why, connectionReason),
      },
      about: object,
    });
    await stores.officeSessions.save({ ...having(session, 'failed'), processedSaves });
  });
}

/** Notifies the owner of a conflict version, in the unit of work that stores it: once per session. */
export async function notifyConflict(
  deps: NotifyDeps,
  stores: Pick<Stores, 'notifications'>,
  { notifiedIssues }: OfficeSession,
  object: StoredObject,
  version: number,
): Promise<void> {
  if (notifiedIssues.includes('conflict')) return;
  await notify(deps, stores, {
    kind: 'object.failed',
    title: `Your edit of ${object.filename} is saved as an earlier version`,
    body: `The file was changed elsewhere meanwhile, or had been closed in the editor, and is unchanged. The edit is stored as version ${version}. Restore that version to use it.`,
    payload: {
      object_id: object.id,
      filename: object.filename,
      failure: 'earlier',
      version,
      error_code: null,
      error_fact: '',
    },
    about: object,
  });
}

export const having = (session: OfficeSession, trouble: SaveIssue): OfficeSession =>
  session.notifiedIssues.includes(trouble)
    ? session
    : { ...session, notifiedIssues: [...session.notifiedIssues, trouble] };
