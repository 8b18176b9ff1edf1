import fc from 'fast-check';
import { routes } from '../../adapters/http/routes/index.ts';
import {
  COMMANDS,
  filterOf,
  form,
  orderOf,
  WORDS,
  type Command,
  type Known,
  type Picker,
} from './commands.ts';
import type { HttpReply, HttpRequest } from './http-client.ts';
import { nothingKnown, type Lists } from './noninterference.ts';

/** Data outside the bound folders, or hidden in one of them: in one of the two workspaces only. */
export interface Outside {
  readonly as: 'note' | 'file' | 'link' | 'picture';
  readonly words: readonly string[];
  /** Has the bytes and the name of an object in a bound folder. */
  readonly isTwin: boolean;
  readonly place: 'another folder' | 'no folder' | 'hidden in a bound folder';
  readonly past: readonly (typeof PAST)[number][];
  /** After this step of the bound caller; before the first if it is 0. */
  readonly after: number;
}

/** In the order in which it happens. */
const PAST = [
  'edited',
  'asked about',
  'shared',
  'moved through',
  'seen',
  'turned',
  'chat in a bound folder',
  'trashed',
  'erased',
] as const;

export const someOutside: fc.Arbitrary<Outside[]> = fc.array(
  fc.record({
    as: fc.constantFrom('note', 'file', 'link', 'picture'),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
    isTwin: fc.boolean(),
    place: fc.constantFrom('another folder', 'no folder', 'hidden in a bound folder'),
    past: fc.uniqueArray(fc.constantFrom(...PAST), { maxLength: 4 }),
    after: fc.constantFrom(0, 0, 0, 1, 3, 5),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The whole workspace, by HTTP with an unbound token. */
export class Owner {
  readonly #send: (request: HttpRequest) => Promise<HttpReply>;
  readonly settle: () => Promise<void>;

  constructor(send: (request: HttpRequest) => Promise<HttpReply>, settle: () => Promise<void>) {
    this.#send = send;
    this.settle = settle;
  }

  async call(method: string, path: string, body?: object, key?: string): Promise<Reply> {
    const { status, body: text } = await this.#send({
      method,
      path,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.toString()}`);
    return JSON.parse(text.toString()) as Reply;
  }

  async upload(name: string, text: string, folder: string | null): Promise<string> {
    const form = new FormData();
    if (folder !== null) form.append('collection_id', folder);
    form.append('file', new Blob([text]), name);
    const request = new Request('http://localhost/', { method: 'POST', body: form });
    const { body, status } = await this.#send({
      method: 'POST',
      path: '/v1/uploads',
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: new Uint8Array(await request.arrayBuffer()),
    });
    if (status !== 200) throw new Error(`upload: ${status} ${body.toString()}`);
    return (JSON.parse(body.toString()) as Reply).items[0]!.id;
  }
}

interface Reply {
  readonly id: string;
  readonly token: string;
  readonly task_id: string;
  readonly version: number;
  readonly items: readonly Reply[];
}

/** Two bound folders with content, shares and trash, the same in both worlds. */
export async function furnishFolders(
  owner: Owner,
  picture: (seed: string) => string,
): Promise<Lists> {
  const known = nothingKnown();
  const theme = await owner.call('POST', '/v1/themes', { name: 'Home' });
  known.themes.push(theme.id);
  for (const [name, place] of [
    ['Folder', { theme_id: theme.id }],
    ['Second', {}],
  ] as const)
    known.folders.push((await owner.call('POST', '/v1/collections', { name, ...place })).id);
  const [first, second] = known.folders;
  const content = 'harbour lantern';
  const note = { content, collection_id: first };
  known.objects.push((await owner.call('POST', '/v1/objects/notes', note)).id);
  known.objects.push(await owner.upload('invoice meadow.txt', 'copper winter', first!));
  known.objects.push(await owner.upload('a.png', picture('0'), second!));
  const longer = 'The winter harbour. A lantern of copper, and an invoice for it. договор 合同';
  known.objects.push(await owner.upload('long.txt', longer, second!));
  const thrown = await owner.upload('thrown.txt', 'meadow река', first!);
  await owner.settle();
  await owner.call('DELETE', `/v1/objects/${thrown}`);
  known.objects.push(thrown);
  for (const [kind, resource_id] of [
    ['folder', first],
    ['file', known.objects[0]],
  ]) {
    const role = kind === 'folder' ? 'contributor' : 'viewer';
    const share = await owner.call('POST', '/v1/shares', { kind, resource_id, role });
    known.shares.push(share.id);
    known.shareTokens.push(share.token);
  }
  await owner.settle();
  return known;
}

/** What is known in a workspace without the data outside: its own ids, and those that exist in the other one only. */
export function withForeign(own: Lists, foreign: Lists): Lists {
  const more = (list: 'folders' | 'chats') => [
    ...own[list],
    ...foreign[list].slice(own[list].length),
  ];
  const { themes, objects, shares, shareTokens } = own;
  const lists = { themes, objects, shares, shareTokens };
  return { ...foreign, ...lists, folders: more('folders'), chats: more('chats') };
}

/** Account-wide data of one world: another theme and folder, chats, a PIN, keys that the bound caller uses as well. */
export async function furnishAccount(owner: Owner, known: Lists, hasPin: boolean): Promise<string> {
  const theme = await owner.call('POST', '/v1/themes', { name: WORDS[0] });
  known.hiddenThemes.push(theme.id);
  // A folder with the name of a bound one.
  const place = { name: 'Folder', theme_id: theme.id };
  const { id } = await owner.call('POST', '/v1/collections', place);
  const twin = await owner.call('POST', '/v1/collections', { name: 'Folder' });
  const beside = { name: 'Beside', theme_id: known.themes[0] };
  const neighbour = await owner.call('POST', '/v1/collections', beside);
  known.folders.push(id, twin.id, neighbour.id);
  await owner.call('POST', '/v1/ask', { question: 'harbour lantern' });
  await owner.call('POST', '/v1/ask', {
    question: 'copper winter',
    collection_id: known.folders[0],
  });
  for (const key of KEYS)
    for (const content of WORDS.slice(0, 3))
      await owner
        .call('POST', '/v1/objects/notes', { content, collection_id: id }, `${key} ${content}`)
        .then((made) => known.hidden.push(made.id));
  await owner.call('POST', '/v1/calendar/events', {
    title: 'harbour',
    starts_at: '2026-01-02T09:00:00Z',
    ends_at: '2026-01-02T10:00:00Z',
  });
  await owner.settle();
  if (hasPin) await owner.call('POST', '/v1/hidden-pin', { pin: '1234' });
  return id;
}

/** Adds one object outside with its past. `elsewhere` is a folder that is not bound. */
export async function addOutside(
  owner: Owner,
  known: Lists,
  elsewhere: string,
  each: Outside,
  picture: (seed: string) => string,
): Promise<void> {
  const said = each.words.join(' ');
  const text = each.isTwin ? 'harbour lantern' : `${said}. About ${said}.`;
  const bytes = each.as === 'picture' ? picture(each.isTwin ? '0' : said) : text;
  const here = known.folders[0]!;
  const folder =
    each.place === 'no folder' ? null : each.place === 'another folder' ? elsewhere : here;
  const place = folder === null ? {} : { collection_id: folder };
  const id =
    each.as === 'note'
      ? (await owner.call('POST', '/v1/objects/notes', { content: text, ...place })).id
      : each.as === 'link'
        ? (
            await owner.call('POST', '/v1/objects/links', {
              url: 'https://harbour.test/0',
              ...place,
            })
          ).id
        : await owner.upload(each.as === 'picture' ? 'a.png' : 'invoice meadow.txt', bytes, folder);
  known.hidden.push(id);
  if (!known.hiddenBytes.includes(bytes)) known.hiddenBytes.push(bytes);
  await owner.settle();
  const isHiddenHere = each.place === 'hidden in a bound folder';
  if (isHiddenHere) await owner.call('PATCH', `/v1/objects/${id}`, { is_hidden: true });
  // Behind a locked zone nothing more happens to a hidden object.
  else
    for (const past of PAST)
      if (each.past.includes(past)) await happen(owner, known, id, each, past, elsewhere);
  await owner.settle();
}

async function happen(
  owner: Owner,
  known: Lists,
  id: string,
  { as, words }: Outside,
  past: (typeof PAST)[number],
  elsewhere: string,
): Promise<void> {
  const one = `/v1/objects/${id}`;
  await owner.settle();
  switch (past) {
    case 'edited': {
      if (as === 'link' || as === 'picture') return;
      const { version } = await owner.call('GET', one);
      const content = `${words.join(' ')} copper`;
      await owner.call('PUT', `${one}/content`, { content, base_version: version });
      return;
    }
    case 'asked about':
      await owner.call('POST', '/v1/ask', { question: words.join(' '), object_ids: [id] });
      return;
    case 'shared': {
      const share = await owner.call('POST', '/v1/shares', { kind: 'file', resource_id: id });
      known.hiddenShares.push(share.id);
      return;
    }
    case 'moved through':
      for (const collection_id of [known.folders[0], elsewhere])
        await owner.call('PUT', `${one}/collection`, { collection_id });
      return;
    case 'seen':
      if (as === 'picture') await owner.call('GET', `${one}/versions`);
      return;
    case 'turned':
      if (as !== 'picture') return;
      known.hiddenTasks.push(
        (await owner.call('POST', `${one}/image/rotate`, { angle: 90 })).task_id,
      );
      return;
    case 'chat in a bound folder': {
      const chat = await owner.call('POST', '/v1/chats', { collection_id: known.folders[0] });
      await owner.call('POST', `/v1/chats/${chat.id}/turns`, { content: words.join(' ') });
      known.chats.push(chat.id);
      return;
    }
    case 'trashed':
      await owner.call('DELETE', one);
      return;
    case 'erased':
      await owner.call('DELETE', `${one}?permanent=true`);
  }
}

const KEYS = ['once', 'twice'];

const json = (method: string, path: string, body: object, headers: object = {}) => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const idInto =
  (list: 'objects' | 'chats') =>
  (reply: unknown, known: Known): void => {
    const { id } = reply as { readonly id?: string };
    if (id !== undefined) known[list].push(id);
  };
const here = (p: Picker) => ({ collection_id: p.number(4) ? p.boundFolder() : p.folder() });

/** What a bound caller does most, besides everything that any caller may try. */
const WITHIN: readonly Command[] = [
  {
    name: 'note here',
    request: (p) => json('POST', '/v1/objects/notes', { content: p.bytes(), ...here(p) }),
    gives: idInto('objects'),
  },
  {
    name: 'note here with a key',
    request: (p) => {
      const content = p.of(WORDS.slice(0, 3));
      const headers = { 'idempotency-key': `${p.of(KEYS)} ${content}` };
      return json('POST', '/v1/objects/notes', { content, ...here(p) }, headers);
    },
    gives: idInto('objects'),
  },
  {
    name: 'link here',
    request: (p) =>
      json('POST', '/v1/objects/links', { url: 'https://harbour.test/0', ...here(p) }),
    gives: idInto('objects'),
  },
  {
    name: 'upload here',
    request: (p) =>
      form('POST', '/v1/uploads', [[`${p.words()}.txt`, p.bytes()]], {
        on_duplicate: ['return', 'reject'][p.number(2)]!,
        ...here(p),
      }),
  },
  {
    name: 'ask in words',
    request: (p) => json('POST', '/v1/ask', { question: p.words() }),
  },
  {
    name: 'ask about objects',
    request: (p) => json('POST', '/v1/ask', { question: p.words(), object_ids: [p.object()] }),
  },
  {
    name: 'search by page',
    request: (p) => ({
      method: 'GET',
      path: `/v1/search?q=${encodeURIComponent(p.words())}&limit=${1 + p.number(3)}&offset=${p.number(3)}`,
    }),
  },
  {
    name: 'list by page',
    request: (p) => ({
      method: 'GET',
      path: `/v1/objects?limit=${1 + p.number(3)}&offset=${p.number(4)}&trashed=${p.flag()}`,
    }),
  },
  {
    name: 'filtered list',
    request: (p) => ({
      method: 'GET',
      path: `/v1/objects?${filterOf(p)}&${orderOf(p)}&limit=${1 + p.number(3)}`,
    }),
  },
  {
    name: 'filtered search',
    request: (p) => ({
      method: 'GET',
      path: `/v1/search?q=${encodeURIComponent(p.words())}&${filterOf(p)}&${orderOf(p)}`,
    }),
  },
  {
    name: 'move here',
    request: (p) => json('PUT', `/v1/objects/${p.object()}/collection`, here(p)),
  },
  {
    name: 'categorize many',
    request: (p) =>
      json('POST', '/v1/objects/bulk', {
        ids: p.objects(),
        action: 'categorize',
        categories: [p.words()],
      }),
  },
  { name: 'folder', request: (p) => ({ method: 'GET', path: `/v1/collections/${p.folder()}` }) },
  { name: 'themes', request: () => ({ method: 'GET', path: '/v1/themes?include_hidden=true' }) },
  {
    name: 'share here',
    request: (p) =>
      json('POST', '/v1/shares', { kind: 'folder', resource_id: p.folder(), role: 'viewer' }),
  },
];

/** Shows secrets, the credential itself, or how busy the service is. */
const INCOMPARABLE = ['createToken', 'deepHealth', 'openApi', 'whoAmI'];
const OWNED = routes.filter(
  ({ access, name }) => access === 'owner' && !INCOMPARABLE.includes(name),
);
const QUERIES = new Map([
  ['search', '?q=harbour'],
  ['getAgenda', '?from=2026-01-01&to=2026-02-01'],
  ['textPlaces', '?char_start=0&char_end=1'],
]);

/** Every route, those of the account as well, with ids of any kind and an empty body. */
const ANY_ROUTE: Command = {
  name: 'any route (import, enrich)',
  request: (p) => {
    const { method, path, name } = p.of(OWNED)!;
    const anyId = () =>
      p.of([p.object, p.folder, p.theme, p.chat, p.share, p.task, p.event, p.notification])!();
    const filled = path
      .replace(':version', '1')
      .replace(':op', 'rotate')
      .replace(':original_start', '2026-01-06T09%3A00%3A00Z')
      .replaceAll(/:\w+/g, anyId);
    const target = { method: method.toUpperCase(), path: `${filled}${QUERIES.get(name) ?? ''}` };
    return method === 'get' || method === 'delete' ? target : json(target.method, target.path, {});
  },
};

/** A visitor of a share is another caller, who is not bound: only shares of the bound folders are visited. */
export const BOUND_COMMANDS: readonly Command[] = [
  ...COMMANDS,
  ...Array.from({ length: 8 }, () => ANY_ROUTE),
  ...WITHIN,
  ...WITHIN,
  ...WITHIN,
  ...COMMANDS.filter(({ name }) => /^(upload|turn|chat|ask|detail|export|bulk)$/.test(name)),
];
