import {
  INTEGRATION_KINDS,
  type Integration,
  type IntegrationKind,
} from '../../ports/integrations.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { notesOn, type ConnectionNote } from './notes.ts';

export const INTEGRATION_STATUSES = ['not_configured', 'ok', 'error', 'disabled'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** A connection as shown to its owner, configured or not. */
export interface IntegrationCard {
  readonly kind: IntegrationKind;
  readonly configured: boolean;
  readonly enabled: boolean;
  readonly status: IntegrationStatus;
  readonly checkedAt: Instant | null;
  readonly lastError: string;
  readonly secretHint: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** What the last check of a model has shown. */
  readonly notes: readonly ConnectionNote[];
}

export interface CardDeps {
  readonly uow: UnitOfWork<'integrations'>;
}

/** Always one card of each kind. */
export async function listIntegrations(
  deps: CardDeps,
  caller: Caller,
): Promise<readonly IntegrationCard[]> {
  return deps.uow.read(caller.scope, async ({ integrations }) => {
    const cards: IntegrationCard[] = [];
    for (const kind of INTEGRATION_KINDS) cards.push(cardOf(kind, await integrations.find(kind)));
    return cards;
  });
}

export async function getIntegration(
  deps: CardDeps,
  caller: Caller,
  name: string,
): Promise<IntegrationCard> {
  const kind = kindOf(name);
  return deps.uow.read(caller.scope, async ({ integrations }) =>
    cardOf(kind, await integrations.find(kind)),
  );
}

export function kindOf(name: string): IntegrationKind {
  const kind = INTEGRATION_KINDS.find((each) => each === name);
  if (!kind) throw notFound();
  return kind;
}

export function cardOf(kind: IntegrationKind, stored: Integration | undefined): IntegrationCard {
  if (!stored)
    return {
      kind,
      configured: false,
      enabled: false,
      status: 'not_configured',
      checkedAt: null,
      lastError: '',
      secretHint: '',
      config: {},
      notes: [],
    };
  const { enabled, health, checkedAt, lastError, secretHint, config, habits } = stored;
  const status = enabled ? health : 'disabled';
  return {
    kind,
    configured: true,
    enabled,
    status,
    checkedAt,
    lastError,
    secretHint,
    config,
    notes: notesOn(habits),
  };
}
