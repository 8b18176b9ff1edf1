import type { Page } from 'playwright-core';
import type { TourScreen } from '../tour-screen.ts';

const notices = (page: Page) => page.locator('.notice').first().waitFor();
const at = '2026-11-20T08:15:00.000Z';

/** One of every kind, as the service reports them. */
const KINDS = [
  ['object.ready', 'tides.csv is ready', '', { object_id: '1', filename: 'tides.csv' }],
  [
    'object.failed',
    'scan-0031.pdf could not be read',
    'The file is damaged, or does not match its name.',
    {
      object_id: '1',
      filename: 'scan-0031.pdf',
      failure: 'unread',
      error_code: 'damaged',
      error_fact: '',
    },
  ],
  [
    'image.done',
    'boat.jpg was rotated',
    '',
    { object_id: '1', filename: 'boat.jpg', task_id: '2', op: 'rotate', error_code: null },
  ],
  [
    'reorganize.done',
    '9 objects put into folders',
    '',
    { task_id: '2', moved: 9, total: 12, dry_run: false },
  ],
  [
    'migration.failed',
    'Some of your files could not be moved',
    '',
    { direction: 'out', moved: 4, failed: 2, total: 6, error_code: 'no_such_bucket' },
  ],
  ['calendar.reminder', 'Keys, 3 pm', '', { event_id: '3', starts_at: at, minutes: 15 }],
  [
    'share.opened',
    'A share was opened',
    'The link to Wedding was opened for the first time.',
    { share_id: '4', object_id: null, name: 'Wedding' },
  ],
  [
    'share.uploaded',
    'A file was uploaded',
    'cake.jpg was uploaded to Wedding through the link Guests.',
    { share_id: '4', object_id: '1', filename: 'cake.jpg', folder: 'Wedding' },
  ],
  ['referral.credited', 'Your referral code was applied', '', { owner: 'Ann Lee' }],
  [
    'integration.failed',
    'Your model is not responding',
    'The model service failed (status 503).',
    { kind: 'llm', error_code: 'server_error', error_fact: '503' },
  ],
  [
    'bot.refused',
    'The bot @skerry is disconnected',
    '',
    { bot_id: '5', name: '@skerry', cause: 'revoked' },
  ],
  [
    'bot.failed',
    'Another program uses the bot @skerry',
    '',
    {
      bot_id: '5',
      name: '@skerry',
      state: 'conflict',
      error_code: 'other_client',
      error_fact: '',
    },
  ],
  [
    'security.alert',
    'A sign-in from a new place',
    '',
    {
      event_id: '6',
      kind: 'signed_in',
      alert: 'new_client',
      client: 'Firefox on Linux',
      network: '192.0.2.0/24',
      at,
      attempts: 0,
      passkey: '',
    },
  ],
] as const;

/** The list that the service would give. */
export const everyKind = {
  items: KINDS.map(([kind, title, body, payload], index) => ({
    id: `01a20955-d0bc-777a-a061-2${String(index).padStart(11, '0')}`,
    kind,
    title,
    body,
    payload,
    read: index % 2 === 1,
    read_at: null,
    created_at: at,
  })),
  unread: Math.ceil(KINDS.length / 2),
  total: KINDS.length,
};

const withEveryKind = async (page: Page): Promise<void> => {
  await page.route('**/v1/notifications?**', (route) => route.fulfill({ json: everyKind }));
  await page.reload();
};

const edited = async (page: Page): Promise<void> => {
  await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
};

/** Notifications, the dock's More, and the editor of pictures. */
export const SHELL_TOUR: readonly TourScreen[] = [
  { name: 'shell-notifications', path: '/notifications', reach: notices },
  {
    name: 'shell-notifications-kinds',
    path: '/notifications',
    reach: async (page) => {
      await withEveryKind(page);
      await notices(page);
    },
  },
  {
    name: 'shell-notifications-empty',
    owner: 'empty',
    path: '/notifications',
    reach: (page) => page.getByText('Nothing new has happened').waitFor(),
  },
  {
    name: 'shell-bell',
    path: '/library',
    widths: [1_440, 900],
    reach: async (page) => {
      await withEveryKind(page);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.locator('.latest .notice').first().waitFor();
    },
  },
  {
    name: 'shell-more',
    path: '/library',
    widths: [390, 320],
    reach: async (page) => {
      await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).last().click();
      await page.locator('.menu:popover-open').waitFor();
    },
  },
  { name: 'shell-picture', path: ({ scan }) => `/object/${scan}/picture`, reach: edited },
  {
    name: 'shell-picture-crop',
    path: ({ scan }) => `/object/${scan}/picture`,
    reach: async (page) => {
      await edited(page);
      await page.getByRole('button', { name: 'Turn right' }).click();
      await page.getByRole('button', { name: 'Choose a part' }).click();
      await page.getByText('Make the file smaller by lower quality').click();
      const width = page.getByRole('textbox', { name: 'Width' }).first();
      await width.fill('120');
      await page.getByText(/^about \d/).waitFor();
      await width.fill('0');
      await page.getByText(/^Enter a whole number/).waitFor();
    },
  },
  {
    name: 'shell-picture-refused',
    path: ({ pdf }) => `/object/${pdf}/picture`,
    reach: (page) => page.getByText(/^Only JPG, PNG and WebP/).waitFor(),
  },
];
