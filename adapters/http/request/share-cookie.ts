import type { IncomingMessage } from 'node:http';

const NAME = 'share_access';

/** What a visitor's browser keeps after unlocking a share on its page. */
export interface ShareCookie {
  readonly access: string;
  /** Of the share, with whatever a reverse proxy puts before ours: the cookie goes nowhere else. */
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** No script reads it, and no other site's form sends it along. */
export const shareCookie = (
  { access, path, maxAgeSeconds }: ShareCookie,
  secure: boolean,
): string =>
  `${NAME}=${access}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** What unlocks a share, of a browser that was given it. */
export function shareAccessCookie({ headers: { cookie } }: IncomingMessage): string | undefined {
  for (const pair of cookie?.split(';') ?? []) {
    const [name, value] = pair.split('=', 2);
    if (name?.trim() === NAME) return value?.trim();
  }
  return undefined;
}
