import type { SecretDigest } from '../../ports/secrets.ts';
import type {
  SecurityActor,
  SecurityEvent,
  SecurityEventKind,
  SecurityFacts,
} from '../../ports/security-events.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { networkOf } from '../shared/network.ts';
import { digestOf } from './chain.ts';

export interface SecurityEventDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digests: SecretDigest;
}

export interface SecurityEventInput {
  readonly kind: SecurityEventKind;
  /** What it is about; '' for the account. */
  readonly subject?: string;
  /** A sentence for people, without secrets and without text of documents. */
  readonly detail: string;
  /** What the sentence says, for programs. As little a secret as the sentence. */
  readonly facts?: SecurityFacts;
  /** The object it concerns: the event is not listed while that object is hidden and the zone is locked. */
  readonly objectId?: string | null;
}

/** Who acts, and from which network. */
export interface SecuritySource {
  readonly actor: SecurityActor;
  readonly network: string;
}

/** The event that follows the last one of an owner's chain, or begins it. */
export function nextSecurityEvent(
  deps: SecurityEventDeps,
  last: SecurityEvent | undefined,
  { actor, network }: SecuritySource,
  { kind, subject = '', detail, facts, objectId = null }: SecurityEventInput,
): SecurityEvent {
  const linked: Omit<SecurityEvent, 'digest'> = {
    id: deps.random.uuid(),
    seq: (last?.seq ?? 0) + 1,
    at: deps.clock.now(),
    kind,
    actor,
    network,
    subject,
    detail,
    facts: facts ?? null,
    objectId,
    previousDigest: last?.digest ?? '',
  };
  return { ...linked, digest: digestOf(deps.digests, linked) };
}

/** Appends an event to the owner's chain, in the transaction of what happened. */
export async function recordSecurityEvent(
  deps: SecurityEventDeps,
  { securityEvents }: Pick<Stores, 'securityEvents'>,
  source: SecuritySource,
  input: SecurityEventInput,
): Promise<SecurityEvent> {
  const event = nextSecurityEvent(deps, await securityEvents.last(), source, input);
  await securityEvents.append(event);
  return event;
}

/** The session or token of a caller. */
export function sourceOf({
  credential,
  client,
}: Pick<Caller, 'credential' | 'client'>): SecuritySource {
  const network = networkOf(client.address);
  return credential.kind === 'session'
    ? {
        actor: { kind: 'session', id: credential.session.id, name: credential.session.client },
        network,
      }
    : { actor: { kind: 'token', id: credential.token.id, name: credential.token.name }, network };
}

export const OPERATOR: SecuritySource = {
  actor: { kind: 'operator', id: '', name: 'command line' },
  network: '',
};

export const SYSTEM: SecuritySource = { actor: { kind: 'system', id: '', name: '' }, network: '' };

/** A visitor of a share, or a sign-in that failed. */
export const visitorSource = (address: string): SecuritySource => ({
  actor: { kind: 'visitor', id: '', name: '' },
  network: networkOf(address),
});
