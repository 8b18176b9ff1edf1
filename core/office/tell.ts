import type { StoredObject } from '../../ports/objects.ts';
import type { OfficeSession, OfficeTrouble } from '../../ports/office.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';
import type { CallbackPass } from './passes.ts';
import { handling, unknownSession } from './sessions.ts';

type TellStores = Pick<Stores, 'objects' | 'officeSessions' | 'notifications'>;

export interface TellDeps extends NotifyDeps {
  readonly digests: SecretDigest;
  readonly uow: UnitOfWork<keyof TellStores>;
}

/**
 * Notifies the owner of a failed save: once until a save succeeds, however often it is retried. `proof` is the signed
 * token of the callback; a repeated one is ignored.
 */
export async function tellOnce(
  deps: TellDeps,
  pass: CallbackPass,
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
    const handled = handling(session, what);
    if (session.told.includes('failed') || session.handled.includes(what))
      return stores.officeSessions.save({ ...session, handled });
    await notify(deps, stores, {
      kind: 'object.failed',
      title: `Your edit of ${object.filename} could not be saved`,
      body: `${why} The file is unchanged.`,
      payload: { object_id: object.id, filename: object.filename },
      about: object,
    });
    await stores.officeSessions.save({ ...having(session, 'failed'), handled });
  });
}

/** Notifies the owner of a conflict version, in the unit of work that stores it: once per session. */
export async function tellOfConflict(
  deps: NotifyDeps,
  stores: Pick<Stores, 'notifications'>,
  { told }: OfficeSession,
  object: StoredObject,
  version: number,
): Promise<void> {
  if (told.includes('conflict')) return;
  await notify(deps, stores, {
    kind: 'object.failed',
    title: `Your edit of ${object.filename} is saved as an earlier version`,
    body: `The file was changed elsewhere meanwhile, or had been closed in the editor, and is unchanged. The edit is stored as version ${version}. Restore that version to use it.`,
    payload: { object_id: object.id, filename: object.filename },
    about: object,
  });
}

export const having = (session: OfficeSession, trouble: OfficeTrouble): OfficeSession =>
  session.told.includes(trouble) ? session : { ...session, told: [...session.told, trouble] };
