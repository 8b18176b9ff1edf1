import { createHash } from 'node:crypto';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import fc from 'fast-check';
import { Picker, SWEEP, WORDS, type Command, type Known, type Sent } from './commands.ts';
import type { HttpReply } from './http-client.ts';

/** The data that only one of the two workspaces has: all of it is hidden before the first command. */
export interface Hidden {
  readonly as: 'note' | 'file' | 'link' | 'picture';
  readonly words: readonly string[];
  /** Has the bytes of a visible object. */
  readonly isTwin: boolean;
  readonly inFolder: boolean;
  /** Its history before it was hidden. */
  readonly past: readonly (typeof PAST)[number][];
}

const PAST = [
  'trashed',
  'edited',
  'corrected',
  'shared',
  'seen',
  'turned',
  'read',
  'cited',
  'attached',
  'in a bulk run',
] as const;

export interface Step {
  readonly command: number;
  readonly numbers: readonly number[];
}

export const someHidden: fc.Arbitrary<Hidden[]> = fc.array(
  fc.record({
    as: fc.constantFrom('note', 'file', 'link', 'picture'),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
    isTwin: fc.boolean(),
    inFolder: fc.boolean(),
    past: fc.uniqueArray(fc.constantFrom(...PAST), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

export const someSteps = (commands: readonly Command[], maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      command: fc.nat(commands.length - 1),
      numbers: fc.array(fc.nat(1_000), { minLength: 6, maxLength: 10 }),
    }),
    { minLength: 1, maxLength, size: 'max' },
  );

export type Lists = {
  -readonly [K in keyof Known]: Known[K] extends readonly (infer T)[] ? T[] : never;
};

/** One world, reached by HTTP alone. */
export interface Stage {
  send(sent: Sent): Promise<HttpReply>;
  /** Waits until no background work is left. */
  settle(): Promise<void>;
  /** Begins a step: where ids and the time are deterministic they depend on its number. */
  step(number: number): void;
}

export const nothingKnown = (): Lists => ({
  hidden: [],
  hiddenBytes: [],
  hiddenTasks: [],
  hiddenNotifications: [],
  hiddenShares: [],
  hiddenShareTokens: [],
  hiddenThemes: [],
  hiddenChats: [],
  archives: [],
  objects: [],
  folders: [],
  themes: [],
  chats: [],
  shares: [],
  shareTokens: [],
  notifications: [],
  tasks: [],
  events: [],
});

interface Reply {
  readonly id: string;
  readonly session_id: string;
  readonly token: string;
  readonly task_id: string;
  readonly items: readonly (Reply & { readonly payload: { readonly object_id?: string } })[];
}

const PIN = '1234';

class Owner {
  readonly #stage: Stage;
  token: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async call(method: string, path: string, body?: object, key?: string): Promise<Reply> {
    const { status, body: text } = await this.#call(method, path, body, key);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.toString()}`);
    return JSON.parse(text.toString()) as Reply;
  }

  async archive(): Promise<Uint8Array> {
    return (await this.#call('GET', '/v1/export')).body;
  }

  #call(method: string, path: string, body?: object, key?: string): Promise<HttpReply> {
    return this.#stage.send({
      method,
      path,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(this.token !== undefined && { 'x-hidden-token': this.token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async upload(
    name: string,
    text: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<string> {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    form.append('file', new Blob([text]), name);
    const request = new Request('http://localhost/', { method: 'POST', body: form });
    const { body, status } = await this.#stage.send({
      method: 'POST',
      path: '/v1/uploads',
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: new Uint8Array(await request.arrayBuffer()),
    });
    if (status !== 200) throw new Error(`upload: ${status} ${body.toString()}`);
    return (JSON.parse(body.toString()) as Reply).items[0]!.id;
  }
}

/** The visible workspace, the same in both worlds. `picture` generates the bytes of an image. */
export async function furnish(stage: Stage, picture: (seed: string) => string): Promise<Lists> {
  const owner = new Owner(stage);
  const known = nothingKnown();
  stage.step(1);
  const theme = await owner.call('POST', '/v1/themes', { name: 'Home' });
  const folder = await owner.call('POST', '/v1/collections', {
    name: 'Folder',
    theme_id: theme.id,
  });
  known.themes.push(theme.id);
  known.folders.push(folder.id);
  const note = { content: 'harbour lantern', collection_id: folder.id };
  known.objects.push((await owner.call('POST', '/v1/objects/notes', note)).id);
  await stage.settle();
  const place = { collection_id: folder.id };
  known.objects.push(await owner.upload('invoice meadow.txt', 'copper winter', place));
  // One after the other: notifications are listed in the order in which reading ends.
  await stage.settle();
  known.objects.push(await owner.upload('a.png', picture('0'), place));
  const question = { question: 'harbour', object_ids: [known.objects[0]] };
  known.chats.push((await owner.call('POST', '/v1/ask', question)).session_id);
  for (const [kind, resource_id] of [
    ['folder', folder.id],
    ['file', known.objects[0]],
  ]) {
    const role = kind === 'folder' ? 'contributor' : 'viewer';
    const share = await owner.call('POST', '/v1/shares', { kind, resource_id, role });
    known.shares.push(share.id);
    known.shareTokens.push(share.token);
  }
  await stage.settle();
  return known;
}

const HIDDEN_STEP = 50;

/** Adds the hidden objects and their data, and locks the zone. Returns the earlier token. */
export async function conceal(
  stage: Stage,
  known: Lists,
  all: readonly Hidden[],
  picture: (seed: string) => string,
): Promise<string> {
  const owner = new Owner(stage);
  for (const [n, each] of all.entries()) {
    stage.step(HIDDEN_STEP + n);
    const said = each.words.join(' ');
    const text = each.isTwin ? 'harbour lantern' : `${said}. About ${said}.`;
    const bytes = each.as === 'picture' ? picture(each.isTwin ? '0' : said) : text;
    const place = each.inFolder ? { collection_id: known.folders[0]! } : {};
    const id =
      each.as === 'note'
        ? (await owner.call('POST', '/v1/objects/notes', { content: text, ...place }, `made-${n}`))
            .id
        : each.as === 'link'
          ? (
              await owner.call('POST', '/v1/objects/links', {
                url: 'https://harbour.test/0',
                ...place,
              })
            ).id
          : await owner.upload(each.as === 'picture' ? 'b.png' : 'b.txt', bytes, place);
    known.hidden.push(id);
    if (!known.hiddenBytes.includes(bytes))
      known.hiddenBytes.push(bytes, 'y'.repeat(Buffer.byteLength(bytes)));
    await stage.settle();
    for (const past of each.past) await live(stage, owner, known, id, each, past);
  }
  stage.step(HIDDEN_STEP + 20);
  const theme = await owner.call('POST', '/v1/themes', { name: 'Secret', is_hidden: true });
  known.hiddenThemes.push(theme.id);
  // Erasing the theme leaves its folder, which a closed zone shows without a theme in both worlds.
  const folder = await owner.call('POST', '/v1/collections', {
    name: WORDS[0],
    theme_id: theme.id,
  });
  known.folders.push(folder.id);
  known.archives.push(await owner.archive());
  for (const [n, id] of known.hidden.entries()) {
    await owner.call('PATCH', `/v1/objects/${id}`, { is_hidden: true });
    if (all[n]!.past.includes('trashed')) await owner.call('DELETE', `/v1/objects/${id}`);
  }
  await stage.settle();
  known.archives.push(await owner.archive());
  stage.step(HIDDEN_STEP + 21);
  owner.token = (await owner.call('POST', '/v1/hidden-pin', { pin: PIN })).token;
  const page = await owner.call('GET', '/v1/notifications?limit=200');
  for (const { id, payload } of page.items)
    (known.hidden.includes(payload.object_id ?? '')
      ? known.hiddenNotifications
      : known.notifications
    ).push(id);
  return owner.token;
}

async function live(
  stage: Stage,
  owner: Owner,
  known: Lists,
  id: string,
  { as, words }: Hidden,
  past: (typeof PAST)[number],
): Promise<void> {
  const one = `/v1/objects/${id}`;
  const { version } = (await owner.call('GET', one)) as unknown as { version: number };
  if (past === 'edited' && (as === 'note' || as === 'file'))
    await owner.call('PUT', `${one}/content`, {
      content: `${words.join(' ')} copper`,
      base_version: version,
    });
  if (past === 'corrected')
    await owner.call('PUT', `${one}/text`, { text: 'copper lantern', base_version: version });
  if (past === 'shared') {
    const share = await owner.call('POST', '/v1/shares', { kind: 'file', resource_id: id });
    known.hiddenShares.push(share.id);
    known.hiddenShareTokens.push(share.token);
  }
  if (past === 'seen' && as === 'picture')
    await stage.send({ method: 'GET', path: `${one}/thumbnail` });
  if (past === 'turned' && as === 'picture')
    known.hiddenTasks.push(
      (await owner.call('POST', `${one}/image/rotate`, { angle: 90 })).task_id,
    );
  if (past === 'in a bulk run') {
    const body = { ids: [id], action: 'categorize', categories: ['x'] };
    known.hiddenTasks.push((await owner.call('POST', '/v1/objects/bulk', body)).task_id);
    const others = { filter: { include_hidden: true }, except: known.objects };
    const matching = { ...others, action: 'categorize', categories: ['y'] };
    known.hiddenTasks.push((await owner.call('POST', '/v1/objects/bulk', matching)).task_id);
  }
  if (past === 'cited')
    known.hiddenChats.push(
      (await owner.call('POST', '/v1/ask', { question: words.join(' '), object_ids: [id] }))
        .session_id,
    );
  if (past === 'attached') {
    // Hidden from its beginning: an empty conversation would be visible, and its change published.
    const asked = { question: words.join(' '), object_ids: [id] };
    const chat = (await owner.call('POST', '/v1/ask', asked)).session_id;
    await owner.call('PATCH', `/v1/chats/${chat}`, { pinned: true });
    const attachments = [id, known.objects[0]!];
    await owner.call('POST', `/v1/chats/${chat}/turns`, { content: 'harbour', attachments });
    known.hiddenChats.push(chat);
  }
  await stage.settle();
  if (past === 'read') {
    const { items } = await owner.call('GET', '/v1/notifications?limit=200');
    const ids = items.filter(({ payload }) => payload.object_id === id).map((each) => each.id);
    await owner.call('POST', '/v1/notifications/read', { ids: [...ids, UNKNOWN_ID] });
  }
}

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

/** Permanently deletes the data that `conceal` has hidden. */
export async function erase(stage: Stage, known: Known, token: string): Promise<void> {
  const owner = new Owner(stage);
  owner.token = token;
  stage.step(HIDDEN_STEP + 22);
  for (const id of known.hidden) await owner.call('DELETE', `/v1/objects/${id}?permanent=true`);
  for (const id of known.hiddenThemes) await owner.call('DELETE', `/v1/themes/${id}`);
  await stage.settle();
}

/** A response, under the name of its command. */
export interface Played {
  readonly command: string;
  readonly sent: string;
  readonly reply: HttpReply;
}

/** Locks the zone, plays the steps, and looks at everything. */
export async function play(
  stage: Stage,
  before: Known,
  commands: readonly Command[],
  steps: readonly Step[],
): Promise<readonly Played[]> {
  const known = structuredClone(before);
  const played: Played[] = [];
  const send = async (command: Pick<Command, 'name' | 'gives'>, sent: Sent): Promise<void> => {
    const reply = await stage.send(sent);
    played.push({ command: command.name, sent: `${sent.method} ${sent.path}`, reply });
    if (reply.status === 200 && command.gives)
      command.gives(JSON.parse(reply.body.toString()) as unknown, known);
  };
  stage.step(99);
  await stage.send({ method: 'POST', path: '/v1/hidden-pin/lock' });
  // A folder that has lost its theme was changed then: after this request it has the same time of change in both worlds.
  const headers = { 'content-type': 'application/json' };
  for (const id of known.folders)
    await stage.send({
      method: 'PATCH',
      path: `/v1/collections/${id}`,
      headers,
      body: Buffer.from('{"icon":"f"}'),
    });
  for (const [i, { command, numbers }] of steps.entries()) {
    stage.step(100 + 2 * i);
    const chosen = commands[command % commands.length]!;
    await send(chosen, chosen.request(new Picker(known, numbers)));
    stage.step(101 + 2 * i);
    await stage.settle();
  }
  stage.step(100 + 2 * steps.length);
  for (const sent of SWEEP) await send({ name: 'sweep' }, sent);
  for (const id of [...known.objects, ...known.hidden])
    await send({ name: 'sweep' }, { method: 'GET', path: `/v1/objects/${id}` });
  for (const id of [...known.chats, ...known.hiddenChats])
    await send({ name: 'sweep' }, { method: 'GET', path: `/v1/chats/${id}` });
  for (const token of [...known.shareTokens, ...known.hiddenShareTokens])
    await send(
      { name: 'sweep' },
      { method: 'GET', path: `/v1/public/shares/${token}`, as: 'unknown' },
    );
  return played;
}

/** Say nothing of a workspace, and differ from one reply to the next. */
const LEFT_OUT = new Set(['date', 'x-request-id', 'keep-alive', 'connection']);

/** Replies as they are compared: to the byte. */
export const literal = (played: readonly Played[]): readonly string[] =>
  played.map(({ command, reply: { status, headers, body } }) => {
    const reported = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
    const text = /zip|image|octet/.test(headers['content-type'] ?? '')
      ? body.toString('base64')
      : body.toString();
    return `${command}: ${status}\n${JSON.stringify(reported)}\n${text}`;
  });

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME =
  /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
/** When a calendar entry was made, stamped or changed; whole seconds have no parameter for the rest. */
const CALENDAR_TIME =
  /^(DTSTAMP|CREATED|LAST-MODIFIED)(?:;X-OWNER-WORKSPACE-MS=\d+)?:\d{8}T\d{6}Z/gm;
/** Made of a time and an id. */
const CURSOR = /("next_cursor":")[^"]+/g;
/** The beginning of a secret. */
const PREFIX = /("(?:token_)?prefix":")[^"]+/g;
/** The same in the text of a notification; a token may begin with any character of base64url. */
const LINK_PREFIX = /((?:by|through) the link )[\w-]{6}(?=…)/g;
const SECRET = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/**
 * Replies with each id, time and secret replaced by a placeholder in the order of first appearance, and with archives
 * unpacked. Tags and lengths that follow from those values are left out.
 */
export async function upToNames(
  played: readonly Played[],
  known: Known,
): Promise<readonly string[]> {
  const names = new Map<string, string>();
  const named = (kind: string) => (value: string) => {
    if (!names.has(value)) names.set(value, `${kind}-${names.size}`);
    return names.get(value)!;
  };
  for (const id of known.hidden) named('hidden')(id);
  const plain = (text: string) =>
    text
      .replaceAll(ID, named('id'))
      .replaceAll(CURSOR, '$1cursor')
      .replaceAll(PREFIX, '$1prefix')
      .replaceAll(LINK_PREFIX, '$1prefix')
      .replaceAll(TIME, 'time')
      .replaceAll(CALENDAR_TIME, '$1:time')
      .replaceAll(SECRET, named('secret'));
  const reported: string[] = [];
  for (const { command, sent, reply } of played) {
    const { status, headers, body } = reply;
    const stored = Object.entries(headers).filter(
      ([name, value]) =>
        !LEFT_OUT.has(name) &&
        !name.startsWith('ratelimit') &&
        !(name === 'etag' && value.startsWith('W/')),
    );
    const type = headers['content-type'] ?? '';
    const text =
      /zip/.test(type) && status === 200
        ? await unpacked(body)
        : /image|octet/.test(type)
          ? hash(body)
          : body.toString();
    reported.push(plain(`${command}: ${sent} ${status}\n${JSON.stringify(stored)}\n${text}`));
  }
  return reported;
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Entries that hold sizes and hashes of entries with times and ids. */
const DIGESTED = /^(manifest\.json|metadata\/calendar-\d+\.jsonl)$/;

/** The contents of an archive, without timestamps and values derived from ids. */
async function unpacked(bytes: Buffer): Promise<string> {
  const source = {
    size: bytes.length,
    async *read({ first, last }: { first: number; last: number }) {
      yield await Promise.resolve(bytes.subarray(first, last + 1));
    },
  };
  const archive = await zipArchives().open(source, { maxEntries: 1e5, maxBytes: 1e9 });
  const files: string[] = [];
  for (const path of archive.paths()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.read(path)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    files.push(
      `${path}\n${DIGESTED.test(path) ? text.replaceAll(/"(sha256|size)":[^,}]+/g, '') : text}`,
    );
  }
  return files.join('\n');
}

/** Where the replies of two worlds begin to differ, if they do. */
export function firstDifference(
  one: readonly string[],
  other: readonly string[],
): string | undefined {
  const place = one.findIndex((each, i) => each !== other[i]);
  if (place < 0) return undefined;
  const [a, b] = [one[place] ?? '', other[place] ?? 'no reply'];
  const at = Math.max(0, a.split('').findIndex((char, i) => char !== b[i]) - 200);
  const part = (text: string) => JSON.stringify(text.slice(at, at + 400));
  return `reply ${place} tells the worlds apart: ${a.split('\n', 1)[0]}\n${part(a)}\n${part(b)}`;
}
