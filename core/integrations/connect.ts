import type { Integration, IntegrationKind } from '../../ports/integrations.ts';
import type { ModelCheck } from '../../ports/language-model.ts';
import { connectionReason } from '../../ports/reasons.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { requireStoredCredential } from '../identity/index.ts';
import { endPause } from '../model-pause/index.ts';
import { failureOf, notify, type NotifyDeps } from '../notifications/index.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound, unavailable } from '../shared/common-errors.ts';
import * as bucket from './bucket.ts';
import { cardOf, kindOf, type IntegrationCard } from './cards.ts';
import { connectionOf, sameConnection, type Connection } from './connection.ts';
import { notConfigured } from './errors.ts';
import * as model from './model.ts';
import {
  adoptRetired,
  requireUnused,
  retireBucket,
  type InUseDeps,
  type RetireDeps,
} from './retire.ts';
import { connectionChange, connectionRemoval } from './security-events.ts';

export interface ConnectOptions<Config> {
  readonly config: Config;
  /** Absent: the stored secret is used if the address allows it. Empty: no secret. */
  readonly secret?: string;
}

export interface ConnectDeps extends SecurityEventDeps {
  readonly uow: UnitOfWork<keyof ConnectStores>;
}

export type ConnectModelDeps = ConnectDeps & model.ModelDeps;

export interface ConnectBucketDeps
  extends Omit<ConnectDeps, 'uow'>, bucket.CheckBucketDeps, RetireDeps, Omit<InUseDeps, 'uow'> {
  readonly uow: UnitOfWork<
    keyof ConnectStores | 'blobLocations' | 'storageMigrations' | 'tasks' | 'pinLock'
  >;
}

export interface CheckDeps extends model.ModelDeps, bucket.CheckBucketDeps, NotifyDeps {
  readonly uow: UnitOfWork<'integrations' | 'notifications' | 'tasks'>;
}

export interface DisconnectDeps extends RetireDeps, Omit<InUseDeps, 'uow'>, SecurityEventDeps {
  readonly uow: ConnectBucketDeps['uow'];
}

/** Maximum number of retries if another request changes the connection meanwhile. */
const MAX_ATTEMPTS = 3;

/** Connects a model and enables it, even if it does not respond. The card shows the result of the check. */
export function connectModel(
  deps: ConnectModelDeps,
  caller: Caller,
  { config, secret }: ConnectOptions<model.ModelConfig>,
): Promise<IntegrationCard> {
  return connect(deps, caller, 'llm', {
    make: (before) => {
      const stays = before && model.sharesSecret(model.modelConfig(before), config);
      return connectionOf(deps, { ...config }, secret, stays ? before : undefined);
    },
    attempt: (connection) => model.checkModel(deps, connection),
    admit: () => Promise.resolve(),
    replace: () => Promise.resolve(),
  });
}

/**
 * The same for a bucket. Files stored in the present bucket must be accessible in the new one, so it has to be the
 * same location.
 */
export function connectBucket(
  deps: ConnectBucketDeps,
  caller: Caller,
  { config, secret }: ConnectOptions<bucket.BucketConfig>,
): Promise<IntegrationCard> {
  return connect(deps, caller, 's3', {
    make: (before) => {
      const stays = before && bucket.sharesSecret(bucket.bucketConfig(before), config);
      return connectionOf(deps, { ...config }, secret, stays ? before : undefined);
    },
    attempt: (connection) => bucket.checkBucket(deps, connection),
    admit: async (before) => {
      if (movesTo(before, config)) await requireUnused(deps, caller);
    },
    replace: async (stores: Pick<Stores, 'integrations' | 'blobLocations' | 'tasks'>, before) => {
      if (before && movesTo(before, config)) await retireBucket(deps, stores, before);
      await adoptRetired(stores, config);
    },
  });
}

const movesTo = (before: Integration | undefined, config: bucket.BucketConfig): boolean =>
  before !== undefined && !bucket.isSameBucket(bucket.bucketConfig(before), config);

type ConnectStores = Pick<
  Stores,
  'integrations' | 'securityEvents' | 'sessions' | 'tasks' | 'tokens'
>;

interface Connecting<Used extends keyof Stores> {
  readonly make: (before: Integration | undefined) => Connection;
  readonly attempt: (connection: Connection) => Promise<ModelCheck>;
  /** Rejects a connection that may not replace the present one. Called outside of units of work. */
  readonly admit: (before: Integration | undefined) => Promise<void>;
  /** In the unit of work that stores the connection. */
  readonly replace: (
    stores: Pick<Stores, Used | keyof ConnectStores>,
    before: Integration | undefined,
  ) => Promise<void>;
}

