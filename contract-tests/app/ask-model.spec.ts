import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, pacedModel, writeNote } from './ask-fixture.ts';

const CLAIM =
  'Notice is due early "at the latest on the third working day of a month" [1]. That would be 3 December.';
const HOSTILE = '<img src=x onerror=alert(1)> **bold** <script>alert(2)</script> [9]';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: answers of a model in the app`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let model: ModelService;
    before(async () => {
      model = await openModelService();
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    after(() => model.close());

    const openWithModel = async (): Promise<AppTab> => {
      const tab = await openApp(browser, service);
      model.plays({ pieces: ['ready'] });
      await service.call('PUT', '/v1/integrations/llm', {
        token: tab.token,
        body: { config: { base_url: `${model.origin}/v1`, model: 'lamp-7b' } },
      });
      await writeNote(service, tab, 'Tenancy agreement', TENANCY);
      return tab;
    };

    it('appear as they come, with firm citations and marked claims at their end', async () => {
      const { page, open, complaints, close } = await openWithModel();
      const paced = pacedModel();
      model.plays(paced.play);
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await page.getByRole('heading', { level: 2, name: NOTICE_QUESTION }).waitFor();
      await page.getByText('Searching your documents').waitFor();
      await eventually(() => Promise.resolve(paced.isOpen()), Boolean);
      paced.say(CLAIM.slice(0, 80));
      paced.say(`${CLAIM.slice(80)} ${HOSTILE}\n\nThe `);
      await page.getByRole('heading', { level: 1, name: NOTICE_QUESTION }).waitFor();
      const coming = page.locator('.prose .cite.coming');
      await coming.waitFor();
      await page.getByText('Notice is due early').first().waitFor();
      expect(await page.locator('article.turn').getAttribute('aria-busy')).to.equal('true');
      await capture(page, 'ask-streaming');
      await expectAccessibleInBothThemes(page, 'an answer that comes');
      paced.say('end.');
      paced.finish();
      await page.getByText('lamp-7b, in your own network').waitFor();
      expect(await coming.count()).to.equal(0);
      expect(await page.locator('.prose .cite').count()).to.equal(1);
      const unsourced = page.locator('.prose .unsourced');
      await unsourced.first().waitFor();
      expect(await unsourced.first().textContent()).to.include('That would be 3 December.');
      await page.getByText('no source').first().waitFor();
      expect(await page.locator('.prose img, .prose script').count()).to.equal(0);
      await capture(page, 'ask-model');
      await expectAccessibleInBothThemes(page, 'an answer of a model');
      await page.reload();
      await page.getByText('lamp-7b, in your own network').waitFor();
      await page.locator('.prose .unsourced').first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('that are stopped stay as far as they came, marked as incomplete', async () => {
      const tab = await openWithModel();
      const { page, open, complaints, close } = tab;
      const paced = pacedModel();
      model.plays(paced.play);
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await eventually(() => Promise.resolve(paced.isOpen()), Boolean);
      paced.say('Notice must be given in writing. And it ');
      await page.locator('.prose', { hasText: 'Notice must be given in writing.' }).waitFor();
      await page.getByRole('button', { name: 'Stop the answer' }).waitFor();
      await page.keyboard.press('Escape');
      const incomplete = page.getByText('Incomplete: the answer was broken off.');
      await incomplete.waitFor();
      await page.getByText('Notice must be given in writing.').first().waitFor();
      await eventually(() => Promise.resolve(!paced.isOpen()), Boolean);
      await capture(page, 'ask-stopped');
      await expectAccessibleInBothThemes(page, 'a stopped answer');

      const id = page.url().split('/').at(-1) ?? '';
      await eventually(
        async () =>
          (await service.call('GET', `/v1/chats/${id}`, { token: tab.token })).json.messages,
        (messages) => messages.length === 2,
      );
      await page.reload();
      await incomplete.waitFor();
      model.plays({ pieces: [CLAIM] });
      await page.getByRole('button', { name: 'Ask again' }).first().click();
      await page.locator('.prose .cite').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('that fail leave the question, and can be requested again', async () => {
      const { page, open, complaints, close } = await openWithModel();
      model.plays({ refused: 401 });
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await page.getByRole('alert').getByText('The model did not answer.').waitFor();
      await page.getByRole('heading', { level: 2, name: NOTICE_QUESTION }).waitFor();
      await capture(page, 'ask-failed');
      await expectAccessibleInBothThemes(page, 'a failed answer');
      model.plays({ pieces: [CLAIM] });
      await page.getByRole('alert').getByRole('button', { name: 'Ask again' }).click();
      await page.locator('.prose .cite').waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);

      // Line breaks of every kind, comments, and an error in the middle.
      const body =
        ': hello\r\n\r\nevent: session\r\ndata: {"session_id":\r\ndata: null}\r\n\r\n' +
        'event: delta\ndata: {"text":"Half of it <img src=x onerror=alert(1)>"}\n\nevent: error\rdata: {"code":"deadline","detail":""}\r\r';
      await page.route('**/v1/ask', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body }),
      );
      await askIn(page, 'And how late?');
      await page.getByRole('alert').getByText('The model did not answer in time.').waitFor();
      await page.getByText('Half of it <img src=x onerror=alert(1)>').waitFor();
      expect(await page.locator('.prose img').count()).to.equal(0);
      await page.unroute('**/v1/ask');

      let calls = 0;
      await page.route('**/v1/ask', (route) =>
        calls++ === 0
          ? route.fulfill({
              status: 429,
              headers: { 'retry-after': '0' },
              contentType: 'application/json',
              body: '{"detail":"Too many requests.","code":"rate_limited"}',
            })
          : route.continue(),
      );
      await askIn(page, 'Who gets the notice in writing?');
      await page.locator('.turn').nth(2).locator('.cite').waitFor();
      expect(calls).to.equal(2);
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
