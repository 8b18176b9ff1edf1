import { expect } from 'chai';
import type { Browser, FileChooser } from 'playwright-core';
import { hasBrowser, openBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { askIn } from './ask-fixture.ts';
import { heapTraces } from './heap.ts';
import { fillWorkspace } from './library-fixture.ts';
import { tracesIn } from './traces.ts';
import { HIDDEN_TEXT, MARKER, SECRET, openZoneTab, type ZoneTab } from './zone-fixture.ts';

const UPLOADED = 'Seerose-5511';

/**
 * On one profile: this is about the browser. Nothing here judges accessibility: the tool for that holds what it has seen.
 */
for (const profile of hasBrowser ? firstProfile : [])
  describe('traces of the hidden zone in the browser', function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    let tab: ZoneTab;
    before(async () => {
      service = await startService(profile);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await service.dispose();
    });
    beforeEach(async () => {
      tab = await openZoneTab(browser, service);
      await fillWorkspace(service, tab);
      await tab.open('/library?order=name');
      await tides().waitFor();
    });
    afterEach(async () => {
      expect(tab.complaints).to.deep.equal([]);
      await tab.close();
    });

    const row = () => tab.page.getByRole('row', { name: new RegExp(MARKER) });
    const tides = () => tab.page.getByRole('row', { name: /tides/ });
    const lock = async () => {
      await tab.page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      await tides().waitFor();
    };
    /** Nowhere in the page, its stores, its history or its memory. */
    const expectNoTrace = async (text: string) => {
      expect(
        await eventually(
          () => tracesIn(tab.page, text),
          (traces) => traces.length === 0,
        ),
      ).to.deep.equal([]);
      // What has been released is collected in the browser's own time.
      const found = await eventually(
        () => heapTraces(tab.page, text),
        (traces) => traces.length === 0,
        20_000,
      );
      expect(found.join('\n'), 'memory').to.equal('');
    };
    const openDocument = async () => {
      await tab.page.getByRole('link', { name: new RegExp(MARKER) }).click();
      await tab.page.getByRole('heading', { level: 1, name: new RegExp(MARKER) }).waitFor();
      await tab.page.getByText(HIDDEN_TEXT).first().waitFor();
    };

    /** Keys act once their screen has been painted: they are pressed until they do. */
    const rename = async () => {
      const field = tab.page.getByRole('dialog').getByRole('textbox');
      const opens = async () => {
        if (!(await field.isVisible())) await tab.page.keyboard.press('r');
        return field.isVisible();
      };
      expect(await eventually(opens, Boolean)).to.equal(true);
    };
    const chooseFile = async () => {
      const choosers: FileChooser[] = [];
      tab.page.once('filechooser', (chooser) => choosers.push(chooser));
      const opens = async () => {
        if (choosers.length === 0) await tab.page.keyboard.press('u');
        return choosers.length > 0;
      };
      expect(await eventually(opens, Boolean)).to.equal(true);
      return choosers[0]!;
    };

    it('are found where they are: names of documents that are shown, in the page and in the memory', async () => {
      expect(await tracesIn(tab.page, 'tides-2027')).to.include('page');
      expect(await heapTraces(tab.page, 'tides-2027')).to.not.have.length(0);
      await tab.unlock();
      await row().waitFor();
      expect(await tracesIn(tab.page, SECRET)).to.deep.equal(['page']);
      expect(await heapTraces(tab.page, SECRET)).to.not.have.length(0);
      await lock();
      await expectNoTrace(SECRET);
    });

    it('are gone after a document, its text, its details and its dialogs were shown', async () => {
      const { page } = tab;
      await tab.unlock();
      await row().waitFor();
      await row().click();
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      await openDocument();
      await rename();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+F');
      await page.keyboard.type('spring');
      await lock();
      await expectNoTrace(SECRET);
      await expectNoTrace(tab.hiddenId);
      for (const token of tab.tokens) await expectNoTrace(token);
    });

    it('are gone after changes with undo', async () => {
      const { page } = tab;
      await tab.unlock();
      await row().waitFor();
      await page.getByLabel(new RegExp(`Select ${MARKER}`)).check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Trash', exact: true }).click();
      await row().waitFor({ state: 'detached' });
      await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
      await row().waitFor();
      await openDocument();
      await rename();
      await page.getByRole('dialog').getByRole('textbox').focus();
      await page.keyboard.press('End');
      await page.keyboard.type(' 2');
      await page.keyboard.press('Enter');
      await page.locator('.toast').filter({ hasText: MARKER }).waitFor();
      await lock();
      expect(await page.locator('.toast').count()).to.equal(0);
      await expectNoTrace(SECRET);
    });

    it('are gone after it was found, asked about and cited', async () => {
      const { page } = tab;
      await tab.unlock();
      await tab.button('Ask these').click();
      await askIn(page, 'Where is the spring?');
      await page.locator('.prose .cite').first().click();
      await page.locator('.bar-title').waitFor();
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Palette' }).waitFor();
      await page.keyboard.type('spring');
      await page.getByRole('option', { name: new RegExp(MARKER) }).waitFor();
      await lock();
      await expectNoTrace(SECRET);
      await expectNoTrace('Where is the spring');
    });

    it('are gone after it stood in the library', async () => {
      const { page } = tab;
      await tab.unlock();
      await row().waitFor();
      await page.locator('.rail').getByRole('link', { name: 'Library' }).click();
      await tides().waitFor();
      await row().waitFor();
      await lock();
      await expectNoTrace(SECRET);
    });

    it('of a file that is added exist in memory only, and go with its tray entry', async () => {
      const { page } = tab;
      await tab.unlock();
      await row().waitFor();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/v1/uploads', async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      });
      const file = (name: string, text: string) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
      await (await chooseFile()).setFiles(file(`${UPLOADED}.txt`, `${UPLOADED} blooms`));
      await page.locator('.tray').waitFor();
      await eventually(
        () => page.locator('.tray').innerText(),
        (text) => text.includes(UPLOADED),
      );
      expect(await tracesIn(page, UPLOADED)).to.deep.equal(['page']);
      await lock();
      expect(await page.locator('.tray').count()).to.equal(0);
      release();
      await expectNoTrace(UPLOADED);
      await page.unroute('**/v1/uploads');

      // Chosen after the zone has locked: it must not become a document that is seen.
      await tab.unlock();
      await row().waitFor();
      const chooser = await chooseFile();
      await lock();
      await chooser.setFiles(file('late.txt', 'too late'));
      await tab.unlock();
      await row().waitFor();
      await (await chooseFile()).setFiles(file('pond.txt', 'a pond'));
      await page.getByRole('row', { name: /pond/ }).waitFor();
      expect(await page.getByRole('row', { name: /late/ }).count()).to.equal(0);
      await lock();
      const { json } = await service.call('GET', '/v1/objects', { token: tab.token });
      expect(json.total).to.equal(6);
    });

    it('of text that was pasted go with its dialog', async () => {
      const { page } = tab;
      await tab.unlock();
      await row().waitFor();
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', ['Lilie', '8823'].join('-') + ' is in bloom');
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      })()`);
      await page.getByRole('dialog').waitFor();
      await lock();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await expectNoTrace('Lilie-8823');
    });
  });
