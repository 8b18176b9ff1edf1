import {
  CHANGE_KINDS,
  type ChangeFeed,
  type ChangeKind,
  type ChangeListener,
  type ChangeVisibility,
} from '../../ports/changes.ts';
import type { Directory } from '../../ports/directory.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { Timer } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { requireCredential } from '../identity/index.ts';
import type { Caller } from '../shared/caller.ts';
import { unavailable } from '../shared/common-errors.ts';
import type { Slots } from '../shared/slots.ts';
import type { StreamSubscriber } from '../shared/stream-subscriber.ts';
import { tooManyStreams } from './errors.ts';
import { ChangeMailbox } from './mailbox.ts';

export interface FollowDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'pinLock'>;
  readonly changes: ChangeFeed;
  readonly directory: Directory;
  readonly slots: Slots;
  readonly timer: Timer;
}

export interface ChangeEvent {
  /** In the order of `CHANGE_KINDS`. */
  readonly kinds: readonly ChangeKind[];
  readonly cursor: string;
}

/** In one process. */
export const MAX_STREAMS_PER_OWNER = 20;
const MAX_STREAMS = 1_000;
const RETRY_SECONDS = 30;
/** Between two events of a stream. */
export const MIN_EVENT_INTERVAL_MS = 1_000;
/** Then the client connects again, and its credential is authenticated again. */
export const MAX_STREAM_MS = 15 * 60_000;

/**
 * Sends what has changed until the client disconnects, the credential or the hidden zone of the caller ends, or the time is
 * up. The first event says whether anything has changed since the cursor; one that is not known counts as changed. Rejects
 * with `unavailable` once changes may be lost.
 */
export async function followChanges(
  deps: FollowDeps,
  caller: Caller,
  since: string | undefined,
  subscriber: StreamSubscriber<ChangeEvent>,
): Promise<void> {
  const release = acquireStream(deps.slots, caller.scope.ownerId);
  const mailbox = new ChangeMailbox();
  let end = () => mailbox.close();
  const ended = new Promise<void>((resolve) => {
    end = () => {
      resolve();
      mailbox.close();
    };
  });
  void subscriber.disconnected.then(() => end());
  try {
    const subscription = await subscribe(deps.changes, caller.scope.ownerId, mailbox);
    try {
      void deps.timer.wait(lifetimeOf(caller, deps.clock.now()), ended).then(end);
      // After the subscription has begun, so that no later change of the credential or the zone is missed.
      await requireCredential(deps, caller);
      const visibility = await visibilityOf(deps, caller);
      const cursor = subscription.start[visibility];
      const kinds = since === undefined || since === cursor ? [] : CHANGE_KINDS;
      await subscriber.send({ kinds, cursor });
      await sendChanges(deps, caller, { visibility, mailbox, subscriber, ended });
    } finally {
      subscription.close();
    }
  } finally {
    end();
    release();
  }
}

/** An outage is expected here and not logged: the client polls meanwhile. */
async function subscribe(changes: ChangeFeed, ownerId: string, listener: ChangeListener) {
  try {
    return await changes.subscribe(ownerId, listener);
  } catch (error) {
    throw error instanceof UnavailableError ? unavailable({}, RETRY_SECONDS) : error;
  }
}

interface Stream {
  readonly visibility: ChangeVisibility;
  readonly mailbox: ChangeMailbox;
  readonly subscriber: StreamSubscriber<ChangeEvent>;
  readonly ended: Promise<void>;
}

async function sendChanges(deps: FollowDeps, caller: Caller, stream: Stream): Promise<void> {
  const { visibility, mailbox, subscriber, ended } = stream;
  await deps.timer.wait(MIN_EVENT_INTERVAL_MS, ended);
  for (;;) {
    const change = await mailbox.next(visibility);
    if (!change) return;
    await requireCredential(deps, caller);
    if ((await visibilityOf(deps, caller)) !== visibility) return;
    const { kinds, cursor } = change;
    if (kinds.length === 0) continue;
    await subscriber.send({ kinds, cursor });
    await deps.timer.wait(MIN_EVENT_INTERVAL_MS, ended);
  }
}

function acquireStream(slots: Slots, ownerId: string): () => void {
  const name = `changes ${ownerId}`;
  const mine = slots([{ name, max: MAX_STREAMS_PER_OWNER }]);
  if (!mine) throw tooManyStreams({}, RETRY_SECONDS);
  const shared = slots([{ name: 'changes', max: MAX_STREAMS }]);
  if (!shared) {
    mine();
    throw unavailable({}, RETRY_SECONDS);
  }
  return () => {
    mine();
    shared();
  };
}

/** A locked zone shows visible changes only. */
const visibilityOf = (deps: FollowDeps, caller: Caller): Promise<ChangeVisibility> =>
  deps.uow.read(caller.scope, async ({ pinLock }) =>
    (await zoneFor(deps, pinLock, caller)) === 'closed' ? 'visible' : 'any',
  );

function lifetimeOf({ credential }: Caller, now: number): number {
  const { expiresAt } = credential.kind === 'token' ? credential.token : credential.session;
  return Math.max(0, Math.min(MAX_STREAM_MS, (expiresAt ?? Infinity) - now));
}
