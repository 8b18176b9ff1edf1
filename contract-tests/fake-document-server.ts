import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_SCRIPT, EDITOR_PAGE } from './fake-document-editor.ts';
import { startLocalServer } from './local-server.ts';

export const OFFICE_SECRET = 'a-secret-of-the-document-server-32+';

/** How a token is signed; by default `HS256` with the server's secret, valid from now for five minutes. */
export interface Signing {
  readonly alg?: 'HS256' | 'HS384' | 'HS512' | 'RS256' | 'none';
  readonly secret?: string;
  /** Seconds from now. */
  readonly iat?: number | null;
  readonly exp?: number | null;
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A token as signed by document servers (RFC 7519), or by an attacker. */
export function engineToken(claims: object, how: Signing = {}): string {
  const { alg = 'HS256', secret = OFFICE_SECRET, iat = 0, exp = 300 } = how;
  const now = Math.floor(Date.now() / 1000);
  const signed = `${part({ alg, typ: 'JWT' })}.${part({
    ...claims,
    ...(iat !== null && { iat: now + iat }),
    ...(exp !== null && { exp: now + exp }),
  })}`;
  if (alg === 'none') return `${signed}.`;
  if (alg === 'RS256')
    return `${signed}.${signWith('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')}`;
  const mac = createHmac(`sha${alg.slice(2)}`, secret)
    .update(signed)
    .digest('base64url');
  return `${signed}.${mac}`;
}

/** The claims of a token that is signed with HS256 and the secret; undefined for any other. */
export function claimsIn(
  token: string,
  secret = OFFICE_SECRET,
): Record<string, unknown> | undefined {
  const [head = '', body = '', mac = ''] = token.split('.');
  const right = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  if (alg !== 'HS256' || mac !== right) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
}

/** The response to a request for one of its saved files. */
export type Serving =
  Uint8Array | string | ((response: ServerResponse, request: IncomingMessage) => void);

export interface SentCallback {
  readonly key?: string;
  readonly status: number;
  readonly url?: string | null;
  readonly [more: string]: unknown;
}

export interface CallbackHow {
  /** The location of the token; both by default, as published. */
  readonly token?: 'body' | 'header' | 'both' | 'nowhere';
  readonly signing?: Signing;
  /** The signed payload, if it differs from the body. */
  readonly claims?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As much of an editor's config as the engine looks at. */
export interface EngineConfig {
  readonly document: { readonly key: string; readonly url: string };
  readonly editorConfig: { readonly callbackUrl: string };
}

export interface CallbackAnswer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the specs judge
  readonly json: any;
}

/** How it behaves; well, unless a spec says otherwise. */
export interface Mood {
  health: 'well' | 'ill' | 'missing' | 'silent' | 'failing' | 'moved';
  secret: string;
  /** Whether its services have the addresses of earlier releases, of later ones, or none. */
  services: 'earlier' | 'later' | 'none';
  /** Whether it can reach the file to be converted. */
  reaches: boolean;
  /** What it writes before the path of its files; its own origin if undefined. */
  names: string | undefined;
  /** The sub-path at which a proxy serves it; '' for none. Any other path is 404. */
  base: string;
  /** Whether it serves what it has converted. */
  serves: boolean;
}

export const GOOD_MOOD: Omit<Mood, 'base'> = {
  health: 'well',
  secret: OFFICE_SECRET,
  services: 'earlier',
  reaches: true,
  names: undefined,
  serves: true,
};

/** A document server on this machine that implements the published interface of ONLYOFFICE Docs. */
export interface OfficeService {
  readonly origin: string;
  readonly port: number;
  readonly mood: Mood;
  /** Requested paths. */
  readonly asked: string[];
  /** Configurations with which its editor was opened in a browser. */
  readonly opened: readonly EngineConfig[];
  visits(): number;
  /** The URL of a saved file. */
  saves(file: Serving): string;
  /** Reads the document of a config, as when it is opened. */
  reads(config: EngineConfig): Promise<Response>;
  tells(config: EngineConfig, said: SentCallback, how?: CallbackHow): Promise<CallbackAnswer>;
  close(): Promise<void>;
}

export async function openOfficeService(base = ''): Promise<OfficeService> {
  const mood: Mood = { ...GOOD_MOOD, base };
  const files = new Map<string, Serving>();
  const requested: string[] = [];
  const opened: EngineConfig[] = [];
  const site = await startLocalServer((request, response) => {
    const { pathname: sent } = new URL(request.url ?? '/', 'http://engine');
    requested.push(sent);
    if (!sent.startsWith(`${mood.base}/`)) return void response.writeHead(404).end('Not found');
    const pathname = sent.slice(mood.base.length);
    const file = files.get(pathname);
    if (file !== undefined) return serve(file, request, response);
    if (pathname === '/healthcheck') return health(mood, response);
    if (pathname === '/web-apps/apps/api/documents/api.js' && mood.health !== 'failing')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(API_SCRIPT);
    if (pathname === '/web-apps/apps/documenteditor/main/index.html')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(EDITOR_PAGE);
    if (pathname === '/opened') return void openDocument(opened, request, response);
    if (pathname.startsWith(CONVERTED) && mood.serves) return void response.end('converted');
    const service = SERVICES[mood.services][pathname];
    if (!service) return void response.writeHead(404).end('Not found');
    void answered(service, mood, request, response);
  });
  return {
    origin: site.origin,
    port: site.port,
    mood,
    asked: requested,
    opened,
    visits: () => site.visits(),
    saves: (file) => {
      const path = `/cache/files/data/${files.size + 1}/output.docx`;
      files.set(path, file);
      return `${mood.names ?? site.origin + mood.base}${path}`;
    },
    reads: readDocument,
    tells: (config, said, how) => tell(config, said, how),
    close: () => site.close(),
  };
}

/** The editor hands its configuration over, and gets what the server has read at the document's address. */
async function openDocument(
  opened: EngineConfig[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const config = JSON.parse((await bodyOf(request)).toString()) as EngineConfig;
  const document = await readDocument(config);
  opened.push(config);
  response.end(`${document.status}, ${(await document.arrayBuffer()).byteLength} bytes`);
}

const readDocument = ({ document }: EngineConfig): Promise<Response> => {
  const authorization = `Bearer ${engineToken({ payload: { url: document.url } })}`;
  return fetch(document.url, { headers: { authorization } });
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function serve(file: Serving, request: IncomingMessage, response: ServerResponse): void {
  if (typeof file === 'function') file(response, request);
  else response.writeHead(200, { 'content-length': Buffer.byteLength(file) }).end(file);
}

function health({ health }: Mood, response: ServerResponse): void {
  if (health === 'silent') return;
  if (health === 'missing') response.writeHead(404).end('Not found');
  else if (health === 'moved')
    response.writeHead(301, { location: 'https://documentserver/healthcheck' }).end();
  else if (health === 'failing') response.writeHead(502).end('Bad gateway');
  else response.end(String(health === 'well'));
}

type Asked = Record<string, unknown>;
type Service = (requested: Asked, mood: Mood, origin: string) => Promise<object>;
const CONVERTED = '/cache/files/converted/';

const command: Service = ({ c }) =>
  Promise.resolve(c === 'version' ? { error: 0, version: '9.0.4' } : { error: 5 });

/** A conversion reads the whole document before it begins. */
const convert: Service = async ({ url, key }, { reaches, names }, origin) => {
  const got =
    reaches &&
    (await fetch(String(url)).then(
      (it) => it.ok,
      () => false,
    ));
  return got
    ? {
        endConvert: true,
        fileType: 'docx',
        fileUrl: `${names ?? origin}${CONVERTED}${String(key)}/output.docx`,
        percent: 100,
      }
    : { error: -4 };
};

const SERVICES: Record<Mood['services'], Record<string, Service>> = {
  earlier: { '/coauthoring/CommandService.ashx': command, '/ConvertService.ashx': convert },
  later: { '/command': command, '/converter': convert },
  none: {},
};

/** The token in the body counts, and without one that of the header. */
async function answered(
  service: Service,
  mood: Mood,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse((await bodyOf(request)).toString()) as Asked;
  const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  const inBody = body['token'];
  const claims = claimsIn(typeof inBody === 'string' ? inBody : bearer, mood.secret);
  const signed = claims && ((claims['payload'] as Asked | undefined) ?? claims);
  const answer = signed
    ? await service(signed, mood, `http://${request.headers.host}${mood.base}`)
    : { error: 'c' in body ? 6 : -8 };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

async function tell(
  { document, editorConfig }: EngineConfig,
  said: SentCallback,
  { token = 'both', signing, claims, headers }: CallbackHow = {},
): Promise<CallbackAnswer> {
  const body = { key: document.key, users: ['somebody'], ...said };
  const signed = claims ?? body;
  const inBody = token === 'body' || token === 'both';
  const inHeader = token === 'header' || token === 'both';
  const response = await fetch(editorConfig.callbackUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(inHeader && { authorization: `Bearer ${engineToken({ payload: signed }, signing)}` }),
      ...headers,
    },
    body: JSON.stringify({ ...body, ...(inBody && { token: engineToken(signed, signing) }) }),
  });
  return { status: response.status, json: await response.json() };
}
