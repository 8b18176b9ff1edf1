import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, writeNote } from './ask-fixture.ts';

const TITLE = 'Tenancy agreement Lotsenweg 7';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: questions in the app`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const call = async (tab: AppTab, method: string, path: string, body?: object) =>
      (await service.call(method, path, { token: tab.token, ...(body && { body }) })).json;
    const chip = (page: Page) => page.locator('.prose .cite').first();

    it('are answered in the words of the documents, with their places', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      const note = await writeNote(service, tab, TITLE, TENANCY);
      await open('/ask');
      await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
      await capture(page, 'ask-empty');
      await askIn(page, NOTICE_QUESTION);
      await page.getByRole('heading', { level: 2, name: NOTICE_QUESTION }).waitFor();
      await chip(page).waitFor();
      await page.getByText('Searched 1 document', { exact: true }).waitFor();
      await page.getByText('Built in, on this server').waitFor();
      await page.waitForURL(/\/app\/ask\/[0-9a-f-]{36}$/);
      const address = await chip(page).getAttribute('href');
      expect(address).to.match(new RegExp(`^/app/object/${note}#t=\\d+-\\d+$`));

      // The source has the cited words, and around them those of the paragraph.
      const panel = page.getByRole('complementary', { name: 'Sources' });
      const cited = (await panel.locator('mark').first().textContent()) ?? '';
      expect(TENANCY).to.include(cited);
      await panel.getByText('Notice by e-mail is of no effect.').first().waitFor();
      await page.getByRole('status').getByText('Answer complete, 1 source').waitFor();
      await capture(page, 'ask-answer');
      for (const width of [1_440, 900, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expectAccessibleInBothThemes(page, `answer at ${width}`);
      }
      await capture(page, 'ask-phone');
      await page.getByRole('button', { name: '1 source in 1 document' }).click();
      await page.getByRole('dialog', { name: 'Sources' }).getByText(cited).waitFor();
      await capture(page, 'ask-phone-sources');
      await expectAccessibleInBothThemes(page, 'sources over the answer');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await capture(page, 'ask-dark');

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the answer with its sources' }).click();
      await page.getByText('Answer copied with its sources').waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).to.include(`[1] ${TITLE}`).and.to.include(cited);
      expect(copied).to.include(`${service.base}${address}`);

      const chat = page.url();
      await page.reload();
      await page.getByText('Searched 1 document', { exact: true }).waitFor();
      await page.getByRole('link', { name: /^Source 1: Tenancy/ }).click();
      await page.waitForURL((url) => `${url.pathname}${url.hash}` === address);
      // The viewer has the answer, and the cited words are marked in it.
      await page.locator('.cited', { hasText: NOTICE_QUESTION }).waitFor();
      await page.getByRole('main').locator('mark', { hasText: cited }).first().waitFor();
      await page.goBack();
      await page.waitForURL(chat);
      await chip(page).waitFor();

      // Windows without a rail have the conversations on the screen itself.
      await page.setViewportSize({ width: 390, height: 844 });
      await open('/ask');
      const chats = page.getByRole('navigation', { name: 'Conversations' });
      await chats
        .getByRole('link', { name: new RegExp(`^${NOTICE_QUESTION.slice(0, 20)}`) })
        .waitFor();
      await capture(page, 'ask-phone-chats');
      await expectAccessibleInBothThemes(page, 'conversations on a phone');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('that nothing answers lead to the nearest documents, the unread ones, and adding', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await writeNote(service, tab, 'Dentist', 'The dentist sent a bill in March 2023.');
      const broken = [['Bill.pdf', '%PDF-1.7 and nothing of one']] as const;
      const { json } = await service.uploadAll(broken, {}, { token: tab.token });
      await service.settled(json.items[0].id, { token: tab.token });
      await open('/ask');
      await askIn(page, 'What does the zeppelin of the dentist weigh in kilograms?');
      await page.getByText('I found nothing about this in your documents.').waitFor();
      await page.getByRole('button', { name: 'See the one that is unread, and why' }).click();
      const unread = page.getByRole('dialog', { name: 'Unread documents' });
      await unread.getByRole('link', { name: 'Bill.pdf' }).waitFor();
      await unread.getByText('Could not be read').waitFor();
      await capture(page, 'ask-unread');
      await expectAccessibleInBothThemes(page, 'unread documents');
      await unread.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Add what is missing and ask again' }).waitFor();
      const nearest = page.getByRole('link', { name: 'See the 1 document that comes nearest' });
      await nearest.waitFor();
      await capture(page, 'ask-refusal');
      await expectAccessibleInBothThemes(page, 'refusal');
      await nearest.click();
      await page.getByRole('link', { name: 'Dentist.md' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('are limited to a folder, or to documents that were chosen', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      const folder = await call(tab, 'POST', '/v1/collections', { name: 'Flat <b>1</b>' });
      const inFolder = { collection_id: folder.id };
      await writeNote(service, tab, 'Old', 'The rent of the flat is 500 euros a month.', inFolder);
      await writeNote(service, tab, 'New', 'The rent of the flat is 900 euros a month.');
      await open('/ask');
      await page.getByRole('button', { name: 'Search in: All documents' }).click();
      await page.getByRole('button', { name: 'Flat <b>1</b>' }).click();
      await askIn(page, 'What is the rent of the flat?');
      await page.locator('.prose', { hasText: '500 euros' }).waitFor();
      await page.getByText('Searched 1 document', { exact: true }).waitFor();
      expect(await page.locator('.prose').textContent()).not.to.include('900');
      await page.getByRole('link', { name: /in Flat <b>1<\/b>/ }).waitFor();

      await page.getByRole('link', { name: 'New conversation' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
      await page.getByRole('button', { name: 'Ask about certain documents' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox').fill('900');
      await dialog.getByText('Old.md').waitFor({ state: 'detached' });
      await dialog.getByRole('checkbox', { name: 'New.md' }).check();
      await capture(page, 'ask-chooser');
      await expectAccessibleInBothThemes(page, 'choosing documents');
      await dialog.getByRole('button', { name: 'Ask about 1 document' }).click();
      await askIn(page, 'What is the rent of the flat?');
      await page.locator('.prose', { hasText: '900 euros' }).waitFor();
      expect(await page.locator('.prose').textContent()).not.to.include('500');
      await page.reload();
      await page.locator('.about', { hasText: 'New.md' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('stand in conversations that are renamed, pinned and deleted', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open('/ask');
      await askIn(page, 'Where is the lighthouse?');
      await page.getByText('There are no documents to search yet.').waitFor();
      const rail = page.getByRole('navigation', { name: 'Workspace' }).first();
      await rail.getByRole('link', { name: /^Where is the lighthouse\?/ }).waitFor();

      await page.getByRole('button', { name: 'Pin this conversation' }).click();
      await rail.getByText('Pinned').waitFor();
      await page.keyboard.press('Control+Z');
      await rail.getByText('Pinned').waitFor({ state: 'detached' });

      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: 'Title' }).fill('Lighthouse <i>\u202Etxt');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Lighthouse <i>' }).waitFor();
      await rail.getByRole('link', { name: /^Lighthouse <i>/ }).waitFor();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
      await page.getByRole('heading', { level: 1, name: 'Where is the lighthouse?' }).waitFor();

      await page.getByRole('button', { name: 'More for this conversation' }).click();
      await page.getByRole('button', { name: 'Delete conversation' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete conversation' });
      await dialog.getByText('This can not be undone.').waitFor();
      await expectAccessibleInBothThemes(page, 'deleting');
      await dialog.getByRole('button', { name: 'Delete conversation' }).click();
      await page.waitForURL(/\/app\/ask$/);
      await rail.getByRole('link', { name: /^Where is/ }).waitFor({ state: 'detached' });
      expect((await call(tab, 'GET', '/v1/chats')).total).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
