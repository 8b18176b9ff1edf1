import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { Sealer } from '../../ports/secrets.ts';

/** Settings and secret are stored together: a secret is valid only for its address. */
export type Connection = Pick<Integration, 'config' | 'sealedSecret' | 'secretHint'>;

/** Timeout of a connection check. */
export const CHECK_MS = 10_000;
export const SEALED_WITH_OTHER_KEY: ConnectionSentence =
  'The stored secret was sealed with another key. Send it again.';
/** The hint would reveal half of a shorter secret. */
const MIN_HINTED_LENGTH = 8;

/** The given secret, or the stored one if none was given and it `stays`; '' removes it. */
export function connectionOf(
  { sealer }: { readonly sealer: Sealer },
  config: Integration['config'],
  sent: string | undefined,
  stays: Connection | undefined,
): Connection {
  if (sent !== undefined && sent !== '')
    return { config, sealedSecret: sealer.seal(sent), secretHint: hintOf(sent) };
  return sent === undefined && stays
    ? { ...stays, config }
    : { config, sealedSecret: null, secretHint: '' };
}

/** Whether the checked settings are still the stored ones. */
export const sameConnection = (a: Connection | undefined, b: Connection | undefined): boolean =>
  a?.sealedSecret === b?.sealedSecret &&
  JSON.stringify(a?.config ?? null) === JSON.stringify(b?.config ?? null);

const hintOf = (secret: string): string =>
  secret.length < MIN_HINTED_LENGTH ? '' : secret.slice(-4);
