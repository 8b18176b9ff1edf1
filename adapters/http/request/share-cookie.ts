import type { IncomingMessage } from 'node:http';

const NAME = 'share_access';

/** Stored by a visitor's browser after unlocking a share on its page. */
export interface ShareCookie {
  readonly access: string;
  /** The path of the share as the browser sees it, with the prefix of a reverse proxy. The cookie is sent to no other. */
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** No script can read it, and no form of another site sends it. */
export const shareCookie = (
  { access, path, maxAgeSeconds }: ShareCookie,
  secure: boolean,
): string =>
  `${NAME}=${access}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** The access token of a share in the cookie. */
export function shareAccessCookie({ headers: { cookie } }: IncomingMessage): string | undefined {
  for (const pair of cookie?.split(';') ?? []) {
    const [name, value] = pair.split('=', 2);
    if (name?.trim() === NAME) return value?.trim();
  }
  return undefined;
}
