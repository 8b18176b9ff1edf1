import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openModelService, streaming, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, writeNote } from './ask-fixture.ts';

const CITED = 'in writing, at the latest on the third working day';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: a model that fails, in the app`, function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    let model: ModelService;
    let tab: AppTab;
    let page: Page;
    let note: string;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, {
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
        ANSWER_SECONDS: '2',
      });
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
      await service.call('PUT', '/v1/integrations/llm', {
        token: tab.token,
        body: { config: { base_url: `${model.origin}/v1`, model: 'lamp-7b' } },
      });
      note = await writeNote(service, tab, 'Tenancy agreement', TENANCY);
    });
    after(async () => {
      await tab.close();
      await service.dispose();
      await model.close();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const failed = (text: string) => page.getByRole('alert').getByText(text).waitFor();
    const withoutModel = () => page.getByRole('button', { name: 'Answer without the model' });

    it('leaves the question, however it fails, and the built-in engine answers it', async () => {
      for (const [play, message] of [
        [{ refused: 500 }, 'The model did not answer.'],
        [{ pieces: [], then: 'silence' }, 'The model did not answer in time.'],
        [{ pieces: ['  '] }, 'The model did not answer.'],
      ] as const) {
        model.plays(play);
        await tab.open('/ask');
        await askIn(page, NOTICE_QUESTION);
        await failed(message);
        await page.getByRole('heading', { level: 2, name: NOTICE_QUESTION }).waitFor();
        await page.getByRole('alert').getByRole('button', { name: 'Ask again' }).waitFor();
        const before = model.asked.length;
        await withoutModel().click();
        await page.locator('.prose', { hasText: CITED }).waitFor();
        await page.getByText('Built in, on this server').waitFor();
        expect(model.asked.length).to.equal(before);
        expect(await page.getByRole('alert').count()).to.equal(0);
        expect(await page.locator('article.turn').count()).to.equal(1);
        await page.reload();
        await page.getByText('Built in, on this server').waitFor();
        // The question that the model left without an answer is the same one.
        expect(await page.locator('article.turn').count()).to.equal(1);
      }
    });

    it('that sends what is no answer is named, without its words', async () => {
      model.plays((response) => {
        response.writeHead(200, streaming).end('data: {"choices": <b>no JSON</b>\n\ndata: 7\n\n');
      });
      await tab.open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await failed('The model did not answer.');
      expect(await page.getByText('no JSON').count()).to.equal(0);
      await capture(page, 'ask-without-model');
      await expectAccessibleInBothThemes(page, 'a model that failed');
      await withoutModel().click();
      await page.locator('.prose .cite').first().waitFor();
    });

    it('that breaks off keeps what came, and the answer without it follows', async () => {
      model.plays({ pieces: ['Half of an answer'], then: 'cut' });
      await tab.open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await failed('The model did not answer.');
      await page.locator('.prose', { hasText: 'Half of an answer' }).waitFor();
      await withoutModel().click();
      await page.locator('.prose', { hasText: CITED }).waitFor();
      expect(await page.locator('article.turn').count()).to.equal(2);
    });

    it('for chosen documents is left out of their answer as well', async () => {
      model.plays({ refused: 503 });
      await tab.open('/ask');
      await page.getByRole('button', { name: 'Ask about certain documents' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'Tenancy agreement.md' }).check();
      await dialog.getByRole('button', { name: 'Ask about 1 document' }).click();
      await askIn(page, NOTICE_QUESTION);
      await failed('The model did not answer.');
      await withoutModel().click();
      const chip = page.locator('.prose .cite').first();
      await chip.waitFor();
      expect(await chip.getAttribute('href')).to.include(note);
      await page.locator('.about', { hasText: 'Tenancy agreement.md' }).waitFor();
    });
  });
