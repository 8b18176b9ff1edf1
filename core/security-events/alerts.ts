import type { SecurityEvent } from '../../ports/security-events.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { notify, type Payloads } from '../notifications/index.ts';
import {
  recordSecurityEvent,
  type SecurityEventDeps,
  type SecurityEventInput,
  type SecuritySource,
} from './record.ts';

const DAY_MS = 86_400_000;
/** This many failed sign-ins in a day notify the owner. */
export const FAILED_SIGN_INS_PER_ALERT = 10;

export type AlertStores = Pick<Stores, 'securityEvents' | 'notifications'>;

interface Alert {
  readonly title: string;
  readonly body: string;
  readonly alert: Payloads['security.alert']['alert'];
  readonly attempts?: number;
  readonly passkey?: string;
}

/** Notifies the owner of an event, in its transaction. */
async function alertOwner(
  deps: SecurityEventDeps,
  stores: AlertStores,
  { id, kind, actor, network, at }: SecurityEvent,
  { title, body, alert, attempts = 0, passkey = '' }: Alert,
): Promise<void> {
  await notify(deps, stores, {
    kind: 'security.alert',
    title,
    body,
    payload: {
      event_id: id,
      kind,
      alert,
      client: actor.name,
      network,
      at: new Date(at).toISOString(),
      attempts,
      passkey,
    },
  });
}

/** A sign-in from a network and client that this owner has never used. */
export const alertNewClient = (
  deps: SecurityEventDeps,
  stores: AlertStores,
  event: SecurityEvent,
): Promise<void> =>
  alertOwner(deps, stores, event, {
    alert: 'new_client',
    title: 'A sign-in from a new place',
    body: `Someone signed in with ${event.actor.name || 'an unknown client'} ${placeAndTime(event)}. If that was not you, end this session, change your password and check your passkeys.`,
  });

/** A sign-in that was rejected because the passkey may have a copy; the detail of the event names both. */
export const alertCopiedPasskey = (
  deps: SecurityEventDeps,
  stores: AlertStores,
  event: SecurityEvent,
): Promise<void> =>
  alertOwner(deps, stores, event, {
    alert: 'copied_passkey',
    ...(typeof event.facts?.['passkey'] === 'string' && { passkey: event.facts['passkey'] }),
    title: 'A passkey may have been copied',
    body: `${event.detail} Remove it if that was not you.`,
  });

/** Records that PIN entry is locked after wrong attempts, and notifies the owner. */
export async function recordZoneLockout(
  deps: SecurityEventDeps,
  stores: AlertStores,
  source: SecuritySource,
  { attempts, until }: { readonly attempts: number; readonly until: Instant },
): Promise<void> {
  const event = await recordSecurityEvent(deps, stores, source, {
    kind: 'zone_locked_out',
    facts: { attempts, until: new Date(until).toISOString() },
    detail: `PIN entry is locked until ${timeOf(until)}, after ${attempts} wrong PINs in a row.`,
  });
  const { kind, name } = event.actor;
  await alertOwner(deps, stores, event, {
    alert: 'pin_locked',
    attempts,
    title: 'PIN entry is locked',
    body: `${attempts} wrong PINs in a row were entered ${placeAndTime(event)}, by the ${kind} "${name}". If that was not you, end this ${kind}.`,
  });
}

/**
 * Records a failed sign-in. The owner is notified when it is the tenth within a day, and again only after there were fewer.
 */
export async function recordFailedSignIn(
  deps: SecurityEventDeps,
  stores: AlertStores,
  source: SecuritySource,
  input: Omit<SecurityEventInput, 'kind'>,
): Promise<SecurityEvent> {
  const event = await recordSecurityEvent(deps, stores, source, {
    ...input,
    kind: 'sign_in_failed',
  });
  const limit = FAILED_SIGN_INS_PER_ALERT + 1;
  const failed = await stores.securityEvents.countSince(event.kind, event.at - DAY_MS, limit);
  if (failed === FAILED_SIGN_INS_PER_ALERT)
    await alertOwner(deps, stores, event, {
      alert: 'failed_sign_ins',
      attempts: failed,
      title: 'Many failed sign-ins',
      body: `${failed} sign-ins to your account have failed within a day, the last one ${placeAndTime(event)}. If that was not you, check that your password is used nowhere else, or sign in with a passkey only.`,
    });
  return event;
}

const placeAndTime = ({ network, at }: SecurityEvent): string =>
  `from ${network === '' ? 'an unknown network' : `the network ${network}`} at ${timeOf(at)}`;

/** To the minute, in UTC. */
const timeOf = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