async function connect<Used extends keyof Stores>(
  deps: SecurityEventDeps & { readonly uow: UnitOfWork<Used | keyof ConnectStores> },
  caller: Caller,
  kind: IntegrationKind,
  { make, attempt, admit, replace }: Connecting<Used>,
): Promise<IntegrationCard> {
  const { uow, clock } = deps;
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const before = await uow.read(caller.scope, ({ integrations }) => integrations.find(kind));
    // Before any request is sent to the new connection.
    await admit(before);
    const connection = make(before);
    const outcome = await attempt(connection);
    const card = await uow.write(caller.scope, async (stores) => {
      await requireStoredCredential(deps, stores, caller);
      const { integrations } = stores;
      // Only settings that were checked together are stored together, and a connection deleted meanwhile is not
      // restored.
      if (!sameConnection(before, await integrations.find(kind))) return undefined;
      await replace(stores, before);
      const now = clock.now();
      const stored = {
        kind,
        ...connection,
        enabled: true,
        ...findings(outcome, now),
        habits: (outcome.ok && outcome.habits) || [],
        updatedAt: now,
      };
      await integrations.put(stored);
      await resumeTasks(deps, stores, kind);
      const change = connectionChange(before, stored);
      if (change) await recordSecurityEvent(deps, stores, sourceOf(caller), change);
      return cardOf(kind, stored);
    });
    if (card) return card;
  }
  throw unavailable({}, 1);
}

/** An unknown kind cannot be connected. */
export function rejectKind(_deps: object, _caller: Caller): Promise<never> {
  return Promise.reject(notFound());
}

/** Checks the stored connection. The owner is notified if a working one has failed. */
export async function checkIntegration(
  deps: CheckDeps,
  caller: Caller,
  name: string,
): Promise<IntegrationCard> {
  const kind = kindOf(name);
  const before = await deps.uow.read(caller.scope, (stores) => stores.integrations.find(kind));
  if (!before) throw notConfigured();
  const outcome = await (kind === 'llm' ? model.checkModel : bucket.checkBucket)(deps, before);
  return deps.uow.write(caller.scope, async (stores) => {
    if (outcome.ok) await resumeTasks(deps, stores, kind);
    return recordOutcome(deps, stores, kind, before, outcome);
  });
}

/** Tasks that wait for a busy model are due: it answers again, or another connection takes its place. */
async function resumeTasks(
  { clock }: Pick<SecurityEventDeps, 'clock'>,
  { tasks }: Pick<Stores, 'tasks'>,
  kind: IntegrationKind,
): Promise<void> {
  if (kind === 'llm') await endPause(tasks, clock.now());
}

const FAILED: Readonly<Record<IntegrationKind, string>> = {
  llm: 'Your model is not responding',
  s3: 'Your bucket is not responding',
};

/** Records the result of using a connection, in a unit of work. The owner is notified if a working one has failed. */
export async function recordOutcome(
  deps: NotifyDeps,
  stores: Pick<Stores, 'integrations' | 'notifications'>,
  kind: IntegrationKind,
  used: Connection,
  outcome: ModelCheck,
): Promise<IntegrationCard> {
  const { integrations } = stores;
  const now = await integrations.find(kind);
  // The result is about a connection that no longer exists.
  if (!now || !sameConnection(used, now)) return cardOf(kind, now);
  const checked = {
    ...now,
    ...findings(outcome, deps.clock.now()),
    ...(outcome.ok && outcome.habits && { habits: outcome.habits }),
  };
  await integrations.put(checked);
  if (now.enabled && now.health === 'ok' && !outcome.ok)
    await notify(deps, stores, {
      kind: 'integration.failed',
      title: FAILED[kind],
      body: outcome.reason,
      payload: { kind, ...failureOf(outcome.reason, connectionReason) },
    });
  return cardOf(kind, checked);
}

/** Settings and secret remain stored while it is disabled. */
export async function toggleIntegration(
  deps: ConnectDeps,
  caller: Caller,
  name: string,
  enabled: boolean,
): Promise<IntegrationCard> {
  const kind = kindOf(name);
  return deps.uow.write(caller.scope, async (stores) => {
    const { integrations } = stores;
    const found = await integrations.find(kind);
    if (!found) throw notConfigured();
    const toggled = { ...found, enabled, updatedAt: deps.clock.now() };
    await integrations.put(toggled);
    await resumeTasks(deps, stores, kind);
    const change = connectionChange(found, toggled);
    if (change) await recordSecurityEvent(deps, stores, sourceOf(caller), change);
    return cardOf(kind, toggled);
  });
}

/** Deletes settings and secret. A bucket with files that the caller can see is rejected. */
export async function disconnect(
  deps: DisconnectDeps,
  caller: Caller,
  name: string,
): Promise<void> {
  const kind = kindOf(name);
  const read = () => deps.uow.read(caller.scope, ({ integrations }) => integrations.find(kind));
  if (kind === 's3' && (await read())) await requireUnused(deps, caller);
  await deps.uow.write(caller.scope, async (stores) => {
    const found = await stores.integrations.find(kind);
    if (!found) throw notFound();
    if (kind === 's3') await retireBucket(deps, stores, found);
    await stores.integrations.remove(kind);
    await resumeTasks(deps, stores, kind);
    await recordSecurityEvent(deps, stores, sourceOf(caller), connectionRemoval(found));
  });
}

const findings = (outcome: ModelCheck, checkedAt: number) => ({
  health: outcome.ok ? ('ok' as const) : ('error' as const),
  checkedAt,
  lastError: outcome.ok ? '' : outcome.reason,
});
