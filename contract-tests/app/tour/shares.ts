import type { Page, Route } from 'playwright-core';
import { previewOf } from '../shares-fixture.ts';
import type { TourScreen } from '../tour-screen.ts';

const ID = '00000000-0000-4000-8000-00000000000';
const ADDRESS =
  'https://papers.example/v1/public/shares/qK3vZx8mWd1yT0bRf5uJcN7hLaPs2eVoX4iGk9zQ6rM';
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const link = (n: number, name: string, more: object) => ({
  id: `${ID}${n}`,
  kind: 'folder',
  resource_id: `${ID}9`,
  resource_name: 'Tax 2025',
  role: 'viewer',
  name,
  has_password: false,
  expires_at: null,
  state: 'open',
  state_reason: null,
  access_count: 31,
  upload_count: 0,
  uploaded_bytes: 0,
  max_upload_bytes: 1_000_000_000,
  max_upload_files: 500,
  prefix: 'qK3vZx',
  token: null,
  url: '',
  created_at: inDays(-40),
  ...more,
});
const locked = { has_password: true, state: 'locked', state_reason: 'password' };
/** A link in each state. Ended ones are mocked: a spec does not wait for days. */
const LINKS = [
  link(0, 'For the accountant', {
    ...locked,
    role: 'contributor',
    expires_at: inDays(60),
    access_count: 6,
    upload_count: 2,
    uploaded_bytes: 412_000,
  }),
  link(1, '', { resource_name: 'Oma’s recipes with a rather long name for a folder of recipes' }),
  link(2, 'Survey for the insurer', { ...locked, kind: 'file', expires_at: inDays(1) }),
  link(3, 'Annual report', {
    expires_at: inDays(-2),
    state: 'expired',
    state_reason: 'expiry',
  }),
  link(4, 'Lease', { kind: 'file', state: 'suspended', state_reason: 'in_trash' }),
];
const visit = (n: number, kind: string) => ({
  id: `${ID}${n}`,
  kind,
  title: '',
  body: '',
  payload: { share_id: LINKS[0]?.id, object_id: `${ID}8` },
  read: true,
  read_at: null,
  created_at: inDays(-n),
});
const CONTENTS = {
  kind: 'folder',
  name: 'For the accountant',
  resource_name: 'Tax 2025',
  role: 'contributor',
  has_password: true,
  unlocked: true,
  expires_at: null,
  items: [
    {
      id: `${ID}7`,
      filename: 'Assessment 2024.pdf',
      mime: 'application/pdf',
      size: 38_000,
      created_at: inDays(-3),
    },
  ],
  total: 1,
};

const answer = (json: object) => (route: Route) => route.fulfill({ json });

/** The answers of the service that tell of links. Nothing is stored, so that other screens stay as they are. */
async function mockLinks(page: Page): Promise<void> {
  const list = { items: LINKS, total: LINKS.length };
  await page.route(/\/v1\/shares\?/, answer(list));
  await page.route(/\/v1\/shares\/0{8}-[^/?]+$/, answer(LINKS[0] ?? {}));
  await page.route(/\/v1\/shares\/0{8}-[^/?]+\/contents/, answer(CONTENTS));
  const visits = [visit(1, 'share.uploaded'), visit(2, 'share.opened')];
  await page.route(/\/v1\/notifications\?/, answer({ items: visits, unread: 0, total: 2 }));
}

const panel = (page: Page) => page.locator('aside.panel');
const preview = (page: Page) =>
  panel(page).getByRole('group', { name: 'What a visitor sees' }).waitFor();

async function reachLinks(page: Page): Promise<void> {
  await mockLinks(page);
  await page.reload();
  await page.getByText('Give it another end').first().waitFor();
  await page.getByRole('region', { name: 'Lately' }).waitFor();
}

/** Every state of the links for visitors. */
export const SHARES: readonly TourScreen[] = [
  {
    name: 'shares-empty',
    path: '/shares',
    owner: 'empty',
    reach: (page) => page.getByText('Nothing of yours is shared').waitFor(),
  },
  { name: 'shares', path: '/shares', reach: reachLinks },
  {
    name: 'shares-choose',
    path: '/shares/new',
    reach: (page) => panel(page).getByRole('link', { name: 'Recipes' }).waitFor(),
  },
  {
    name: 'shares-new',
    path: ({ folder }) => `/shares/new?folder=${folder}`,
    reach: async (page) => {
      await page.route('**/v1/shares/preview', answer(previewOf(33)));
      await page.reload();
      await panel(page).getByText('Passport of A. Solheim.jpg').waitFor();
    },
  },
  {
    name: 'shares-wrong',
    path: ({ folder }) => `/shares/new?folder=${folder}`,
    reach: async (page) => {
      await preview(page);
      await panel(page)
        .getByRole('radio', { name: /Look and add/ })
        .check();
      await panel(page).getByLabel('Files at most').fill('many');
      await panel(page).getByLabel('Password', { exact: true }).fill('short');
      await panel(page).getByRole('button', { name: 'Make the link' }).click();
      await panel(page).getByText('It needs 8 to 128 characters.').waitFor();
    },
  },
  {
    name: 'shares-made',
    path: ({ folder }) => `/shares/new?folder=${folder}`,
    reach: async (page) => {
      await page.route(/\/v1\/shares$/, answer({ ...LINKS[0], token: 'x', url: ADDRESS }));
      await preview(page);
      await panel(page).getByRole('button', { name: 'Make one up' }).click();
      await panel(page).getByRole('button', { name: 'Make the link' }).click();
      await page.locator('.qr').waitFor();
    },
  },
  {
    name: 'shares-link',
    path: `/shares/${ID}0`,
    reach: async (page) => {
      await mockLinks(page);
      await page.reload();
      await preview(page);
    },
  },
  {
    name: 'shares-end',
    path: '/shares',
    reach: async (page) => {
      await reachLinks(page);
      await page.keyboard.press('j');
      await page.keyboard.press('#');
      await page.locator('dialog[open]').waitFor();
    },
  },
];
