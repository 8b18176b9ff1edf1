import type { Page } from 'playwright-core';
import { NOTICE_QUESTION, askIn } from './ask-fixture.ts';
import { AGENT } from './tour/agent.ts';
import { PIN } from './tour-scene.ts';
import { SHELL_TOUR } from './tour/shell.ts';
import { SHARES } from './tour/shares.ts';
import { CONNECTIONS_TOUR } from './tour/connections.ts';
import { DATA } from './tour/data.ts';
import { CALENDAR } from './tour/calendar.ts';
import type { TourScreen } from './tour-screen.ts';
import { chooseFiles, dropFiles, rowOf, textFile } from './uploads-fixture.ts';
import { waitForMark } from './viewer-fixture.ts';

const PHONES = [320, 390];

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const text = (words: string | RegExp) => (page: Page) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();
const documents = (page: Page) => page.getByRole('row', { name: /tides-2027/ }).waitFor();
const dialog = (page: Page) => page.locator('dialog[open]').waitFor();

/** Waits for the list, presses keys in it, and waits for the dialog that they open. */
const listDialog =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    await documents(page);
    await press(page, ...keys);
    await dialog(page);
  };

const LIBRARY: readonly TourScreen[] = [
  { name: 'library', path: '/library', reach: documents },
  {
    name: 'library-pictures',
    path: '/library',
    reach: async (page) => {
      await button(page, 'Pictures').click();
      await page.locator('.tile').first().waitFor();
    },
  },
  {
    name: 'library-selection',
    path: '/library',
    reach: async (page) => {
      for (const name of [/tides-2027/, /Boat/])
        await page.getByRole('row', { name }).getByRole('checkbox').click();
      await text('2 selected')(page);
    },
  },
  {
    name: 'library-preview',
    path: '/library',
    reach: async (page) => {
      await page.getByRole('row', { name: /Tenancy agreement Lots/ }).waitFor();
      await press(page, 'j', 'Space');
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      await page.getByRole('link', { name: /^Open/ }).waitFor();
    },
  },
  {
    name: 'library-filters',
    path: '/library?kind=note',
    reach: async (page) => {
      await button(page, 'More filters').click();
      await page.getByLabel('State').waitFor();
    },
  },
  {
    name: 'library-none-fits',
    path: '/library?kind=video',
    reach: text('No document fits these filters'),
  },
  { name: 'library-move', path: '/library', reach: listDialog('j', 'v') },
  { name: 'library-label', path: '/library', reach: listDialog('j', 'l') },
  { name: 'library-rename', path: '/library', reach: listDialog('j', 'r') },
  {
    name: 'library-undo',
    path: '/library',
    reach: async (page) => {
      await page
        .getByRole('row', { name: /invoice-3/ })
        .getByRole('checkbox')
        .click();
      await press(page, '#');
      await text('Moved 1 document to the trash')(page);
    },
  },
  {
    name: 'library-failed',
    path: '/library',
    reach: async (page) => {
      await page.route('**/v1/objects?**', (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Busy.' } }),
      );
      await page.reload();
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'library-offline',
    path: '/library',
    reach: async (page) => {
      await documents(page);
      await page.context().setOffline(true);
      await page.locator('.offline-bar').waitFor();
    },
  },
  {
    name: 'unreachable',
    path: '/library',
    reach: async (page) => {
      await page.route('**/v1/**', (route) => route.abort());
      await page.reload();
      await text('The service could not be reached.')(page);
    },
  },
  { name: 'folder', path: ({ folder }) => `/folder/${folder}`, reach: text(/Plum dumplings/) },
  { name: 'theme', path: ({ theme }) => `/theme/${theme}`, reach: heading(/Health|Home|Money/) },
  {
    name: 'folder-edit',
    path: ({ folder }) => `/folder/${folder}`,
    reach: async (page) => {
      await button(page, 'More actions').click();
      await button(page, 'Name and description').click();
      await dialog(page);
    },
  },
  {
    name: 'folder-delete',
    path: ({ folder }) => `/folder/${folder}`,
    reach: async (page) => {
      await button(page, 'More actions').click();
      await button(page, 'Delete the folder').click();
      await dialog(page);
    },
  },
  { name: 'library-empty', owner: 'empty', path: '/library', reach: text('Nothing here yet') },
  { name: 'search', path: '/library?q=rent', reach: text(/documents? found/) },
  {
    name: 'search-nothing',
    path: '/library?q=%22landlord%20settles%20nothing%22',
    reach: text('No document fits.'),
  },
  { name: 'trash', path: '/trash', reach: text('Old shopping list') },
  { name: 'trash-empty', owner: 'empty', path: '/trash', reach: text('The trash is empty') },
  {
    name: 'trash-erase',
    path: '/trash',
    reach: async (page) => {
      await button(page, 'Empty the trash').click();
      await dialog(page);
    },
  },
  { name: 'tidy', path: '/tidy', reach: text('Make a plan') },
  {
    name: 'tidy-plan',
    path: '/tidy',
    reach: async (page) => {
      await button(page, 'Make a plan').click();
      await button(page, /^Move \d+ documents?$/).waitFor();
    },
  },
  { name: 'not-found', path: '/nowhere', reach: heading('Not found') },
];

const VIEWER: readonly TourScreen[] = [
  {
    name: 'viewer-pdf',
    path: ({ pdf }) => `/object/${pdf}`,
    reach: (page) => page.locator('.textLayer span').first().waitFor(),
  },
  { name: 'viewer-cited', path: ({ pdf, place }) => `/object/${pdf}${place}`, reach: waitForMark },
  {
    name: 'viewer-find',
    path: ({ pdf }) => `/object/${pdf}`,
    reach: async (page) => {
      await page.locator('.textLayer span').first().waitFor();
      await press(page, 'Control+f');
      await page.getByRole('textbox', { name: 'Find in the document' }).fill('lamp');
    },
  },
  {
    name: 'viewer-note',
    path: ({ note }) => `/object/${note}`,
    reach: (page) => page.locator('.note-text li').first().waitFor(),
  },
  {
    name: 'viewer-menu',
    path: ({ note }) => `/object/${note}`,
    reach: async (page) => {
      await page.locator('.note-text').waitFor();
      await page.locator('.bar').getByRole('button', { name: /^More/ }).click();
      await page.locator('.menu:popover-open').waitFor();
    },
  },
  {
    name: 'viewer-compare',
    path: ({ note }) => `/object/${note}`,
    widths: [1_440, 900, 390, 320],
    reach: async (page) => {
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
      await button(page, 'Compare').click();
      await page.locator('dialog ins').first().waitFor();
    },
  },
  {
    name: 'viewer-details',
    path: ({ note }) => `/object/${note}`,
    widths: PHONES,
    reach: async (page) => {
      await page.getByRole('button', { name: /Details, summary/ }).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
    },
  },
  {
    name: 'viewer-table',
    path: ({ table }) => `/object/${table}`,
    reach: (page) => page.locator('main table').first().waitFor(),
  },
  { name: 'viewer-mail', path: ({ mail }) => `/object/${mail}`, reach: text(/weather permitting/) },
  {
    name: 'viewer-scan',
    path: ({ scan }) => `/object/${scan}`,
    reach: (page) => page.locator('.picture-frame img').waitFor(),
  },
  {
    name: 'viewer-damaged',
    path: ({ damaged }) => `/object/${damaged}`,
    reach: (page) => page.locator('.no-view').waitFor(),
  },
  {
    name: 'viewer-trashed',
    path: ({ trashed }) => `/object/${trashed}`,
    reach: text('It is in the trash, and can only be read.'),
  },
  {
    name: 'viewer-edit',
    path: ({ note }) => `/object/${note}/edit`,
    reach: (page) => page.getByRole('textbox', { name: 'Content' }).waitFor(),
  },
  {
    name: 'viewer-correct',
    path: ({ pdf }) => `/object/${pdf}/edit`,
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      await page.locator('.pdf-page canvas').first().waitFor({ state: 'attached' });
    },
  },
  {
    name: 'new-note',
    path: '/new/note',
    reach: (page) => page.getByRole('textbox', { name: 'Content' }).waitFor(),
  },
  {
    name: 'new-link',
    path: '/new/link',
    reach: (page) => page.getByRole('textbox', { name: 'Address of the page' }).waitFor(),
  },
];

const askAndWait = (question: string, end: string | RegExp) => async (page: Page) => {
  await askIn(page, question);
  await text(end)(page);
  await text(/^Searched \d+ documents/)(page);
};

const ASK: readonly TourScreen[] = [
  { name: 'ask-empty', owner: 'empty', path: '/ask', reach: heading('Ask') },
  { name: 'ask-answer', path: '/ask', reach: askAndWait(NOTICE_QUESTION, /third working day/) },
  {
    name: 'ask-sources',
    path: '/ask',
    widths: PHONES,
    reach: async (page) => {
      await askAndWait(NOTICE_QUESTION, /third working day/)(page);
      await button(page, /sources? in \d+ documents?/).click();
      await dialog(page);
    },
  },
  {
    name: 'ask-refusal',
    path: '/ask',
    reach: askAndWait('What does the zeppelin weigh in kilograms?', /I found nothing about this/),
  },
  {
    name: 'ask-unread',
    path: '/ask',
    reach: async (page) => {
      await askAndWait('What does the zeppelin weigh?', /I found nothing about this/)(page);
      await button(page, /unread, and why/).click();
      await dialog(page);
    },
  },
  {
    name: 'ask-chooser',
    path: '/ask',
    reach: async (page) => {
      await button(page, 'Ask about certain documents').click();
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'ask-conversations',
    path: '/ask',
    widths: PHONES,
    reach: (page) =>
      page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().waitFor(),
  },
];

const openZone = async (page: Page) => {
  await listDialog('g', 'h')(page);
  await page.getByLabel(/^PIN/).fill(PIN);
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await page.getByRole('row', { name: /For Jonas/ }).waitFor();
};

const SHELL: readonly TourScreen[] = [
  { name: 'sign-in', owner: 'none', path: '/sign-in', reach: heading('Sign in') },
  {
    name: 'sign-in-failed',
    owner: 'none',
    path: '/sign-in',
    reach: async (page) => {
      await page.getByLabel('One-time link or code').fill('nonsense');
      await button(page, 'Use the link').click();
      await text('That is not a complete link or code.')(page);
    },
  },
  ...['you', 'look', 'filing', 'keys', 'usage'].map((section) => ({
    name: `settings-${section}`,
    path: `/settings/${section}`,
    reach: async (page: Page) => {
      await page
        .locator(section === 'you' ? '.setting li' : '.setting')
        .first()
        .waitFor();
      await page.locator('main .spin').first().waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'settings-token',
    path: '/settings/you',
    reach: async (page) => {
      await button(page, 'Create a token').click();
      await page.getByLabel('What it is for').fill('the scanner');
      await press(page, 'Enter');
      await page.locator('.secret').waitFor();
    },
  },
  {
    name: 'palette',
    path: '/library',
    reach: async (page) => {
      await documents(page);
      await press(page, 'Control+K');
      await page.getByRole('combobox', { name: 'Palette' }).fill('tenancy');
      await page
        .getByRole('option', { name: /Tenancy agreement/ })
        .first()
        .waitFor();
    },
  },
  { name: 'help', path: '/library', reach: listDialog('?') },
  {
    name: 'account',
    path: '/library',
    reach: async (page) => {
      await button(page, /account$/).click();
      await button(page, 'Sign out').waitFor();
    },
  },
  {
    name: 'add',
    path: '/library',
    reach: async (page) => {
      await button(page, 'Add').click();
      await dialog(page);
    },
  },
  {
    name: 'tray',
    path: '/library',
    owner: 'empty',
    reach: async (page) => {
      await page.context().route('**/v1/uploads/resumable', (route) => route.abort());
      await chooseFiles(page, [textFile('boat survey.txt', 'x'), textFile('tides.txt', 'y')]);
      await rowOf(page, 'boat survey.txt', 'waiting').waitFor();
    },
  },
  {
    name: 'drop',
    path: '/library',
    reach: async (page) => {
      await documents(page);
      await page.locator('.app input[type=file]').waitFor({ state: 'attached' });
      await dropFiles(page, [{ name: 'a.txt', text: 'a' }], 'main', 'dragover');
      await page.locator('.drop-veil').waitFor();
    },
  },
  { name: 'hidden', path: '/library', reach: listDialog('g', 'h') },
  { name: 'hidden-open', path: '/library', reach: openZone },
  {
    name: 'hidden-document',
    path: '/library',
    reach: async (page) => {
      await openZone(page);
      await page.getByRole('link', { name: /For Jonas/ }).click();
      await page.locator('.note-text').waitFor();
      await page.locator('link[href*="viewer-sheet"]').waitFor({ state: 'attached' });
    },
  },
];

/** Every screen of the app with its states. */
export const TOUR: readonly TourScreen[] = [
  ...LIBRARY,
  ...VIEWER,
  ...ASK,
  ...SHELL,
  ...SHELL_TOUR,
  ...SHARES,
  ...AGENT,
  ...CONNECTIONS_TOUR,
  ...DATA,
  ...CALENDAR,
];
