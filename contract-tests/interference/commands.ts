import { createHash } from 'node:crypto';
import type { CoreDeps } from '../../core/index.ts';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import type { HttpReply, HttpRequest } from './http-client.ts';

/** The sender of a request. `unknown` has no token; a visitor needs none either. */
export type Actor = 'owner' | 'other' | 'unknown';

export interface Sent extends HttpRequest {
  readonly as?: Actor;
}

/**
 * The resources that commands of a sequence may refer to, by position. Ids of hidden objects are those of the workspace
 * that has them. In the other workspace the ids do not exist.
 */
export interface Known {
  readonly hidden: readonly string[];
  /** Contents of hidden objects, and other bytes of the same length. */
  readonly hiddenBytes: readonly string[];
  readonly hiddenTasks: readonly string[];
  readonly hiddenNotifications: readonly string[];
  readonly hiddenShares: readonly string[];
  readonly hiddenShareTokens: readonly string[];
  readonly hiddenThemes: readonly string[];
  /** Conversations in which hidden objects were cited or attached. */
  readonly hiddenChats: readonly string[];
  /** Exports: of the hidden objects as visible ones, of the hidden objects, and of the visible ones. */
  readonly archives: readonly Uint8Array[];
  readonly objects: string[];
  readonly folders: string[];
  readonly themes: string[];
  readonly chats: string[];
  readonly shares: string[];
  readonly shareTokens: string[];
  readonly notifications: string[];
  readonly tasks: string[];
  readonly events: string[];
}

/** Picks by a number; ids of hidden objects are among the objects. */
export class Picker {
  readonly #known: Known;
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(known: Known, numbers: readonly number[]) {
    this.#known = known;
    this.#numbers = numbers;
  }

