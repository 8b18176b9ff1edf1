import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newDataFolder } from '../backends-env.ts';
import { startService, type Answer, type Profile, type Service } from '../http/harness.ts';
import { signInBrowser } from '../http/signed-in.ts';
import { registerServer } from '../leftovers.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { openModelService } from '../fake-model-server.ts';
import { OFFICE_SECRET, openOfficeService } from '../fake-document-server.ts';
import { TOKEN_SCOPES } from '../../ports/identity.ts';
import { readContract, type Contract, type Operation } from './contract.ts';
import { Pool, learn } from './pool.ts';
import { loopbackUrls } from './vocabulary.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
/** Rejected at once: no server listens there. */
const DEAD_ADDRESS = 'http://127.0.0.1:1';

/** One lane's owner and the known ids of its workspace. */
export interface LaneOwner {
  readonly id: string;
  readonly token: string;
  /** Each with fewer rights. */
  readonly limitedTokens: readonly string[];
  /** The cookie of a session, until a request ends it. */
  readonly cookie: string;
  readonly pool: Pool;
}

/** A served process with owners for requests, and a bystander that no request may affect. */
export interface World {
  readonly profile: Profile;
  readonly service: Service;
  readonly contract: Contract;
  readonly lanes: readonly LaneOwner[];
  readonly newLaneOwner: () => Promise<LaneOwner>;
  /** Values that work, by the name of the field. */
  readonly knownFor: (operation: Operation) => Readonly<Record<string, readonly unknown[]>>;
  /** Forbidden changes, memory use, and whether the process is alive. */
  inspect(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const plenty = {
  requests_per_minute: 1_000_000_000,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};

export async function openWorld(
  profile: Profile,
  lanes: number,
  extra: Readonly<Record<string, string>> = {},
): Promise<World> {
  const folder = await newDataFolder();
  const roles = join(folder, 'roles.json');
  await writeFile(roles, JSON.stringify({ unlimited: plenty }));
  const platform = await openMessengerService();
  const office = await openOfficeService();
  const model = await openModelService();
  const canary = await openCanary();
  const service = await startService(profile, {
    ROLES_FILE: roles,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    MESSENGER_API_URL: platform.origin,
    OFFICE_ENABLED: 'true',
    OFFICE_URL: office.origin,
    OFFICE_JWT_SECRET: OFFICE_SECRET,
    // One profile answers from the documents alone, the other with a model.
    ...(profile === 'team' && { LLM_URL: `${model.origin}/v1`, LLM_MODEL: 'a-model' }),
    ...extra,
  });
  const contract = readContract((await service.call('GET', '/v1/openapi.json')).json);
  const victim = await service.newOwner();
  const { tenant } = (await service.call('GET', '/v1/me', { token: victim.token })).json;
  const stranger = await makeVictim(service, victim.token);
  const before = await stateOf(service, victim.token);
  const defaults = await freshState(service);
  const files = await sampleFiles(service, victim.token);
  const botTokens = newBots(platform);
  let bots = 0;
  const newLaneOwner = async (): Promise<LaneOwner> => {
    const { id, token } = await service.newOwner('unlimited', tenant.name);
    const me = await service.call('GET', '/v1/me', { token });
    const limited: { readonly id: string; readonly token: string }[] = [];
    for (const rights of [{ access: 'read' }, ...TOKEN_SCOPES.map((each) => ({ scopes: [each] }))])
      limited.push(
        (await service.call('POST', '/v1/tokens', { token, body: { name: 'limited', ...rights } }))
          .json,
      );
    const limitedTokens = limited.map((each) => each.token);
    const session = await signInBrowser(service, id);
    const banned = [
      me.json.token.id,
      token,
      ...limited.map((each) => each.id),
      ...limitedTokens,
      session.id,
    ];
    const { cookie } = session;
    const owner = { id, token, limitedTokens, cookie, pool: new Pool(stranger, banned) };
    await furnish(service, contract, owner, botTokens[bots++ % botTokens.length]!);
    return owner;
  };
  const owners: LaneOwner[] = [];
  for (let lane = 0; lane < lanes; lane++) owners.push(await newLaneOwner());
  return {
    profile,
    service,
    contract,
    lanes: owners,
    newLaneOwner,
    knownFor: ({ path }) => ({
      ...KNOWN,
      ...files,
      url: loopbackUrls(canary.port),
      ...(path === '/v1/bots' && { token: botTokens }),
      ...(path.startsWith('/v1/bots/') && { chat_id: ['-5'] }),
      ...(path.startsWith('/v1/integrations') && { kind: ['llm', 's3'] }),
      ...(path.startsWith('/v1/calendar/events/') && { original_start: STARTS, from: STARTS }),
      ...(path === '/v1/calendar/agenda' && { from: ['2026-01-01'], to: ['2026-02-01'] }),
    }),
    inspect: async () => {
      const problems: string[] = [];
      const differs = (title: string, was: unknown, is: unknown): void => {
        if (JSON.stringify(was) !== JSON.stringify(is)) problems.push(title);
      };
      if (service.process.exitCode !== null || service.process.signalCode !== null)
        return ['the process has ended'];
      const health = await service.call('GET', '/health', { token: null });
      if (health.status !== 200) problems.push(`/health answers ${health.status}`);
      differs(
        'the workspace of the bystander has changed',
        before,
        await stateOf(service, victim.token),
      );
      differs('a fresh owner has other defaults', defaults, await freshState(service));
      if (canary.visits() > 0)
        problems.push(`a loopback address was called ${canary.visits()} times`);
      const rss = await residentBytes(service.process.pid ?? 0);
      if (rss > MAX_RESIDENT_BYTES) problems.push(`${Math.round(rss / 2 ** 20)} MiB of memory`);
      return problems;
    },
    close: async () => {
      await service.dispose();
      for (const each of [platform, office, model]) await each.close();
      canary.server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of a service of this size with all of its readers busy, several times over. */
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30;

/** Values that work, by the name of the field. */
export const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  timezone: ['Europe/Berlin', 'UTC'],
  tz: ['Europe/Berlin', 'America/New_York'],
  rrule: ['FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  starts_at: ['2026-01-05T09:00:00Z', '2026-01-06T10:00:00'],
  ends_at: ['2026-01-07T10:00:00Z', '2026-01-07T11:00:00'],
  pin: ['8642'],
  old_pin: ['8642'],
  password: ['a password'],
  platform: ['telegram'],
  endpoint: [DEAD_ADDRESS],
  base_url: [DEAD_ADDRESS],
  region: ['us-east-1'],
  bucket: ['a-bucket'],
  prefix: ['files'],
  access_key_id: ['AKIAEXAMPLE'],
  angle: [90, 180],
  mode: ['h', 'v'],
  quality: [80],
  max_side: [64],
  'upload-length': [0, 1, 5, 2_000],
  'upload-offset': [0, 1],
  'upload-metadata': [
    'filename YS50eHQ=',
    'filename Yi50eHQ=,on_duplicate cmV0dXJu',
    'relative_path VHJpcC9kYXkvYS50eHQ=',
  ],
  'upload-checksum': ['sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
};

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//x//y//EN',
  'BEGIN:VEVENT',
  'UID:one@example',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260105T090000Z',
  'DTEND:20260105T100000Z',
  'RRULE:FREQ=DAILY;COUNT=3',
  'SUMMARY:Tides',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

async function sampleFiles(service: Service, token: string): Promise<Record<string, Buffer[]>> {
  const headers = { authorization: `Bearer ${token}` };
  const archive = await fetch(`${service.base}/v1/export`, { headers });
  const zip = Buffer.from(await archive.arrayBuffer());
  return {
    'application/zip': [zip],
    'text/calendar': [Buffer.from(CALENDAR)],
    file: [
      Buffer.from('Lanterns are lit at dusk.'),
      Buffer.from('name,height\nhigh tide,4.2\n'),
      Buffer.from('<!doctype html><title>x</title><p>Tides.'),
      Buffer.from('{"a":[1,2,{"b":null}]}'),
      Buffer.from(''),
      PNG,
      await readFile(join(SAMPLES, 'letter.pdf')),
      Buffer.from(CALENDAR),
      zip,
    ],
  };
}

/** Creates data of every kind for an owner, and adds the responses to the pool. */
async function furnish(
  service: Service,
  contract: Contract,
  { token, pool }: LaneOwner,
  bot: string,
): Promise<void> {
  const make = async (path: string, body: object): Promise<string> => {
    const { json } = await service.call('POST', path, { token, body });
    const operation = contract.operations.find(
      (each) => each.path === path && each.method === 'post',
    );
    if (operation) learn(contract, pool, operation, json);
    return json.id;
  };
  const folder = await make('/v1/collections', { name: 'Harbour' });
  await make('/v1/themes', { name: 'Sea' });
  for (const content of ['Lanterns are lit at dusk.', 'The tide is high at noon.'])
    await make('/v1/objects/notes', { content, collection_id: folder });
  const form = new FormData();
  form.append('file', new Blob([PNG]), 'picture.png');
  form.append('file', new Blob(['name,height\nhigh,4']), 'tides.csv');
  const uploaded = await service.call('POST', '/v1/uploads', { token, raw: form });
  for (const { id } of uploaded.json.items) pool.add('object_id', id);
  pool.add('picture_id', uploaded.json.items[0].id);
  await make('/v1/shares', { kind: 'folder', resource_id: folder, role: 'contributor' });
  await make('/v1/shares', { kind: 'folder', resource_id: folder, password: 'a password' });
  await make('/v1/chats', { title: 'Tides' });
  await make('/v1/calendar/events', { ...SERIES, title: 'Tides' });
  await make('/v1/calendar/feed', {});
  await make('/v1/objects/reorganize', { dry_run: true });
  await make('/v1/bots', { platform: 'telegram', token: bot });
}

const STARTS = ['2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z', '2026-01-08T09:00:00Z'];
const SERIES = {
  starts_at: '2026-01-05T09:00:00Z',
  ends_at: '2026-01-05T10:00:00Z',
  rrule: 'FREQ=DAILY;COUNT=5',
};

/** A workspace with one resource of every kind. Returns their ids by name. */
async function makeVictim(
  service: Service,
  token: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const make = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await service.call('POST', path, { token, body });
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return json.id;
  };
  const note = await make('/v1/objects/notes', { content: 'mine alone', title: 'Mine' });
  await service.settled(note, { token });
  const folder = await make('/v1/collections', { name: 'Mine' });
  const event = await make('/v1/calendar/events', { ...SERIES, title: 'Mine' });
  return new Map([
    ['object_id', [note]],
    ['collection_id', [folder]],
    ['event_id', [event]],
    ['theme_id', [await make('/v1/themes', { name: 'Mine' })]],
    ['chat_id', [await make('/v1/chats', { title: 'Mine' })]],
    ['token_id', [await make('/v1/tokens', { name: 'Mine' })]],
    ['share_id', [await make('/v1/shares', { kind: 'file', resource_id: note })]],
  ]);
}

/** Everything that its owner sees. */
async function stateOf(service: Service, token: string): Promise<readonly string[]> {
  const lists = [
    'objects',
    'objects?trashed=true',
    'collections',
    'themes',
    'chats',
    'calendar/events',
    'shares',
    'notifications',
    'settings',
    'agents',
    'integrations',
    'tokens',
    'hidden-pin',
  ];
  const state: string[] = [];
  for (const list of lists) {
    const { json } = await service.call('GET', `/v1/${list}`, { token });
    state.push(
      JSON.stringify(json, (key, value: unknown) => (key.startsWith('last_used_') ? null : value)),
    );
  }
  return state;
}

async function freshState(service: Service): Promise<readonly unknown[]> {
  const { token } = await service.newOwner();
  const answers: Answer[] = [];
  for (const path of ['settings', 'agents', 'integrations', 'objects', 'hidden-pin'])
    answers.push(await service.call('GET', `/v1/${path}`, { token }));
  return answers.map(({ status, json }) => [status, json]);
}

const BOTS = 20;

function newBots(platform: MessengerService): readonly string[] {
  platform.group(-5n, 'Harbour');
  return Array.from({ length: BOTS }, (_, at) => {
    const token = `${700 + at}:AAF-fuzz`;
    platform.account(token);
    platform.placesBot(token, -5n, 'member');
    return token;
  });
}

/** Counts connections to an address of this machine that no link may reach. */
async function openCanary(): Promise<{
  readonly server: Server;
  readonly port: number;
  visits(): number;
}> {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  registerServer('the canary', server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, visits: () => visits };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
}
