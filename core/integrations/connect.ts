import type { IntegrationKind } from '../../ports/integrations.ts';
import type { ModelCheck } from '../../ports/language-model.ts';
import type { Clock } from '../../ports/time-and-ids.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound, unavailable } from '../shared/common-errors.ts';
import { cardOf, kindOf, type CardDeps, type IntegrationCard } from './cards.ts';
import { notAvailable, nothingConnected } from './errors.ts';
import {
  connectionFor,
  sameConnection,
  tryModel,
  type Connection,
  type ModelConfig,
  type ModelDeps,
} from './model.ts';

export interface WantedModel {
  readonly config: ModelConfig;
  /** Left out: the stored one stays where the address allows it. Empty: there is none. */
  readonly secret?: string;
}

export interface ConnectDeps extends CardDeps, ModelDeps {
  readonly clock: Clock;
}

export interface CheckDeps extends ModelDeps, NotifyDeps {
  readonly uow: UnitOfWork<'integrations' | 'notifications'>;
}

/** How often a connection is tried anew because another request changed it meanwhile. */
const MOST_TRIES = 3;

/** Connects a model and enables it, whether it answers or not: the card tells. */
export async function connectModel(
  deps: ConnectDeps,
  caller: Caller,
  { config, secret }: WantedModel,
): Promise<IntegrationCard> {
  const { uow, clock } = deps;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await uow.read(caller.scope, (stores) => stores.integrations.find('llm'));
    const connection = connectionFor(deps, config, secret, before);
    const outcome = await tryModel(deps, connection);
    const card = await uow.write(caller.scope, async ({ integrations }) => {
      // What is stored together was tried together, and what was forgotten meanwhile does not come back.
      if (!sameConnection(before, await integrations.find('llm'))) return undefined;
      const now = clock.now();
      const stored = {
        kind: 'llm' as const,
        ...connection,
        enabled: true,
        ...findings(outcome, now),
        updatedAt: now,
      };
      await integrations.put(stored);
      return cardOf('llm', stored);
    });
    if (card) return card;
  }
  throw unavailable({}, 1);
}

/** What can not be connected: everything but a model. */
export function connectOther(_deps: object, _caller: Caller, name: string): Promise<never> {
  return Promise.reject(kindOf(name) === 's3' ? notAvailable() : notFound());
}

/** Tries the connection as it is. An owner is told when one that worked no longer does. */
export async function checkIntegration(
  deps: CheckDeps,
  caller: Caller,
  name: string,
): Promise<IntegrationCard> {
  const kind = kindOf(name);
  const before = await deps.uow.read(caller.scope, (stores) => stores.integrations.find(kind));
  if (!before) throw nothingConnected();
  const outcome = await tryModel(deps, before);
  return deps.uow.write(caller.scope, (stores) =>
    recordOutcome(deps, stores, kind, before, outcome),
  );
}

/**
 * Puts down what using a connection has shown, in a unit of work. An owner is told when one that worked no longer does.
 */
export async function recordOutcome(
  deps: NotifyDeps,
  stores: Pick<Stores, 'integrations' | 'notifications'>,
  kind: IntegrationKind,
  used: Connection,
  outcome: ModelCheck,
): Promise<IntegrationCard> {
  const { integrations } = stores;
  const now = await integrations.find(kind);
  // It was found out about a connection that is no more.
  if (!now || !sameConnection(used, now)) return cardOf(kind, now);
  const checked = { ...now, ...findings(outcome, deps.clock.now()) };
  await integrations.put(checked);
  if (now.enabled && now.health === 'ok' && !outcome.ok)
    await notify(deps, stores, {
      kind: 'integration.failed',
      title: 'Your model does not answer',
      body: outcome.reason,
      payload: { kind },
    });
  return cardOf(kind, checked);
}

/** Settings and secret are kept while it is off. */
export async function toggleIntegration(
  deps: CardDeps & Pick<ConnectDeps, 'clock'>,
  caller: Caller,
  name: string,
  enabled: boolean,
): Promise<IntegrationCard> {
  const kind = kindOf(name);
  return deps.uow.write(caller.scope, async ({ integrations }) => {
    const found = await integrations.find(kind);
    if (!found) throw nothingConnected();
    const toggled = { ...found, enabled, updatedAt: deps.clock.now() };
    await integrations.put(toggled);
    return cardOf(kind, toggled);
  });
}

/** Forgets settings and secret. */
export async function disconnect(deps: CardDeps, caller: Caller, name: string): Promise<void> {
  const kind = kindOf(name);
  await deps.uow.write(caller.scope, async ({ integrations }) => {
    if (!(await integrations.remove(kind))) throw notFound();
  });
}

const findings = (outcome: ModelCheck, checkedAt: number) => ({
  health: outcome.ok ? ('ok' as const) : ('error' as const),
  checkedAt,
  lastError: outcome.ok ? '' : outcome.reason,
});