  number = (below: number): number =>
    (this.#numbers[this.#next++ % this.#numbers.length] ?? 0) % Math.max(1, below);

  of = <T>(items: readonly T[]): T | undefined => items[this.number(items.length)];

  #id = (...lists: readonly (readonly string[])[]): string => this.of(lists.flat()) ?? UNKNOWN_ID;

  object = (): string => this.#id(this.#known.hidden, this.#known.objects);
  objects = (): readonly string[] => [
    ...new Set(Array.from({ length: 1 + this.number(4) }, () => this.object())),
  ];
  folder = (): string => this.#id(this.#known.folders);
  /** One of the first two: see `folder-worlds.ts`. */
  boundFolder = (): string => this.#id(this.#known.folders.slice(0, 2));
  theme = (): string => this.#id(this.#known.themes, this.#known.hiddenThemes);
  chat = (): string => this.#id(this.#known.chats, this.#known.hiddenChats);
  share = (): string => this.#id(this.#known.shares, this.#known.hiddenShares);
  shareToken = (): string => this.#id(this.#known.shareTokens, this.#known.hiddenShareTokens);
  notification = (): string => this.#id(this.#known.notifications, this.#known.hiddenNotifications);
  task = (): string => this.#id(this.#known.tasks, this.#known.hiddenTasks);
  event = (): string => this.#id(this.#known.events);
  bytes = (): string =>
    this.of([
      ...this.#known.hiddenBytes,
      'harbour lantern',
      'x',
      'z'.repeat(100 + 50 * this.number(8)),
    ]) ?? 'x';
  hiddenBytes = (): string => this.of(this.#known.hiddenBytes) ?? '';
  archive = (): Uint8Array => this.of(this.#known.archives) ?? new Uint8Array();
  words = (): string => Array.from({ length: 1 + this.number(3) }, () => this.of(WORDS)).join(' ');
  flag = (): boolean => this.number(2) === 1;
}

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
export const WORDS = 'harbour lantern invoice meadow copper winter договор река 合同'.split(' ');

export interface Command {
  readonly name: string;
  request(pick: Picker): Sent;
  /** Where ids of the reply go. */
  readonly gives?: (reply: unknown, known: Known) => void;
}

const json = (method: string, path: string, body?: unknown, more: object = {}): Sent => ({
  method,
  path,
  ...(body !== undefined && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }),
  ...more,
});
const get = (path: string): Sent => ({ method: 'GET', path });

const hashOf = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

/** A filter of lists and searches. */
export const filterOf = (p: Picker): string =>
  p.of([
    `theme_id=${p.theme()}`,
    `category=${encodeURIComponent(p.words())}`,
    'has_suggestion=true',
    'has_suggestion=false',
    'created_from=2020-01-01',
    'created_to=2020-01-01',
    `theme_id=${p.theme()}&has_suggestion=false`,
    `content_hash=${hashOf(p.bytes())}`,
  ]) ?? '';

/** An order that depends neither on the time of a change nor on the progress of a task. */
export const orderOf = (p: Picker): string =>
  p.of(['order=newest', 'order=oldest', 'order=name', 'order=largest']) ?? '';

const BOUNDARY = 'law-of-non-interference';

/** A multipart body with fields before files. */
export function form(
  method: string,
  path: string,
  files: readonly (readonly [string, string])[],
  fields: Readonly<Record<string, string>> = {},
): Sent {
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    ...files.map(
      ([name, text]) =>
        `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
    ),
  ];
  return {
    method,
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: new TextEncoder().encode(
      `${parts.map((part) => `--${BOUNDARY}\r\n${part}`).join('')}--${BOUNDARY}--\r\n`,
    ),
  };
}

type Item = { readonly id?: string; readonly token?: string | null; readonly task_id?: string };
const idInto =
  (list: 'objects' | 'folders' | 'themes' | 'chats' | 'events') =>
  (reply: unknown, known: Known): void => {
    const { id, items } = reply as Item & { readonly items?: readonly Item[] };
    for (const each of items ?? [{ id }]) if (each.id !== undefined) known[list].push(each.id);
  };
const taskInto = (reply: unknown, known: Known): void => {
  const { task_id: id } = reply as Item;
  if (id !== undefined) known.tasks.push(id);
};

const KEYS = ['once', 'twice'];
const keyed = (sent: Sent, key: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'idempotency-key': key },
});

const OPERATIONS = ['compress', 'rotate', 'flip', 'crop', 'resize'];
const COMPARED_ARCHIVE = { 'content-type': 'application/zip' };

const command = (name: string, request: Command['request'], gives?: Command['gives']): Command => ({
  name,
  request,
  ...(gives && { gives }),
});

/** Every kind of request that an owner, another owner of the tenant or a visitor may send while the zone is locked. */
export const COMMANDS: readonly Command[] = [
  command(
    'note',
    (p) =>
      json('POST', '/v1/objects/notes', {
        content: p.bytes(),
        ...(p.flag() && { collection_id: p.folder() }),
        ...(p.number(4) === 0 && { is_hidden: true }),
      }),
    idInto('objects'),
  ),
  command(
    'link',
    (p) => json('POST', '/v1/objects/links', { url: `https://harbour.test/${p.number(3)}` }),
    idInto('objects'),
  ),
  command(
    'upload',
    (p) =>
      form(
        'POST',
        '/v1/uploads',
        Array.from({ length: 1 + p.number(2) }, () => [`${p.words()}.txt`, p.bytes()] as const),
        {
          on_duplicate: ['keep', 'return', 'reject'][p.number(3)]!,
          ...(p.flag() && { collection_id: p.folder() }),
        },
      ),
    idInto('objects'),
  ),
  command('resumable upload', (p) => {
    const body = p.bytes();
    const values: Record<string, string> = {
      filename: `${p.words()}.txt`,
      on_duplicate: ['keep', 'return', 'reject'][p.number(3)]!,
      ...(p.flag()
        ? { relative_path: `${p.of(WORDS)}/${p.of(WORDS)}/a.txt` }
        : p.flag() && { collection_id: p.folder() }),
    };
    return {
      method: 'POST',
      path: '/v1/uploads/resumable',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(Buffer.byteLength(body)),
        'upload-metadata': Object.entries(values)
          .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
          .join(','),
        'content-type': 'application/offset+octet-stream',
      },
      body,
    };
  }),
  command(
    'picture',
    (p) => form('POST', '/v1/uploads', [[`${p.words()}.png`, p.bytes()]]),
    idInto('objects'),
  ),
  command('detail', (p) => get(`/v1/objects/${p.object()}`)),
  command('content', (p) =>
    get(`/v1/objects/${p.object()}/content?${p.flag() ? 'disposition=inline' : 'version=1'}`),
  ),
  command('part of content', (p) => ({
    ...get(`/v1/objects/${p.object()}/content`),
    headers: { range: 'bytes=0-3' },
  })),
  command('head of content', (p) => ({
    method: 'HEAD',
    path: `/v1/objects/${p.object()}/content`,
  })),
  command('thumbnail', (p) => get(`/v1/objects/${p.object()}/thumbnail`)),
  command('text', (p) => get(`/v1/objects/${p.object()}/text`)),
  command('versions', (p) => get(`/v1/objects/${p.object()}/versions`)),
  command('save', (p) =>
    json('PUT', `/v1/objects/${p.object()}/content`, {
      content: p.bytes(),
      base_version: 1 + p.number(2),
    }),
  ),
  command('new version', (p) =>
    form('POST', `/v1/objects/${p.object()}/content`, [['a.txt', p.bytes()]], {
      base_version: String(1 + p.number(2)),
    }),
  ),
  command('restore version', (p) =>
    json('POST', `/v1/objects/${p.object()}/versions/${1 + p.number(3)}/restore`),
  ),
  command('enrich', (p) => json('POST', `/v1/objects/${p.object()}/enrich`), taskInto),
  command('correct', (p) =>
    json('PUT', `/v1/objects/${p.object()}/text`, { text: p.words(), base_version: 1 }),
  ),
  command('drop correction', (p) => json('DELETE', `/v1/objects/${p.object()}/text`)),
  command('rename', (p) =>
    json('PATCH', `/v1/objects/${p.object()}`, { filename: `${p.words()}.md` }),
  ),
  command('hide', (p) => json('PATCH', `/v1/objects/${p.object()}`, { is_hidden: p.flag() })),
  command('trash', (p) => json('DELETE', `/v1/objects/${p.object()}`)),
  command('erase', (p) => json('DELETE', `/v1/objects/${p.object()}?permanent=true`)),
  command('restore', (p) => json('POST', `/v1/objects/${p.object()}/restore`)),
  command('empty trash', () => json('DELETE', '/v1/objects/trash')),
  command('move', (p) =>
    json('PUT', `/v1/objects/${p.object()}/collection`, {
      collection_id: p.flag() ? p.folder() : null,
    }),
  ),
  command('categorize', (p) =>
    json('PUT', `/v1/objects/${p.object()}/categories`, { categories: [p.words()] }),
  ),
  command('suggestion', (p) =>
    json('POST', `/v1/objects/${p.object()}/suggestion`, { accept: p.flag() }),
  ),
  command(
    'bulk',
    (p) => {
      const action = p.of(['move', 'trash', 'restore', 'delete', 'hide', 'unhide', 'categorize']);
      return json('POST', '/v1/objects/bulk', {
        ids: p.objects(),
        action,
        categories: [p.words()],
        ...(p.flag() && { collection_id: p.folder() }),
      });
    },
    taskInto,
  ),
  command(
    'bulk by filter',
    (p) =>
      json('POST', '/v1/objects/bulk', {
        filter: p.of([
          {},
          { include_hidden: true },
          { hidden_only: true },
          { trashed: true, include_hidden: true },
          { collection_id: p.folder() },
          { kind: 'note' },
        ]),
        except: p.objects(),
        action: p.of(['move', 'trash', 'restore', 'delete', 'hide', 'unhide', 'categorize']),
        categories: [p.words()],
        ...(p.flag() && { collection_id: p.folder() }),
      }),
    taskInto,
  ),
  command('bulk run', (p) => get(`/v1/objects/bulk/${p.task()}`)),
  command('undo bulk run', (p) => json('POST', `/v1/objects/bulk/${p.task()}/undo`), taskInto),
  command('list', (p) =>
    get(
      `/v1/objects?${p.of(['include_hidden=true', 'hidden_only=true', 'trashed=true', 'uncategorized=true', 'kind=note', `collection_id=${p.folder()}`, 'limit=1', 'trashed=true&include_hidden=true'])}`,
    ),
  ),
  command('filtered list', (p) =>
    get(`/v1/objects?${filterOf(p)}&${orderOf(p)}&include_hidden=${p.flag()}`),
  ),
  command('first of list', (p) => get(`/v1/objects?limit=${1 + p.number(3)}&${orderOf(p)}`)),
  command('search', (p) =>
    get(`/v1/search?q=${encodeURIComponent(p.words())}&include_hidden=${p.flag()}`),
  ),
  command('filtered search', (p) =>
    get(`/v1/search?q=${encodeURIComponent(p.words())}&${filterOf(p)}&${orderOf(p)}`),
  ),
  command('views', () => get('/v1/views')),
  command('save view', (p) =>
    json('POST', '/v1/views', {
      name: p.words(),
      filters: { theme_id: p.theme(), collection_id: p.folder(), hidden_only: p.flag() },
    }),
  ),
  command('ask', (p) => {
    const about = p.number(4);
    return json('POST', '/v1/ask', {
      question: p.words(),
      ...(about === 1 && { object_ids: p.objects() }),
      ...(about === 2 && { collection_id: p.folder() }),
      ...(about === 3 && { session_id: p.chat() }),
    });
  }),
  command(
    'chat',
    (p) => json('POST', '/v1/chats', p.flag() ? { collection_id: p.folder() } : {}),
    idInto('chats'),
  ),
  command('turn', (p) =>
    json('POST', `/v1/chats/${p.chat()}/turns`, {
      content: p.words(),
      ...(p.flag() && { attachments: p.objects() }),
      ...(p.flag() && { object_ids: p.objects() }),
    }),
  ),
  command('read chat', (p) => get(`/v1/chats/${p.chat()}`)),
  command('edit chat', (p) => json('PATCH', `/v1/chats/${p.chat()}`, { title: p.words() })),
  command('delete chat', (p) => json('DELETE', `/v1/chats/${p.chat()}`)),
  command('recent', () => get('/v1/recent-queries')),
  command(
    'theme',
    (p) => json('POST', '/v1/themes', { name: p.words(), is_hidden: p.number(4) === 0 }),
    idInto('themes'),
  ),
  command('edit theme', (p) => json('PATCH', `/v1/themes/${p.theme()}`, { name: p.words() })),
  command('delete theme', (p) => json('DELETE', `/v1/themes/${p.theme()}`)),
  command(
    'folder',
    (p) =>
      json('POST', '/v1/collections', {
        name: p.words(),
        ...(p.flag() && { theme_id: p.theme() }),
      }),
    idInto('folders'),
  ),
  command('edit folder', (p) =>
    json('PATCH', `/v1/collections/${p.folder()}`, {
      name: p.words(),
      ...(p.flag() && { theme_id: p.theme() }),
    }),
  ),
  command('delete folder', (p) =>
    json('DELETE', `/v1/collections/${p.folder()}?objects=${p.flag() ? 'trash' : 'keep'}`),
  ),
  command('folders of theme', (p) => get(`/v1/collections?theme_id=${p.theme()}`)),
  command('read notifications', (p) =>
    json('POST', '/v1/notifications/read', { ids: p.flag() ? [] : [p.notification()] }),
  ),
  command('delete notification', (p) => json('DELETE', `/v1/notifications/${p.notification()}`)),
  command(
    'notifications',
    () => get('/v1/notifications'),
    (reply, known) => {
      for (const { id } of (reply as { readonly items?: readonly Item[] }).items ?? [])
        if (id !== undefined && !known.notifications.includes(id)) known.notifications.push(id);
    },
  ),
  command('pin state', () => get('/v1/hidden-pin')),
  command('wrong pin', () => json('POST', '/v1/hidden-pin/unlock', { pin: '9999' })),
  command('security events', (p) =>
    get(`/v1/security-events?${p.of(['', 'limit=1', 'kind=share_created', 'kind=trash_emptied'])}`),
  ),
  command('lock', () => json('POST', '/v1/hidden-pin/lock')),
  command('usage', () => get('/v1/usage')),
  command('settings', (p) =>
    json('PUT', '/v1/settings', {
      auto_rename_mode: p.of(['auto', 'suggest', 'dont_rename']),
      chat_memory: p.flag(),
    }),
  ),
  command('export', () => get('/v1/export')),
  command(
    'edit image',
    (p) => {
      const operation = p.of(OPERATIONS);
      return json('POST', `/v1/objects/${p.object()}/image/${operation}`, {
        angle: 90,
        mode: 'h',
        quality: 80,
        max_side: 100,
      });
    },
    taskInto,
  ),
  command('image status', (p) => get(`/v1/objects/${p.object()}/image/status/${p.task()}`)),
  command(
    'reorganize',
    (p) =>
      json('POST', '/v1/objects/reorganize', {
        scope: p.of(['all', 'uncategorized']),
        dry_run: p.flag(),
      }),
    taskInto,
  ),
  command('reorganization', (p) => get(`/v1/objects/reorganize/${p.task()}`)),
  command('reorganizations', () => get('/v1/objects/reorganize')),
  command('apply reorganization', (p) =>
    json('POST', `/v1/objects/reorganize/${p.task()}/apply`, { except: p.objects() }),
  ),
  command('undo reorganization', (p) => json('POST', `/v1/objects/reorganize/${p.task()}/undo`)),
  command('office config', (p) => get(`/v1/office/config/${p.object()}`)),
  command('shares', (p) =>
    get(`/v1/shares?${p.of(['', `resource_id=${p.object()}`, 'kind=file'])}`),
  ),
  command('read share', (p) => get(`/v1/shares/${p.share()}`)),
  command('share contents', (p) => get(`/v1/shares/${p.share()}/contents`)),
  command('preview share', (p) => {
    const isFolder = p.flag();
    return json('POST', '/v1/shares/preview', {
      kind: isFolder ? 'folder' : 'file',
      resource_id: isFolder ? p.folder() : p.object(),
    });
  }),
  command('edit share', (p) => json('PATCH', `/v1/shares/${p.share()}`, { name: p.words() })),
  command('revoke share', (p) => json('DELETE', `/v1/shares/${p.share()}`)),
  command(
    'share',
    (p) => {
      const isFolder = p.flag();
      return json('POST', '/v1/shares', {
        kind: isFolder ? 'folder' : 'file',
        resource_id: isFolder ? p.folder() : p.object(),
        role: isFolder ? 'contributor' : 'viewer',
      });
    },
    (reply, known) => {
      const { id, token } = reply as Item;
      if (id !== undefined) known.shares.push(id);
      if (typeof token === 'string') known.shareTokens.push(token);
    },
  ),
  command('visit', (p) => ({
    ...get(`/v1/public/shares/${p.shareToken()}`),
    as: 'unknown' as const,
  })),
  command('visit object', (p) => ({
    ...get(
      `/v1/public/shares/${p.shareToken()}/objects/${p.object()}${p.of(['', '/content', '/thumbnail'])}`,
    ),
    as: 'unknown' as const,
  })),
  command('visit archive', (p) => ({
    ...get(`/v1/public/shares/${p.shareToken()}/archive`),
    as: 'unknown' as const,
  })),
  command('visitor uploads', (p) => ({
    ...form('POST', `/v1/public/shares/${p.shareToken()}/uploads`, [
      [`${p.words()}.txt`, p.bytes()],
    ]),
    as: 'unknown' as const,
  })),
  command('another owner reads', (p) => ({
    ...get(`/v1/objects/${p.object()}${p.of(['', '/content', '/text', '/versions'])}`),
    as: 'other' as const,
  })),
  command('another owner changes', (p) => ({
    ...json('PATCH', `/v1/objects/${p.object()}`, { filename: `${p.words()}.md` }),
    as: 'other' as const,
  })),
  command('another owner uploads', (p) => ({
    ...form('POST', '/v1/uploads', [['a.txt', p.bytes()]], { on_duplicate: 'reject' }),
    as: 'other' as const,
  })),
  command('another owner imports', (p) => ({
    method: 'POST',
    path: '/v1/import',
    headers: COMPARED_ARCHIVE,
    body: p.archive(),
    as: 'other' as const,
  })),
  command(
    'event',
    (p) =>
      json('POST', '/v1/calendar/events', {
        title: p.words(),
        starts_at: '2026-01-02T09:00:00Z',
        ends_at: '2026-01-02T10:00:00Z',
        rrule: 'FREQ=DAILY;COUNT=3',
        reminders: [0],
      }),
    idInto('events'),
  ),
  command('delete event', (p) => json('DELETE', `/v1/calendar/events/${p.event()}`)),
  command('integrations', (p) =>
    get(`/v1/integrations${p.of(['', '/llm', '/s3', '/s3/migration'])}`),
  ),
  command('migrate', (p) =>
    json('POST', '/v1/integrations/s3/migration', { direction: p.of(['out', 'back']) }),
  ),
  command('disconnect', (p) => json('DELETE', `/v1/integrations/${p.of(['llm', 's3'])}`)),
  command('bots', () => get('/v1/bots')),
  command('agents', () => get('/v1/agents')),
  command('agent chat', (p) =>
    json('POST', '/v1/agent/chat', {
      message: p.words(),
      ...(p.flag() && { attachments: p.objects() }),
    }),
  ),
  command('import', (p) => ({
    method: 'POST',
    path: '/v1/import',
    headers: COMPARED_ARCHIVE,
    body: p.archive(),
  })),
  command('import with a key', (p) =>
    keyed(
      { method: 'POST', path: '/v1/import', headers: COMPARED_ARCHIVE, body: p.archive() },
      p.of(KEYS) ?? '',
    ),
  ),
  command('imports', () => get('/v1/imports')),
  command(
    'note with a key',
    (p) =>
      keyed(
        json('POST', '/v1/objects/notes', { content: p.of(WORDS) }),
        p.of([...KEYS, p.object()]) ?? '',
      ),
    idInto('objects'),
  ),
  command('ask with a key', (p) =>
    keyed(json('POST', '/v1/ask', { question: p.of(WORDS) }), p.of([...KEYS, p.object()]) ?? ''),
  ),
];

/** Looks at everything that can be looked at. */
export const SWEEP: readonly Sent[] = [
  ...[
    ...['', '?include_hidden=true', '?trashed=true', '?trashed=true&include_hidden=true'],
    ...['?hidden_only=true', '?uncategorized=true', '?notes_only=true', '?kind=note&limit=1'],
    ...['?order=name', '?order=largest&limit=2', '?order=oldest&include_hidden=true'],
    ...['?has_suggestion=true', '?has_suggestion=false&limit=1', '?created_from=2020-01-01'],
  ].map((query) => get(`/v1/objects${query}`)),
  ...WORDS.map((word) => get(`/v1/search?q=${encodeURIComponent(word)}`)),
  ...WORDS.slice(0, 2).map((word) => get(`/v1/objects?category=${encodeURIComponent(word)}`)),
  get('/v1/views'),
  get('/v1/themes?include_hidden=true'),
  get('/v1/collections'),
  get('/v1/chats'),
  get('/v1/chats?limit=1'),
  get('/v1/chats?pinned=true&kind=ask'),
  get('/v1/recent-queries'),
  get('/v1/notifications'),
  get('/v1/notifications?unread=true'),
  get('/v1/usage'),
  get('/v1/shares'),
  get('/v1/security-events?limit=200'),
  get('/v1/security-events?limit=2'),
  get('/v1/security-events?kind=share_created'),
  get('/v1/hidden-pin'),
  get('/v1/settings'),
  get('/v1/integrations'),
  get('/v1/agents'),
  get('/v1/calendar/events'),
  get('/v1/imports'),
  get('/v1/export'),
];

export type Reply = HttpReply;

/** Further requests and smaller limits, each with a separate law. */
export interface Area {
  readonly title: string;
  readonly commands: readonly Command[];
  readonly over: Partial<Pick<CoreDeps, 'roles'>>;
}

const UNLIMITED = BUILT_IN_ROLES['unlimited']!;

/** Little of the storage quota is free: no response may depend on the bytes of hidden objects. */
export const STORAGE_LIMIT: Area = {
  title: 'a limit of storage',
  commands: [
    ...COMMANDS.filter(({ name }) =>
      /^(upload|resumable upload|import|import with a key|save|visitor uploads|edit image)$/.test(
        name,
      ),
    ),
    command('large upload', (p) =>
      form('POST', '/v1/uploads', [['z.txt', 'z'.repeat(40 * (1 + p.number(12)))]]),
    ),
    command('large note', (p) =>
      json('POST', '/v1/objects/notes', { content: 'y'.repeat(40 * (1 + p.number(12))) }),
    ),
  ],
  over: { roles: { unlimited: { ...UNLIMITED, storageBytes: 700 } } },
};

/** Files move to a bucket of the owner and back, the hidden ones among them. */
export const BUCKET: Area = {
  title: 'a bucket of the owner',
  commands: [
    command('connect bucket', () =>
      json('PUT', '/v1/integrations/s3', {
        config: {
          endpoint: 'http://buckets.test:9000',
          region: 'eu-west-9',
          bucket: 'papers',
          access_key_id: 'AKIDTEST',
        },
        secret: 'wJalrXUtnFEMI-K7MDENG',
      }),
    ),
    command('toggle bucket', (p) => json('PATCH', '/v1/integrations/s3', { enabled: p.flag() })),
    command('migrate bucket', (p) =>
      json('POST', '/v1/integrations/s3/migration', { direction: p.of(['out', 'back']) }),
    ),
    command('cancel migration', () => json('DELETE', '/v1/integrations/s3/migration')),
    command('migration', () => get('/v1/integrations/s3/migration')),
    command('disconnect bucket', () => json('DELETE', '/v1/integrations/s3')),
  ],
  over: {},
};

/** Requests of before the lock are repeated with their keys. */
export const RECEIPTS: Area = {
  title: 'keys of requests that made hidden objects',
  commands: [
    command('repeat', (p) =>
      keyed(
        json('POST', '/v1/objects/notes', {
          content: p.hiddenBytes(),
          ...(p.flag() && { collection_id: p.folder() }),
        }),
        `made-${p.number(2)}`,
      ),
    ),
  ],
  over: {},
};

/** Conversations about visible and hidden objects, and the folders they are in. */
export const CONVERSATIONS: readonly Command[] = [
  ...COMMANDS.filter(({ name }) =>
    /^(ask|turn|chat|.* chat|recent|delete folder|hide|erase|import|export|undo reorganization)$/.test(
      name,
    ),
  ),
  command('chats of folder', (p) => get(`/v1/chats?collection_id=${p.folder()}&limit=1`)),
  command('pin chat', (p) => json('PATCH', `/v1/chats/${p.chat()}`, { pinned: p.flag() })),
  command('move chat', (p) =>
    json('PATCH', `/v1/chats/${p.chat()}`, { collection_id: p.flag() ? p.folder() : '' }),
  ),
  command('turn with a key', (p) =>
    keyed(json('POST', `/v1/chats/${p.chat()}/turns`, { content: p.of(WORDS) }), p.of(KEYS) ?? ''),
  ),
];

const PASSWORDS = ['open sesame', 'open barley'];

/** What is recorded, about shares of visible and hidden objects and about the trash, and how it is listed. */
export const SECURITY_EVENTS: Area = {
  title: 'the log of security events',
  commands: [
    ...COMMANDS.filter(({ name }) =>
      /^(security events|trash|empty trash|erase|restore|edit share|revoke share|export|bulk)$/.test(
        name,
      ),
    ),
    command(
      'share with a password',
      (p) =>
        json('POST', '/v1/shares', {
          kind: 'file',
          resource_id: p.object(),
          role: 'viewer',
          password: PASSWORDS[0],
        }),
      (reply, known) => {
        const { id, token } = reply as Item;
        if (id !== undefined) known.shares.push(id);
        if (typeof token === 'string') known.shareTokens.push(token);
      },
    ),
    command('unlock share', (p) =>
      json(
        'POST',
        `/v1/public/shares/${p.shareToken()}/unlock`,
        { password: p.of(PASSWORDS) },
        { as: 'unknown' as const },
      ),
    ),
    command('some security events', (p) =>
      get(`/v1/security-events?limit=1&kind=share_${p.of(['unlocked', 'unlock_failed'])}`),
    ),
  ],
  over: {},
};

/** Changes of many objects, most of them in the background, and their undo. */
export const BULK: Area = {
  title: 'bulk runs and reorganizations',
  commands: COMMANDS.filter(({ name }) => /bulk|reorganiz|^(hide|trash|erase|list)$/.test(name)),
  over: {},
};

/** Commands that run concurrently, each area in a separate law. */
export const AREAS: readonly Area[] = [STORAGE_LIMIT, BUCKET, RECEIPTS, SECURITY_EVENTS, BULK];
