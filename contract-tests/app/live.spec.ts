import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { lastProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp } from './app-fixture.ts';

const CHANGES = '**/v1/changes';

/** The reply with which the page begins to follow the changes. */
const following = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/v1/changes') && response.ok());

for (const profile of hasBrowser ? lastProfile : [])
  describe(`${profile}: changes of other devices in the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const addNote = (token: string, content: string) =>
      service.call('POST', '/v1/objects/notes', { token, body: { content } });

    it('shows what another application and another tab do, without a reload', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      const followed = following(page);
      await open('/library');
      await followed;
      await addNote(token, 'A note from elsewhere');
      await page.getByText('A note from elsewhere').first().waitFor();

      const other = await page.context().newPage();
      await other.goto(`${service.base}/app/new/note`);
      await other.getByRole('textbox').last().fill('Written in the other tab');
      await other.keyboard.press('Control+Enter');
      await page.getByText('Written in the other tab').first().waitFor();
      await service.call('POST', '/v1/collections', { token, body: { name: 'Boats' } });
      await page.getByRole('link', { name: 'Boats' }).first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('shows what changed after the first list and before the stream', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      const gate = Promise.withResolvers<void>();
      await page.route(CHANGES, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await open('/library');
      await page.getByText('Nothing here yet').waitFor();
      await addNote(token, 'Between the list and the stream');
      expect(await page.getByText('Between the list and the stream').count()).to.equal(0);
      gate.resolve();
      await page.getByText('Between the list and the stream').first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('opens a stream that ended again', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await page.route(
        CHANGES,
        (route) =>
          route.fulfill({
            contentType: 'text/event-stream',
            body: 'event: changed\ndata: {"kinds":[],"cursor":"0"}\n\n',
          }),
        { times: 1 },
      );
      await open('/library');
      const again = await page.waitForRequest(
        (request) => request.url().endsWith('/v1/changes') && 'last-event-id' in request.headers(),
      );
      expect((await again.response())?.status()).to.equal(200);
      await addNote(token, 'After the stream ended');
      await page.getByText('After the stream ended').first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('polls while there is no stream', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await page.route(CHANGES, (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          json: { detail: 'Too many.', code: 'too_many_streams' },
        }),
      );
      await open('/library');
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await addNote(token, 'Found by asking');
      await page.getByText('Found by asking').first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
