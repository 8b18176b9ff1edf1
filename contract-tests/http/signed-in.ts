import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Call, Served } from './harness.ts';

/** The headers of a page of the service. */
export const OF_A_PAGE = { 'sec-fetch-site': 'same-origin' } as const;

export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** The name and value that a response sets for the session cookie; '' for a cleared one, undefined without a change. */
export function cookieSetBy({ headers }: Answer): string | undefined {
  const [sent] = headers.getSetCookie().filter((each) => /^(__Host-)?session=/.test(each));
  if (sent === undefined) return undefined;
  return /Max-Age=0(;|$)/.test(sent) ? '' : sent.split(';', 1)[0];
}

/** A browser in which an owner is signed in. */
export interface SignedInBrowser {
  /** Name and value. */
  readonly cookie: string;
  readonly id: string;
  /** A request of a page of the service. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
}

export interface SignInRequest {
  /** The cookie that the browser has already. */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const openLink = (service: Served, code: string, { cookie, headers }: SignInRequest = {}) =>
  service.call('POST', '/v1/sign-in/link', {
    token: null,
    headers: { 'user-agent': CHROME, ...(cookie !== undefined && { cookie }), ...headers },
    body: { code },
  });

/** Signs a browser in by a one-time link. */
export async function signInBrowser(
  service: Served,
  owner: string,
  request: SignInRequest = {},
): Promise<SignedInBrowser> {
  const answer = await openLink(service, await service.signInCode(owner), request);
  const cookie = cookieSetBy(answer);
  if (answer.status !== 200 || !cookie) throw new Error(`${answer.status}: ${answer.text}`);
  return browserWith(service, cookie, answer.json.session.id as string);
}

/** The browser with a cookie, as it calls a process of the service. */
export const browserWith = (service: Served, cookie: string, id = ''): SignedInBrowser => ({
  cookie,
  id,
  call: (method, path, { headers, ...rest } = {}) =>
    service.call(method, path, {
      token: null,
      headers: { cookie, ...OF_A_PAGE, ...headers },
      ...rest,
    }),
});

/** Loaded into a served process before anything else: its clock is off by the milliseconds in a file. */
const SHIFTED_CLOCK = `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));`;

/** A clock that specs put forward, for all processes with its environment. */
export interface ShiftedClock {
  readonly env: Readonly<Record<string, string>>;
  forward(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

export async function openShiftedClock(): Promise<ShiftedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'ow-clock-'));
  const [file, code] = [join(folder, 'clock'), join(folder, 'clock.mjs')];
  await writeFile(code, SHIFTED_CLOCK);
  await writeFile(file, '0');
  let offset = 0;
  return {
    env: { CLOCK_FILE: file, NODE_OPTIONS: `--import=${code}` },
    forward: async (ms) => {
      offset += ms;
      await writeFile(file, String(offset));
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}
