import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { OneTimeSecrets } from '../../ports/sign-in.ts';

/** How long the person at the browser may take. */
export const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;

export type Ceremony = 'passkey-sign-in' | 'passkey-registration';

export interface ChallengeDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digests: SecretDigest;
  readonly oneTimeSecrets: OneTimeSecrets;
}

/** A new challenge of WebAuthn. A registration belongs to an owner, and replaces the owner's earlier one. */
export async function issueChallenge(
  { clock, random, digests, oneTimeSecrets }: ChallengeDeps,
  ceremony: Ceremony,
  ownerId: string | null,
): Promise<string> {
  const challenge = random.secret(CHALLENGE_BYTES);
  if (ownerId !== null) await oneTimeSecrets.removeOf(ownerId, ceremony);
  await oneTimeSecrets.add({
    digest: digests.digest(challenge),
    purpose: ceremony,
    ownerId,
    payload: '',
    expiresAt: clock.now() + CHALLENGE_MS,
  });
  return challenge;
}

/** Whether the challenge was issued for this ceremony and owner. It is consumed by this call. */
export async function consumeChallenge(
  { clock, digests, oneTimeSecrets }: ChallengeDeps,
  challenge: string,
  ceremony: Ceremony,
  ownerId: string | null,
): Promise<boolean> {
  const issued = await oneTimeSecrets.consume(digests.digest(challenge), ceremony, clock.now());
  return issued !== undefined && issued.ownerId === ownerId;
}
