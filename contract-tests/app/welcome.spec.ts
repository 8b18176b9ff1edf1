import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes } from './app-fixture.ts';
import { citedWords, waitForMark } from './viewer-fixture.ts';
import {
  FIRST_FILES,
  PHONE,
  addAuthenticator,
  fileField,
  firstFile,
  openLink,
  proposals,
  rowOf,
  step,
} from './welcome-fixture.ts';

const INVOICE = 'Invoice 2024-117.txt';
const ASK_FOR_SUM = 'Amount due: how much?';
const PANEL = { name: 'First five minutes' };

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the first five minutes`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const isAtWelcome = (page: Page) => page.waitForURL(/\/app\/welcome$/);
    const cite = (page: Page) => page.locator('.prose .cite').first();

    it('lead from the printed link to the marked words of a citation', async () => {
      const owner = await service.newOwner();
      const { page, complaints, close } = await openLink(browser, service, owner.id);
      await isAtWelcome(page);
      await page.getByText('Nothing leaves this server.').waitFor();
      await step(page, 'You are signed in', true).waitFor();
      await capture(page, 'welcome-empty');
      await expectAccessibleInBothThemes(page, 'welcome, empty');
      await fileField(page).setInputFiles([firstFile(INVOICE)]);
      await rowOf(page, INVOICE).getByText('Read: Invoice').waitFor();
      await step(page, '1 file came in, 1 is read.', true).waitFor();
      await proposals(page).nth(2).waitFor();
      expect(await proposals(page).allInnerTexts()).to.deep.equal([
        ASK_FOR_SUM,
        'Invoice date: when?',
        'Who is Ann Lee?',
      ]);
      await capture(page, 'welcome');
      await expectAccessibleInBothThemes(page, 'welcome with a file');

      await proposals(page).first().click();
      await page.getByRole('heading', { level: 2, name: ASK_FOR_SUM }).waitFor();
      await page.locator('.about', { hasText: INVOICE }).waitFor();
      await cite(page).click();
      await waitForMark(page);
      expect(await citedWords(page)).to.include('$420.00');
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await step(page, 'First question', true).waitFor();
      // The service has the zone of the device, for reminders.
      const { json } = await service.call('GET', '/v1/settings', { token: owner.token });
      expect(json.timezone).to.equal('Europe/Berlin');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('lead there on a phone, by touch', async () => {
      const owner = await service.newOwner();
      const { page, complaints, close } = await openLink(browser, service, owner.id, PHONE);
      await isAtWelcome(page);
      const chooser = page.waitForEvent('filechooser');
      await page.locator('.drop').scrollIntoViewIfNeeded();
      await page.locator('.drop').tap();
      await (await chooser).setFiles([firstFile(INVOICE)]);
      await rowOf(page, INVOICE).getByText('Read: Invoice').waitFor();
      await proposals(page).first().waitFor();
      await capture(page, 'welcome-phone');
      await expectAccessibleInBothThemes(page, 'welcome on a phone');
      const { scroll, width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        width: innerWidth,
      }));
      expect(scroll).to.equal(width);
      await step(page, 'Let them be filed', false).scrollIntoViewIfNeeded();
      await capture(page, 'welcome-phone-steps');
      await proposals(page).first().tap();
      await cite(page).tap();
      await waitForMark(page);
      expect(await citedWords(page)).to.include('$420.00');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('lead there by the keyboard alone', async () => {
      const owner = await service.newOwner();
      const { page, complaints, close } = await openLink(browser, service, owner.id);
      await isAtWelcome(page);
      const tabTo = async (selector: string) => {
        for (let presses = 0; presses < 60; presses++) {
          if (await page.locator(`${selector}:focus`).count()) return;
          await page.keyboard.press('Tab');
        }
        throw new Error(`Tab does not reach ${selector}.`);
      };
      await fileField(page).waitFor({ state: 'attached' });
      // Announced before the presses: reporting of choosers begins after a round trip.
      const chooser = page.waitForEvent('filechooser');
      await tabTo('.drop input');
      await page.keyboard.press('Enter');
      await (await chooser).setFiles([firstFile(INVOICE)]);
      await proposals(page).first().waitFor();
      await tabTo('.first .next button');
      await page.keyboard.press('Enter');
      await cite(page).waitFor();
      await tabTo('.prose .cite');
      await page.keyboard.press('Enter');
      await waitForMark(page);
      expect(await citedWords(page)).to.include('$420.00');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('propose questions that the built-in engine answers with a citation', async () => {
      for (const [name, content] of Object.entries(FIRST_FILES)) {
        const { id: owner, token } = await service.newOwner();
        const { page, complaints, close } = await openLink(browser, service, owner);
        await isAtWelcome(page);
        const { json } = await service.uploadAll([[name, content]], {}, { token });
        const [{ id }] = json.items as [{ id: string }];
        await proposals(page).nth(2).waitFor();
        const questions = await proposals(page).allInnerTexts();
        expect(questions, name).to.have.length(3);
        for (const question of questions) {
          const body = { question, object_ids: [id] };
          const { json: answer } = await service.call('POST', '/v1/ask', { token, body });
          expect(answer.engine).to.equal('extractive');
          expect(answer.citations.length, `${name}: ${question}`).to.be.at.least(1);
        }
        expect(complaints).to.deep.equal([]);
        await close();
      }
    });

    it('make a passkey under the name of the device, which signs in', async () => {
      const { id } = await service.newOwner();
      const { page, complaints, close } = await openLink(browser, service, id);
      await isAtWelcome(page);
      await addAuthenticator(page);
      const name = page.getByLabel('Name of the passkey');
      expect(await name.inputValue()).to.match(/, Chrome$/);
      await page.getByRole('button', { name: 'Make a passkey' }).click();
      await step(page, 'Make a passkey', true).waitFor();
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await step(page, 'Make a passkey', true).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('go with "Not now", on every device, and stay reachable', async () => {
      const { id } = await service.newOwner();
      const { page, complaints, close } = await openLink(browser, service, id);
      await page.getByRole('complementary', PANEL).waitFor();
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.waitForURL(/\/app\/library$/);
      await page.reload();
      await page.getByText('Nothing here yet').waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/library');

      const other = await openLink(browser, service, id);
      await other.page.getByText('Nothing here yet').waitFor();
      expect(new URL(other.page.url()).pathname).to.equal('/app/library');
      await other.close();

      const main = page.getByRole('main');
      await main.getByRole('link', PANEL).click();
      await page.getByRole('complementary', PANEL).waitFor();
      await page.goBack();
      await page.getByText('Nothing here yet').waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog');
      await help.getByText('Go to First five minutes').waitFor();
      await help.getByRole('link', PANEL).click();
      await page.getByRole('complementary', PANEL).waitFor();
      await help.waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByText('Nothing here yet').waitFor();
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox').fill('five minutes');
      await page.getByRole('option', { name: /First five minutes/ }).click();
      await page.getByRole('complementary', PANEL).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('end where the workspace has documents already', async () => {
      const { id, token } = await service.newOwner();
      await service.uploadAll([['a.txt', 'a']], {}, { token });
      const { page, close } = await openLink(browser, service, id);
      await page.getByRole('row', { name: /^a\.txt/ }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/library');
      await close();
    });
  });
