import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, pacedModel, writeNote } from './ask-fixture.ts';

const BROKEN = [['Bill.pdf', '%PDF-1.7 and nothing of one']] as const;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: conversations in the app`, function () {
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

    it('are listed with their names, days and folders, the current one marked, pinned ones first', async () => {
      const tab = await openApp(browser, service);
      const { page, open, token, complaints, close } = tab;
      const call = async (method: string, path: string, body: object) =>
        (await service.call(method, path, { token, body })).json;
      const folder = await call('POST', '/v1/collections', { name: 'Flat' });
      const titles = ['First', 'Second', 'Third <b>'];
      const ids: string[] = [];
      for (const title of titles) {
        const inFolder = title === 'Second' ? { collection_id: folder.id } : {};
        ids.push((await call('POST', '/v1/chats', { title, ...inFolder })).id);
      }
      await call('PATCH', `/v1/chats/${ids[0]}`, { pinned: true });
      await open(`/ask/${ids[2]}`);
      const rail = page.getByRole('navigation', { name: 'Workspace' }).first();
      const links = rail.locator('a.leaf');
      await links.nth(2).waitFor();
      expect(await links.nth(0).textContent()).to.match(/^First/);
      await rail.getByRole('link', { name: 'Second Today · in Flat' }).waitFor();
      expect(await rail.locator('[aria-current="page"].leaf bdi').textContent()).to.equal(
        'Third <b>',
      );
      await page.getByRole('log', { name: 'Conversation' }).waitFor();

      // Pinning is undone from where it was done, and the undo is undone in turn.
      const pin = page.getByRole('button', { name: 'Pin this conversation' });
      expect(await pin.getAttribute('aria-pressed')).to.equal('false');
      await pin.click();
      await page.locator('button[aria-pressed="true"][aria-label^="Pin"]').waitFor();
      const toast = (text: RegExp) => page.locator('.toast', { hasText: text }).last();
      const undo = (text: RegExp) => toast(text).getByRole('button', { name: 'Undo' });
      const isPinned = async () =>
        (await service.call('GET', `/v1/chats/${ids[2]}`, { token })).json.pinned;
      await undo(/^Pinned/).click();
      expect(await eventually(isPinned, (each) => !each)).to.equal(false);
      await undo(/^Undone/).click();
      expect(await eventually(isPinned, Boolean)).to.equal(true);

      // Deleting can not be undone, so it asks; Cancel leaves everything as it is.
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('#');
      const dialog = page.getByRole('dialog', { name: 'Delete conversation' });
      await dialog.getByText('This can not be undone.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await isPinned()).to.equal(true);
      await service.call('DELETE', `/v1/chats/${ids[1]}`, { token });
      await rail.getByRole('link', { name: /^Second/ }).waitFor({ state: 'detached' });
      await open(`/ask/${ids[1]}`);
      await page.getByText('This conversation is no longer there.').waitFor();
      await capture(page, 'ask-gone');
      await expectAccessibleInBothThemes(page, 'a conversation that is gone');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('name the unread documents under an answer, and lead to each', async () => {
      const tab = await openApp(browser, service);
      const { page, open, token, complaints, close } = tab;
      await writeNote(service, tab, 'Tenancy agreement', TENANCY);
      const { json } = await service.uploadAll(BROKEN, {}, { token });
      await service.settled(json.items[0].id, { token });
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await page.locator('.prose .cite').first().waitFor();
      await page.getByText('Searched 1 document, 1 unread', { exact: true }).waitFor();
      await page.getByRole('button', { name: '1 unread' }).click();
      const dialog = page.getByRole('dialog', { name: 'Unread documents' });
      await dialog.getByText('Could not be read').waitFor();
      await dialog.getByRole('link', { name: 'Bill.pdf' }).click();
      await page.waitForURL(new RegExp(`/object/${json.items[0].id}$`));
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('read an answer out in whole sentences, and then what came of it', async () => {
      const tab = await openApp(browser, service);
      const { page, open, token, complaints, close } = tab;
      model.plays({ pieces: ['ready'] });
      await service.call('PUT', '/v1/integrations/llm', {
        token,
        body: { config: { base_url: `${model.origin}/v1`, model: 'lamp-7b' } },
      });
      await writeNote(service, tab, 'Tenancy agreement', TENANCY);
      const paced = pacedModel();
      model.plays(paced.play);
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await eventually(() => Promise.resolve(paced.isOpen()), Boolean);
      const live = page.locator('main p.vh[aria-live="polite"]');
      expect(await page.getByRole('log').getAttribute('aria-live')).to.equal('off');
      paced.say('Notice must be given in writing. It takes effect after ');
      await live.getByText('Notice must be given in writing.', { exact: true }).waitFor();
      expect(await page.getByRole('log').getAttribute('aria-busy')).to.equal('true');
      paced.say('two months. And so');
      await live.getByText('It takes effect after two months.').waitFor();
      paced.finish();
      await live.getByText(/^Answer complete, 0 sources, Searched 1 document$/).waitFor();
      expect(await page.getByRole('log').getAttribute('aria-busy')).to.equal('false');

      model.plays(paced.play);
      await askIn(page, 'And how late?');
      await eventually(() => Promise.resolve(paced.isOpen()), Boolean);
      await page.keyboard.press('Escape');
      await live.getByText('The answer is incomplete.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('leave the field in view while a keyboard takes half of the screen', async () => {
      const tab = await openApp(browser, service, { viewport: { width: 390, height: 844 } });
      const { page, open, complaints, close } = tab;
      await writeNote(service, tab, 'Tenancy agreement', TENANCY);
      await open('/ask');
      await askIn(page, NOTICE_QUESTION);
      await page.locator('.prose .cite').first().waitFor();
      // The viewport of the page is resized with the keyboard, as its meta element says.
      const content = await page.locator('meta[name="viewport"]').getAttribute('content');
      expect(content).to.include('interactive-widget=resizes-content');
      const field = page.getByRole('textbox', { name: 'Ask about your documents' });
      await field.focus();
      for (const height of [420, 320]) {
        await page.setViewportSize({ width: 390, height });
        const isInView = async () => {
          const box = await page.locator('.composer').boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= height;
        };
        expect(await eventually(isInView, Boolean), String(height)).to.equal(true);
        const excess = await page.evaluate<number>(
          'document.documentElement.scrollHeight - document.documentElement.clientHeight',
        );
        expect(excess).to.be.at.most(0);
      }
      await capture(page, 'ask-keyboard');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
