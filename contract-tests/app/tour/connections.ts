import type { Page } from 'playwright-core';
import type { TourScreen } from '../tour-screen.ts';

const CONNECTIONS = '/settings/connections';

const text = (page: Page, words: string | RegExp) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const SHARED = { configured: true, checked_at: '2026-11-23T13:40:00.000Z', secret_hint: '9f2c' };

/** Connections as the service reports them while files are being moved. Nothing is connected for the other screens. */
const LIST = {
  items: [
    {
      ...SHARED,
      kind: 'llm',
      enabled: true,
      status: 'error',
      last_error: 'The model service does not accept the key (status 401).',
      last_error_code: 'wrong_key',
      last_error_fact: '401',
      config: { base_url: 'https://models.example.net/v1', model: 'qwen3:8b', temperature: 0.2 },
      migration: {},
    },
    {
      ...SHARED,
      kind: 's3',
      enabled: true,
      status: 'ok',
      last_error: '',
      last_error_code: null,
      last_error_fact: '',
      config: {
        endpoint: 'https://s3.example.net',
        region: 'eu-west-9',
        bucket: 'halloran-papers',
        access_key_id: 'AKIDTEST',
      },
      migration: {
        status: 'running',
        direction: 'out',
        total: 314,
        moved: 214,
        failed: 2,
        remaining: 100,
        started_at: '2026-11-23T12:40:00.000Z',
        finished_at: '',
        error: 'The server rejected the request: status 413 (EntityTooLarge).',
        error_code: 'rejected',
        error_fact: '413 (EntityTooLarge)',
      },
    },
  ],
  total: 2,
};

/** Reloads the page with another list of connections. */
const withList = async (page: Page, json: unknown) => {
  await page.context().route('**/v1/integrations', (route) => route.fulfill({ json }));
  await page.reload();
};

const [MODEL, BUCKET] = LIST.items;
const moved = {
  ...BUCKET?.migration,
  status: 'done',
  moved: 312,
  remaining: 2,
  error: 'Too large.',
};

/** The connections and the office editor in the settings, in every state. */
export const CONNECTIONS_TOUR: readonly TourScreen[] = [
  {
    name: 'connections-empty',
    path: CONNECTIONS,
    reach: async (page) => {
      await text(page, 'Not connected.');
      await text(page, 'This app loads nothing from anywhere but here.');
    },
  },
  {
    name: 'connections-refused',
    path: CONNECTIONS,
    reach: async (page) => {
      await button(page, 'Save and try: Model').click();
      await text(page, /^Enter a whole address/);
    },
  },
  {
    name: 'connections-moving',
    path: CONNECTIONS,
    reach: async (page) => {
      await withList(page, LIST);
      await text(page, 'Moving files to the bucket');
      await text(page, 'to qwen3:8b at models.example.net');
    },
  },
  {
    name: 'connections-moved',
    path: CONNECTIONS,
    reach: async (page) => {
      await withList(page, { ...LIST, items: [MODEL, { ...BUCKET, migration: moved }] });
      await text(page, '2 files could not be moved in three tries.');
      await text(page, /^Your workspace holds/);
    },
  },
  {
    name: 'connections-forget',
    path: CONNECTIONS,
    reach: async (page) => {
      await withList(page, LIST);
      await button(page, 'Forget the model').click();
      await page.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'connections-failed',
    path: CONNECTIONS,
    reach: async (page) => {
      await page.context().route('**/v1/integrations', (route) => route.abort());
      await page.reload();
      await page.locator('.settings').getByRole('alert').waitFor();
      await page.locator('aside.panel').getByRole('alert').waitFor();
    },
  },
  {
    name: 'connections-office',
    path: '/settings/office',
    reach: async (page) => {
      await text(page, 'No document server is connected.');
      await button(page, 'Try every hop').click();
      await text(page, 'A document does not get through.');
    },
  },
];
