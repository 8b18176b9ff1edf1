import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { FIRST_FILES, fileField, firstFile, proposals, rowOf, step } from './welcome-fixture.ts';
import { textFile } from './uploads-fixture.ts';

const PIN = '48151623';
const GREETINGS = {
  en: /^Good /,
  de: /^Guten /,
  fr: /^Bon/,
  es: /^Buen/,
  ru: /^Добр/,
  zh: /好/,
};

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the steps of the first five minutes`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    it('say what became of each file, and lead to a plan from five files on', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/welcome');
      const [first, ...rest] = Object.keys(FIRST_FILES).slice(0, 4) as (keyof typeof FIRST_FILES)[];
      await fileField(page).setInputFiles([
        firstFile(first ?? 'Mietvertrag.txt'),
        { name: 'Bill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 broken') },
      ]);
      await rowOf(page, 'Bill.pdf').getByText('Could not be read').waitFor();
      await step(page, 'With 5 files or more.', false).waitFor();
      await fileField(page).setInputFiles(rest.map(firstFile));
      await step(page, '5 files came in, 4 are read.', true).waitFor();
      await proposals(page).nth(2).waitFor();
      await capture(page, 'welcome-five');
      await expectAccessibleInBothThemes(page, 'welcome with five files');
      await page.getByRole('link', { name: 'See a plan' }).click();
      await page.waitForURL(/\/app\/tidy$/);
      await page.getByRole('button', { name: 'Make a plan' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('show a file while it is on its way', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/welcome');
      await page.context().route('**/v1/uploads/resumable', (route) => route.abort());
      await fileField(page).setInputFiles([textFile('tides.txt', 'low at noon')]);
      await rowOf(page, 'tides.txt').waitFor();
      await page.context().unroute('**/v1/uploads/resumable');
      // It is tried again without a press.
      await rowOf(page, 'tides.txt')
        .getByText(/^Read: /)
        .waitFor();
      await close();
      expect(complaints.filter((each) => !/ERR_FAILED/.test(each))).to.deep.equal([]);
    });

    it('bring in the export of another workspace', async () => {
      const from = await service.newOwner();
      const { json } = await service.uploadAll([['tides.txt', 'low at noon']], {}, from);
      await service.settled(json.items[0].id, from);
      const exported = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${from.token}` },
      });
      expect(exported.status).to.equal(200);
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/welcome');
      const field = page.locator('.done-list input[type=file]');
      const zip = (buffer: Buffer) => ({ name: 'e.zip', mimeType: 'application/zip', buffer });
      await field.setInputFiles([zip(Buffer.from('no archive'))]);
      await page.getByText('This is not a complete export of a workspace.').waitFor();
      await field.setInputFiles([zip(Buffer.from(await exported.arrayBuffer()))]);
      await page.getByText('1 document came with it.').waitFor();
      await rowOf(page, 'tides.txt').waitFor();
      expect(complaints.filter((each) => !/status of 4\d\d/.test(each))).to.deep.equal([]);
      await close();
    });

    it('show nothing of what is hidden, while the zone is locked and while it is open', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
      const hidden = FIRST_FILES['Invoice 2024-117.txt'];
      const { json } = await service.uploadAll([['secret-4207.txt', hidden]], {}, { token });
      const ids = json.items.map(({ id }: { id: string }) => id);
      await service.settled(ids[0], { token });
      await service.call('POST', '/v1/objects/bulk', { token, body: { action: 'hide', ids } });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      const other = await openApp(browser, service);
      const textOf = async (tab: typeof other) => {
        await tab.open('/welcome');
        await step(tab.page, 'Let them be filed', false).waitFor();
        return (await tab.page.locator('main').innerText()).replace(/owner-\d+/, 'owner');
      };
      await open('/welcome');
      await step(page, 'First files', false).waitFor();
      const mine = { page, open } as typeof other;
      expect(await textOf(mine)).to.equal(await textOf(other));
      await other.close();

      await service.uploadAll([['open.txt', FIRST_FILES['Mietvertrag.txt']]], {}, { token });
      await proposals(page).nth(2).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByLabel(/^PIN/).fill(PIN);
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
      await page.getByRole('region', { name: 'Hidden zone' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await rowOf(page, 'open.txt').waitFor();
      await proposals(page).nth(2).waitFor();
      expect(await page.locator('main').innerText()).not.to.match(/secret-4207|Ann Lee|420/);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('speak six languages, and let language and zone be changed', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await open('/welcome');
      await page.getByText('Change', { exact: true }).click();
      await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
      await step(page, 'Asia/Tokyo', true).waitFor();
      const zone = async () =>
        (await service.call('GET', '/v1/settings', { token })).json.timezone as string;
      expect(await eventually(zone, (each) => each === 'Asia/Tokyo')).to.equal('Asia/Tokyo');
      for (const [language, greeting] of Object.entries(GREETINGS)) {
        await page.locator('.done-list select').first().selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        await page.getByRole('heading', { level: 1, name: greeting }).waitFor();
        await capture(page, `welcome-${language}`);
      }
      await expectAccessibleInBothThemes(page, 'welcome in Chinese');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
