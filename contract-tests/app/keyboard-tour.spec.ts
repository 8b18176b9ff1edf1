import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser, openTab } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { NOTICE_QUESTION, TENANCY, writeNote } from './ask-fixture.ts';

const PIN = '48151623';

/** What counts presses of a pointer from the first document on. */
const COUNT_POINTERS = `
  globalThis.pointers = 0;
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => globalThis.pointers++, { capture: true });
`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the app without a pointer`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    /** Walks with the Tab key until something of this name has the focus. */
    async function tabTo(page: Page, name: RegExp): Promise<void> {
      const names: string[] = [];
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          `(() => {
            const { activeElement: active } = document;
            const labelled = active.labels?.[0]?.textContent;
            return (active.getAttribute('aria-label') ?? labelled ?? active.textContent).trim();
          })()`,
        );
        if (name.test(focused)) return;
        names.push(focused.slice(0, 30));
      }
      expect.fail(`The Tab key does not lead to ${name.source}: ${names.join(', ')}`);
    }

    it('signs in, finds, moves, undoes, cites, asks, tidies, empties the trash and locks', async () => {
      const owner = await service.newOwner();
      const note = await writeNote(service, owner, 'Tenancy agreement', TENANCY);
      await writeNote(service, owner, 'Groceries', 'Milk and bread.');
      await service.call('POST', '/v1/collections', {
        token: owner.token,
        body: { name: 'Flat' },
      });
      await service.call('POST', '/v1/hidden-pin', { token: owner.token, body: { pin: PIN } });
      await service.call('POST', '/v1/hidden-pin/lock', { token: owner.token });
      const total = async (query: string): Promise<number> =>
        (await service.call('GET', `/v1/objects?limit=1&${query}`, { token: owner.token })).json
          .total;
      const settles = async (query: string, expected: number) => {
        const found = await eventually(
          () => total(query),
          (each) => each === expected,
        );
        expect(found, query).to.equal(expected);
      };
      const { page, complaints, close } = await openTab(browser, {
        locale: 'en-GB',
        reducedMotion: 'reduce',
        viewport: { width: 1_440, height: 900 },
      });
      await page.addInitScript(COUNT_POINTERS);
      const press = async (...keys: readonly string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

      // Signs in.
      await page.goto(`${service.base}/app/library`);
      await heading('Sign in').waitFor();
      await tabTo(page, /^One-time link or code/);
      await page.keyboard.type(await service.signInCode(owner.id));
      await press('Enter');

      // Library: selects, moves, undoes.
      await page.getByRole('row', { name: /Groceries/ }).waitFor();
      await heading(/^Library/).waitFor();
      await press('j');
      await page.locator('[data-index="0"]:focus').waitFor();
      await press('x', 'j', 'x');
      await page.getByText('2 selected').waitFor();
      await press('v');
      await page.getByLabel('Find a folder').waitFor();
      await page.keyboard.type('flat');
      await press('ArrowDown', 'Enter');
      await settles('uncategorized=true', 0);
      await press('Control+z');
      await settles('uncategorized=true', 2);

      // Opens a document and goes back.
      const groceries = page.getByRole('row', { name: /Groceries/ });
      await groceries.waitFor();
      await press('Home');
      await page.locator('[data-index="0"]:focus').waitFor();
      await press('Enter');
      await page.waitForURL(/\/object\/[0-9a-f-]{36}$/);
      await heading(/Groceries/).waitFor();

      // Asks, and opens the cited place.
      await press('g', 'a');
      await heading('Ask').waitFor();
      await page.locator('textarea#say:focus').waitFor();
      await page.keyboard.type(NOTICE_QUESTION);
      await press('Enter');
      await page.locator('.prose .cite').first().waitFor();
      await page.getByRole('button', { name: 'Copy the answer with its sources' }).waitFor();
      await tabTo(page, /^1$|^Source 1/);
      await press('Enter');
      await page.waitForURL((url) => url.pathname === `/app/object/${note}` && url.hash !== '');
      await page.getByRole('main').locator('mark').first().waitFor();

      // Tidies up, from the palette.
      await press('Control+K');
      await page.getByRole('combobox', { name: 'Palette' }).waitFor();
      await page.keyboard.type('>tidy up');
      await page.getByRole('option', { name: 'Tidy up' }).waitFor();
      await press('Enter');
      await tabTo(page, /^Make a plan$/);
      await press('Enter');
      await page.waitForURL(/\/tidy\/[0-9a-f-]{36}$/);

      // Moves a document to the trash, and empties it.
      await press('g', 'l');
      await groceries.waitFor();
      await press('j');
      await page.locator('[data-index="0"]:focus').waitFor();
      await press('Home', '#');
      await settles('trashed=true', 1);
      await press('g', 't');
      await heading(/^Trash/).waitFor();
      await groceries.waitFor();
      await tabTo(page, /^Empty the trash$/);
      await press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Erase 1 document' }).waitFor();
      await tabTo(page, /^Erase 1 document$/);
      await press('Enter');
      await settles('trashed=true', 0);

      // Opens the hidden zone and locks it.
      await press('g', 'h');
      await page.getByLabel(/^PIN/).waitFor();
      await page.keyboard.type(PIN);
      await press('Enter');
      const bar = page.getByRole('region', { name: 'Hidden zone' });
      await bar.waitFor();
      await press('Shift+Escape');
      await bar.waitFor({ state: 'detached' });
      await heading(/^Trash/).waitFor();

      expect(await page.evaluate('globalThis.pointers')).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
