import type { Page } from 'playwright-core';
import type { TourScreen } from '../tour-screen.ts';

const text = (words: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByText(words).first().waitFor();

const BOT = {
  id: '018f0000-0000-7000-8000-000000000001',
  platform: 'telegram',
  username: 'harbour_bot',
  name: 'Harbour',
  created_at: '2026-11-02T08:00:00.000Z',
  link_code: 'q7Vb2cJ0fT9xWm4LrZ8e1g',
  owner_linked: false,
  state: 'polling',
  last_error: 'The platform does not trust the certificate of the server at PUBLIC_URL.',
  last_error_code: 'webhook_certificate',
  last_error_fact: '',
};
const GROUP = {
  chat_id: -61,
  title: 'Friends of the lighthouse on the outer skerry, and of its lens',
  collection_id: '',
  description: 'Ships and lights',
  note_object_id: '',
  known_count: 2,
  member_count: 44,
  last_seen_at: '2026-11-20T17:36:00.000Z',
  synced_at: '2026-11-21T06:00:00.000Z',
  proactive_allowed: true,
};
const MEMBERS = [
  ['Ada Lindqvist', 'ada', 'creator', 'admin_list', ''],
  ['Bea', '', 'member', 'message', '2026-11-20T17:36:00.000Z'],
].map(([name, username, role, source, heard], n) => ({
  messenger_user_id: n + 1,
  display_name: name,
  username,
  is_admin: role === 'creator',
  last_seen_at: heard,
  role,
  source,
}));
const STATE = {
  version: '1.0.0',
  schema: 4,
  profile: 'team',
  runtime: '24.11.0',
  started_at: '2026-11-20T06:00:00.000Z',
  storage: { stored_in: 'folder', files: 48_211, bytes: 91_400_000_000, free_bytes: 83e9 },
  queues: [
    {
      kind: 'object.read',
      waiting: 12,
      running: 3,
      failed: 1,
      oldest_due_at: '2026-11-20T06:00:00.000Z',
    },
    { kind: 'bot.updates', waiting: 1, running: 0, failed: 0, oldest_due_at: null },
  ],
  backup: { at: '2026-11-19T03:15:00.000Z', bytes: 92e9, files: 48_190, damaged: 2 },
  drills: {
    at: '2026-11-20T04:00:00.000Z',
    items: [
      { name: 'kill-serve', profile: 'team', passed: true },
      { name: 'disk-full', profile: 'standalone', passed: false },
    ],
    skipped: 3,
  },
};

/** Bots, the data, the log of security events and the page of operators. */
export const DATA: readonly TourScreen[] = [
  { name: 'data-bots-none', path: '/settings/bots', reach: text('No bot is connected yet.') },
  {
    name: 'data-bots',
    path: '/settings/bots',
    reach: async (page) => {
      await page.route(/\/v1\/bots(\/|\?|$)/, (route) => {
        const { pathname } = new URL(route.request().url());
        const isList = pathname.endsWith('/chats');
        const json = pathname.endsWith('/bots')
          ? { items: [BOT], total: 1 }
          : isList
            ? { items: [GROUP], total: 1 }
            : { ...GROUP, members: MEMBERS };
        return route.fulfill({ json });
      });
      await page.reload();
      await page.getByRole('button', { name: /^Members: / }).click();
      await text('Ada Lindqvist')(page);
    },
  },
  { name: 'data-archive', path: '/settings/data', reach: text(/The hidden zone is locked/) },
  {
    name: 'data-report',
    path: '/settings/data',
    reach: async (page) => {
      const none = { created: 0, unchanged: 0 };
      await page.route('**/v1/import', (route) =>
        route.fulfill({
          json: {
            objects: { created: 312, unchanged: 4 },
            themes: { created: 2, unchanged: 0, merged: 3 },
            collections: { created: 17, unchanged: 1, merged: 5 },
            chats: { ...none, merged: 0 },
            events: { created: 40, unchanged: 0 },
            agents: none,
            views: none,
            new_ids: 2,
            settings: 'kept',
          },
        }),
      );
      const file = { name: 'e.zip', mimeType: 'application/zip', buffer: Buffer.from('x') };
      await page.locator('main input[type=file]').setInputFiles([file]);
      await text('Done. 312 documents were brought in.')(page);
    },
  },
  {
    name: 'data-danger',
    path: '/settings/data',
    reach: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'data-security',
    path: '/settings/security',
    reach: (page) =>
      page.getByRole('list', { name: 'Security events' }).getByText('Signed in').first().waitFor(),
  },
  {
    name: 'data-token',
    path: '/settings/you',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Create a token' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'It may' }).selectOption('own');
      await dialog.getByRole('combobox', { name: 'It sees' }).selectOption('folders');
      await dialog.getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'data-operators',
    path: '/settings/usage',
    reach: async (page) => {
      await page.route('**/v1/operator', (route) => route.fulfill({ json: { is_operator: true } }));
      await page.route('**/v1/operator/state', (route) => route.fulfill({ json: STATE }));
      await page.reload();
      await page.getByRole('link', { name: 'State of the service' }).click();
      await text('disk-full')(page);
      await page.locator('main .spin').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'data-operators-forbidden',
    path: '/operators',
    reach: text('Only the operator may see this'),
  },
];
