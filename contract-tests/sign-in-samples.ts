import fc from 'fast-check';
import { ACTOR_KINDS, SECURITY_EVENT_KINDS, type SecurityEvent } from '../ports/security-events.ts';
import {
  SIGN_IN_METHODS,
  type OidcLink,
  type OneTimeSecret,
  type Passkey,
  type Session,
} from '../ports/sign-in.ts';
import { names, newId, orNull, texts, wholes } from './samples.ts';

export const aSignInSession = (over: Partial<Session> = {}): Session => {
  const id = newId();
  return {
    id,
    digest: `digest of ${id}`,
    method: 'password',
    createdAt: 1_000,
    signedInAt: 1_000,
    lastUsedAt: 1_000,
    expiresAt: Number.MAX_SAFE_INTEGER,
    network: '192.0.2.0/24',
    client: 'Firefox on Linux',
    ...over,
  };
};

export const signInSessions = (): fc.Arbitrary<Session> =>
  fc
    .record({
      method: fc.constantFrom(...SIGN_IN_METHODS),
      createdAt: wholes(),
      signedInAt: wholes(),
      lastUsedAt: fc.oneof(wholes(), fc.nat(2)),
      expiresAt: wholes(),
      network: names(),
      client: names(),
    })
    .map((session) => aSignInSession(session));

export const aPasskey = (over: Partial<Passkey> = {}): Passkey => {
  const id = newId();
  return {
    id,
    credentialId: `credential-${id}`,
    publicKey: 'pQECAyYgASFYIA',
    counter: 0,
    transports: ['internal'],
    isBackupEligible: true,
    isBackedUp: false,
    name: 'laptop',
    createdAt: 1_000,
    lastUsedAt: null,
    ...over,
  };
};

export const passkeys = (): fc.Arbitrary<Passkey> =>
  fc
    .record({
      publicKey: texts(),
      counter: wholes(),
      transports: fc.array(names(), { maxLength: 3 }),
      isBackupEligible: fc.boolean(),
      isBackedUp: fc.boolean(),
      name: texts(),
      createdAt: fc.oneof(wholes(), fc.nat(2)),
      lastUsedAt: orNull(wholes()),
    })
    .map((passkey) => aPasskey(passkey));

export const anOidcLink = (over: Partial<OidcLink> = {}): OidcLink => ({
  issuer: 'https://id.example',
  subject: `subject ${newId()}`,
  linkedAt: 1_000,
  ...over,
});

export const aOneTimeSecret = (over: Partial<OneTimeSecret> = {}): OneTimeSecret => ({
  digest: `digest of ${newId()}`,
  purpose: 'link',
  ownerId: null,
  payload: '',
  expiresAt: 1_000,
  ...over,
});

export const aSecurityEvent = (over: Partial<SecurityEvent> = {}): SecurityEvent => {
  const id = newId();
  return {
    id,
    seq: 1,
    at: 1_000,
    kind: 'signed_in',
    actor: { kind: 'session', id: newId(), name: 'Firefox on Linux' },
    network: '192.0.2.0/24',
    subject: '',
    detail: 'Signed in by password.',
    facts: { method: 'password' },
    objectId: null,
    previousDigest: '',
    digest: `digest of ${id}`,
    ...over,
  };
};

export const securityEvents = (): fc.Arbitrary<SecurityEvent> =>
  fc
    .record({
      at: wholes(),
      kind: fc.constantFrom(...SECURITY_EVENT_KINDS),
      actor: fc.record({ kind: fc.constantFrom(...ACTOR_KINDS), id: texts(), name: texts() }),
      network: texts(),
      subject: texts(),
      detail: texts(),
      facts: orNull(
        fc.dictionary(
          fc.constantFrom('name', 'cause', 'count'),
          fc.oneof(texts(), fc.boolean(), fc.constant(null), fc.array(texts(), { maxLength: 2 })),
          { maxKeys: 3, noNullPrototype: true },
        ),
      ),
      objectId: orNull(fc.uuid()),
      previousDigest: texts(),
      digest: texts(),
    })
    .map((event) => aSecurityEvent(event));

/** A chain of `count` events at the times 0, 1, 2 and so on. */
export const aChain = (count: number, over: Partial<SecurityEvent> = {}): SecurityEvent[] =>
  Array.from({ length: count }, (_, i) => aSecurityEvent({ seq: i + 1, at: i, ...over }));
