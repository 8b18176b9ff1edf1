import type { Scheduler } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { networkOf } from '../shared/network.ts';

const MINUTE_MS = 60_000;
/** Credentials whose use is recorded per minute. Uses of further ones are recorded in a later minute. */
const MAX_NOTED = 100_000;

export interface LastUseDeps {
  readonly uow: UnitOfWork<'tokens' | 'sessions'>;
  readonly scheduler: Scheduler;
  /** Reports an error of work that no request waits for. */
  readonly reportFailure: (task: string, error: unknown) => void;
}

interface Use {
  readonly kind: 'token' | 'session';
  readonly id: string;
  readonly at: number;
  readonly network: string;
}

interface OwnerUses {
  readonly scope: OwnerScope;
  readonly uses: Use[];
}

/** Records when and from which network credentials are used, behind the requests that use them. */
export interface LastUse {
  /** Notes a use. It is stored soon, at most once a minute for each credential. */
  note(caller: Caller, now: number): void;
  /** Resolves when the noted uses of an owner, or of all owners, are stored. Never rejects. */
  flush(ownerId?: string): Promise<void>;
}

/**
 * Requests do not wait for the write: a use that is lost with the process, or in an outage, is replaced by that of the next
 * minute. The row that identified the caller shows whether the use of this minute is stored already, so that most requests
 * end at one comparison. Owners are written one after the other: requests never queue behind more than one of these writes.
 */
export function createLastUse({ uow, scheduler, reportFailure }: LastUseDeps): LastUse {
  const pending = new Map<string, OwnerUses>();
  const writing = new Map<string, Promise<void>>();
  const noted = new Set<string>();
  let minute = 0;
  let draining: Promise<void> | undefined;

  const store = async ({ scope, uses }: OwnerUses): Promise<void> => {
    try {
      await uow.write(scope, async ({ tokens, sessions }) => {
        for (const { kind, id, at, network } of uses)
          await (kind === 'token' ? tokens : sessions).recordUse(id, at, network);
      });
    } catch (error) {
      reportFailure('recording the last use of a credential', error);
    }
  };
  const writeOwner = async (ownerId: string): Promise<void> => {
    await writing.get(ownerId);
    const uses = pending.get(ownerId);
    // Another call may have begun to write them meanwhile.
    if (!uses) return writing.get(ownerId);
    pending.delete(ownerId);
    const written = store(uses);
    writing.set(ownerId, written);
    await written;
    if (writing.get(ownerId) === written) writing.delete(ownerId);
  };
  const drain = async (): Promise<void> => {
    await scheduler.yield();
    for (const [ownerId] of pending) await writeOwner(ownerId);
    draining = undefined;
  };

  return {
    note: ({ credential, scope: { tenantId, ownerId }, client }, now) => {
      const at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
      const { id, lastUsedAt } =
        credential.kind === 'token' ? credential.token : credential.session;
      if (lastUsedAt !== null && lastUsedAt >= at) return;
      if (minute !== at) {
        minute = at;
        noted.clear();
      }
      if (noted.has(id) || noted.size >= MAX_NOTED) return;
      noted.add(id);
      const use: Use = { kind: credential.kind, id, at, network: networkOf(client.address) };
      const mine = pending.get(ownerId);
      if (mine) mine.uses.push(use);
      // Without the folders of a token: the credential is the owner's.
      else pending.set(ownerId, { scope: { tenantId, ownerId }, uses: [use] });
      draining ??= drain();
    },
    flush: async (ownerId) => {
      if (ownerId !== undefined) return writeOwner(ownerId);
      while (draining) await draining;
    },
  };
}

/** Before the process ends: stores what is noted, of all owners. */
export const flushLastUse = ({ lastUse }: { readonly lastUse: LastUse }): Promise<void> =>
  lastUse.flush();
