import type { Integration } from '../../ports/integrations.ts';
import type { Sealer } from '../../ports/secrets.ts';

/** What goes together: a secret belongs to the place it was given for. */
export type Connection = Pick<Integration, 'config' | 'sealedSecret' | 'secretHint'>;

/** How long trying a connection may take. */
export const CHECK_MS = 10_000;
export const SEALED_OTHERWISE = 'The stored secret was sealed under another key. Send it again.';
/** A shorter secret would be half told by its hint. */
const SHORTEST_HINTED = 8;

/** The secret that was sent, or the stored one where it `stays` if none was; '' drops it. */
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

/** Whether what was tried is still what is stored. */
export const sameConnection = (a: Connection | undefined, b: Connection | undefined): boolean =>
  a?.sealedSecret === b?.sealedSecret &&
  JSON.stringify(a?.config ?? null) === JSON.stringify(b?.config ?? null);

const hintOf = (secret: string): string =>
  secret.length < SHORTEST_HINTED ? '' : secret.slice(-4);
