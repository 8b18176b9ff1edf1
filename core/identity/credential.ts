import type { Clock } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller, Credential } from '../shared/caller.ts';
import { isSessionValid, isTokenValid } from './authenticate.ts';
import { notAuthenticated } from './errors.ts';

/** Names a credential in stored or sealed state that outlives the request. */
export interface CredentialId {
  readonly kind: 'session' | 'token';
  readonly id: string;
}

export const credentialIdOf = ({ credential }: Pick<Caller, 'credential'>): CredentialId =>
  credential.kind === 'session'
    ? { kind: 'session', id: credential.session.id }
    : { kind: 'token', id: credential.token.id };

/** The session or token; undefined if it has ended or expired. */
export async function findCredential(
  clock: Clock,
  { sessions, tokens }: Pick<Stores, 'sessions' | 'tokens'>,
  { kind, id }: CredentialId,
): Promise<Credential | undefined> {
  const now = clock.now();
  if (kind === 'session') {
    const session = await sessions.find(id);
    return session && isSessionValid(session, now) ? { kind, session } : undefined;
  }
  const token = await tokens.find(id);
  return token && isTokenValid(token, now) ? { kind, token } : undefined;
}

/**
 * Ends with `unauthorized` if the caller's credential has ended since it was identified. In the transaction that adds a way
 * in: a sign-out either comes later and the addition was made by its owner, or comes first and nothing is added. Otherwise a
 * thief could prepare requests whose effect outlives the sign-out.
 */
export async function requireStoredCredential(
  { clock }: { readonly clock: Clock },
  stores: Pick<Stores, 'sessions' | 'tokens'>,
  caller: Pick<Caller, 'credential'>,
): Promise<void> {
  const { credential } = caller;
  const stored = await findCredential(clock, stores, credentialIdOf(caller));
  if (!stored) throw notAuthenticated();
  // A renewed session has another secret.
  if (stored.kind === 'session' && credential.kind === 'session')
    if (stored.session.digest !== credential.session.digest) throw notAuthenticated();
}
