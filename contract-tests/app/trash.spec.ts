import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';

const NOTES = 6;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the trash`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      for (let n = 0; n < NOTES; n++) {
        const body = { content: `note ${n}`, title: `Old note ${n}` };
        const { json } = await service.call('POST', '/v1/objects/notes', {
          token: tab.token,
          body,
        });
        await service.settled(json.id, { token: tab.token });
        await service.call('DELETE', `/v1/objects/${json.id}`, { token: tab.token });
      }
      await tab.open('/trash');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const total = async (query: string): Promise<number> =>
      (await service.call('GET', `/v1/objects?limit=1&${query}`, { token: tab.token })).json.total;
    const settles = async (query: string, expected: number) =>
      expect(
        await eventually(
          () => total(query),
          (each) => each === expected,
        ),
        query,
      ).to.equal(expected);
    const row = (name: RegExp) => tab.page.getByRole('row', { name });

    it('lists what was deleted, without a finding of axe', async () => {
      await row(/Old note 5/).waitFor();
      const goesAt = new Date(Date.now() + 30 * 86_400_000);
      const day = new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        timeZone: 'Europe/Berlin',
      });
      await tab.page
        .getByText(`erased on ${day.format(goesAt)}`)
        .first()
        .waitFor();
      await capture(tab.page, 'trash');
      await expectAccessibleInBothThemes(tab.page, 'trash');
    });

    it('restores a document, and takes that back', async () => {
      const { page } = tab;
      await row(/Old note 1/)
        .getByRole('checkbox')
        .click();
      await page.getByRole('button', { name: 'Restore' }).first().click();
      await row(/Old note 1/).waitFor({ state: 'detached' });
      await settles('trashed=true', NOTES - 1);
      await page.getByText('Restored 1 document').waitFor();
      await page.keyboard.press('Control+z');
      await settles('trashed=true', NOTES);
      await tab.open('/trash');
      await row(/Old note 1/).waitFor();
      expect(await page.getByRole('rowheader').count(), 'months of when it was added').to.equal(0);
    });

    it('erases what is selected after it has asked', async () => {
      const { page } = tab;
      await row(/Old note 2/)
        .getByRole('checkbox')
        .click();
      await row(/Old note 3/)
        .getByRole('checkbox')
        .click();
      await page.getByRole('button', { name: 'Erase' }).click();
      const dialog = page.getByRole('dialog', { name: 'Erase 2 documents?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await total('trashed=true')).to.equal(NOTES);
      await page.getByRole('button', { name: 'Erase' }).click();
      await dialog.getByRole('button', { name: 'Erase 2 documents' }).click();
      await settles('trashed=true', NOTES - 2);
    });

    it('is emptied after it has asked', async () => {
      const { page } = tab;
      await page.getByRole('button', { name: 'Empty the trash' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Erase ${NOTES - 2} documents` })
        .click();
      await page.getByText('The trash is empty').waitFor();
      await settles('trashed=true', 0);
    });
  });
