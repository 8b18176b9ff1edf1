import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT, UnsecuredJWT, decodeJwt, exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider, interactionPolicy, type Adapter, type Configuration } from 'oidc-provider';
import { startLocalServer } from './local-server.ts';

export const CLIENT_ID = 'workspace';
export const CLIENT_SECRET = 'client-secret-of-this-test-0123456789';
/** Of a service behind a proxy, in specs. */
export const PUBLIC_URL = 'https://workspace.example.org/base';
export const CALLBACK_PATH = '/v1/sign-in/oidc/callback';

/** How an ID token deviates from the one that the provider made. */
export type Forgery =
  | { readonly claims: Readonly<Record<string, unknown>> }
  | { readonly signedBy: 'removed key' | 'unpublished key' | 'client secret' }
  | { readonly unsigned: true }
  | { readonly altered: 'payload' | 'signature' };

/** Replaces the answer of an endpoint. Without a call of `response.end` it hangs. */
export type Interference = (request: IncomingMessage, response: ServerResponse) => void;

/** A real OpenID Connect provider in this process, whose people sign in without a form. */
export interface FakeOidcProvider {
  readonly issuer: string;
  /** The claims of a person, by subject. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  /**
   * What a browser does: signs in as the subject, and returns the address that it is sent to. With the cookies of an earlier
   * sign-in it is known there.
   */
  signIn(url: string, subject: string, cookies?: Map<string, string>): Promise<string>;
  /** From now on ID tokens deviate. */
  forges(forgery: Forgery | null): void;
  /** From now on the endpoint with this path is answered otherwise. */
  interferes(path: string, interference: Interference | null): void;
  /** Replaces the signing key; the earlier one is no longer published. */
  rotateKey(): Promise<void>;
  /** Whether claims are in the ID token, or at the UserInfo endpoint only. */
  setClaimsInIdToken(isInIdToken: boolean): void;
  /** The paths of all requests. */
  readonly requests: string[];
  close(): Promise<void>;
}

type SigningKey = JWK & { readonly kid: string };

async function newKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

const policy = interactionPolicy.base();
policy.get('consent')?.checks.remove('native_client_prompt');

type Rows = Map<string, Record<string, unknown>>;

/** What the provider stores, of all its models; without expiry, since nothing lives that long. */
function memoryAdapter(): (model: string) => Adapter {
  const models = new Map<string, Rows>();
  return (model) => {
    const rows: Rows = models.get(model) ?? new Map();
    models.set(model, rows);
    const where = async (field: string, value: string) =>
      [...rows.values()].find((row) => row[field] === value);
    return {
      upsert: async (id, payload) => void rows.set(id, { ...payload }),
      find: async (id) => rows.get(id),
      findByUid: (uid) => where('uid', uid),
      findByUserCode: (code) => where('userCode', code),
      consume: async (id) => void rows.set(id, { ...rows.get(id), consumed: true }),
      destroy: async (id) => void rows.delete(id),
      revokeByGrantId: async (grantId) => {
        for (const [id, row] of rows) if (row['grantId'] === grantId) rows.delete(id);
      },
    };
  };
}

export async function openOidcProvider(port = 0): Promise<FakeOidcProvider> {
  const people: FakeOidcProvider['people'] = new Map();
  const requests: string[] = [];
  const interferences = new Map<string, Interference>();
  let forgery: Forgery | null = null;
  let key = await newKey();
  const unpublished = await newKey();
  let removed = unpublished;
  let isInIdToken = true;
  const rowsOf = memoryAdapter();
  let provider: Provider | undefined;

  const site = await startLocalServer(
    (request, response) => {
      const path = (request.url ?? '').replace(/\?.*$/, '');
      requests.push(path);
      const interference = interferences.get(path);
      if (interference) interference(request, response);
      else if (path.startsWith('/interaction/')) void interact(request, response);
      else void provider?.callback()(request, response);
    },
    '127.0.0.1',
    port,
  );
  const issuer = site.origin;

  const forged = (token: string): Promise<string> | string => {
    if (!forgery) return token;
    const claims = decodeJwt(token);
    if ('claims' in forgery) return signed({ ...claims, ...forgery.claims }, key);
    if ('signedBy' in forgery) {
      const { signedBy } = forgery;
      if (signedBy !== 'client secret')
        return signed(claims, signedBy === 'removed key' ? removed : unpublished);
      const secret = Buffer.from(CLIENT_SECRET);
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    }
    if ('unsigned' in forgery) return new UnsecuredJWT(claims).encode();
    const [head = '', payload = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'another-account' }));
    return forgery.altered === 'payload'
      ? `${head}.${other.toString('base64url')}.${signature}`
      : `${head}.${payload}.${flipped(signature)}`;
  };

  const build = (): Provider => {
    const made = new Provider(issuer, configuration());
    made.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && typeof body?.id_token === 'string')
        body.id_token = await forged(body.id_token);
    });
    // Expected errors of the protocol are answered; others are a defect of the test.
    made.on('server_error', (_context, error: Error) => process.emitWarning(error));
    return made;
  };

  const configuration = (): Configuration => ({
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        // Native, because the port of a loopback address is not compared then (RFC 8252 §7.3).
        application_type: 'native',
        redirect_uris: [
          `http://127.0.0.1${CALLBACK_PATH}`,
          `http://localhost${CALLBACK_PATH}`,
          `${PUBLIC_URL}${CALLBACK_PATH}`,
        ],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['cookie-key-of-this-test'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'role', 'roles'] },
    conformIdTokenClaims: !isInIdToken,
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}`, policy },
    adapter: (model) => rowsOf(model),
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
    loadExistingGrant: async (context) => {
      const { client, session, provider: own } = context.oidc;
      const grant = new own.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });

  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const subject = String(request.headers['x-test-subject'] ?? '');
    const result =
      subject === ''
        ? { error: 'access_denied', error_description: 'the person <b>refused</b>' }
        : { login: { accountId: subject } };
    await provider?.interactionFinished(request, response, result);
  };

  provider = build();
  return {
    issuer,
    people,
    requests,
    signIn: (url, subject, cookies) => followed(url, subject, CALLBACK_PATH, cookies),
    forges: (next) => (forgery = next),
    interferes: (path, next) => {
      if (next) interferences.set(path, next);
      else interferences.delete(path);
    },
    rotateKey: async () => {
      removed = key;
      key = await newKey();
      provider = build();
    },
    setClaimsInIdToken: (next) => {
      isInIdToken = next;
      provider = build();
    },
    close: () => site.close(),
  };
}

const signed = async (claims: Record<string, unknown>, key: SigningKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(key);

const flipped = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

const MAX_HOPS = 10;

/** Follows redirects like a browser, with cookies, until the callback; '' as the subject refuses. */
async function followed(
  start: string,
  subject: string,
  callbackPath: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  let url = start;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (new URL(url).pathname.endsWith(callbackPath)) return url;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-test-subject': subject,
      },
    });
    await response.arrayBuffer();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answers with ${response.status}.`);
    url = new URL(location, url).href;
  }
  throw new Error('The provider redirects too often.');
}
