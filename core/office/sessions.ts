import type { OfficeSession } from '../../ports/office.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { SESSION_MS } from './office.ts';

const KEY_BYTES = 24;
/** Number of saves of a session that are remembered, to recognise repeated callbacks. */
const MAX_PROCESSED_SAVES = 100;
const AT_ONCE = 100;

/**
 * The session for the current version of an object: the open one, so that all users edit the same document, or a new
 * one with an unguessable key.
 */
export async function joinSession(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  { officeSessions }: Pick<Stores, 'officeSessions'>,
  { id, version }: Pick<StoredObject, 'id' | 'version'>,
  mayEdit: boolean,
): Promise<OfficeSession> {
  const now = deps.clock.now();
  const there = await officeSessions.opened(id, version);
  const session: OfficeSession = there
    ? { ...there, editable: there.editable || mayEdit, usedAt: now }
    : {
        ...unknownSession(id, deps.random.secret(KEY_BYTES), version, now),
        state: 'open',
        editable: mayEdit,
      };
  await officeSessions.save(session);
  await officeSessions.removeUnused(now - SESSION_MS, AT_ONCE);
  return session;
}

/** State of a key whose session is no longer stored: closed. */
export const unknownSession = (
  objectId: string,
  key: string,
  version: number,
  now: Instant,
): OfficeSession => ({
  objectId,
  key,
  openedVersion: version,
  version,
  state: 'closed',
  editable: true,
  processedSaves: [],
  notifiedIssues: [],
  createdAt: now,
  usedAt: now,
});

export const withProcessedSave = (session: OfficeSession, what: string): readonly string[] =>
  session.processedSaves.includes(what)
    ? session.processedSaves
    : [...session.processedSaves, what].slice(-MAX_PROCESSED_SAVES);
