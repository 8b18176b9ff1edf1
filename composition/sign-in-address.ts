import { onLocalhost } from '../adapters/webauthn/relying-party.ts';
import type { Config } from './config.ts';

/**
 * The address of a one-time link. The code is in the fragment, which browsers send to no server. Without PUBLIC_URL it is the
 * listen address, as `localhost` where possible: browsers allow passkeys there, but not at an IP address.
 */
export const signInAddress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  listenAddress: string,
  code: string,
): string => `${(publicUrl || onLocalhost(listenAddress)).replace(/\/+$/, '')}/app/sign-in#${code}`;
