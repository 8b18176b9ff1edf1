import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: search in the app`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let folder: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      const { json } = await service.call('POST', '/v1/collections', {
        token: tab.token,
        body: { name: 'Harbour' },
      });
      folder = json.id;
      const inFolder = { collection_id: folder };
      await writeNote(
        service,
        tab,
        'Generators',
        'The generators were repaired by two engineers. A café stands near the harbour.',
        inFolder,
      );
      await writeNote(service, tab, 'Verträge', 'Die Mietverträge wurden unterschrieben.');
      await writeNote(service, tab, '灯塔', '灯塔管理员每天晚上点亮油灯。');
      await writeNote(service, tab, 'Second <b>generator', 'A generator for the "plaza".');
    });
    after(() => tab.close());

    const search = async (words: string) => {
      await tab.page.getByRole('searchbox', { name: 'Search the workspace' }).fill(words);
      await tab.page.keyboard.press('Enter');
      await tab.page.getByRole('region', { name: `Results for “${words}”` }).waitFor();
    };
    const marks = () => tab.page.locator('.results mark').allTextContents();

    it('shows where the words stand, in every form', async () => {
      const { page, open, complaints } = tab;
      await open('/library');
      await search('generator café');
      await page.getByText('2 documents found').first().waitFor();
      expect(await marks()).to.have.members([
        'generators',
        'café',
        'generator',
        'Generators',
        'generator',
      ]);
      expect(await page.locator('.results b').count()).to.equal(0);
      for (const width of [1_440, 900, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await capture(page, `search-${width}`);
        await expectAccessibleInBothThemes(page, `results at ${width}`);
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
      await search('Mietvertrag');
      await page.getByText('1 document found').first().waitFor();
      expect(await marks()).to.deep.equal(['Mietverträge']);
      await search('灯塔');
      await page.getByText('1 document found').first().waitFor();
      expect(await marks()).to.deep.equal(['灯塔', '灯塔']);
      expect(complaints).to.deep.equal([]);
    });

    it('is walked through and opened by the keyboard', async () => {
      const { page, open, complaints } = tab;
      await open(`/library?q=${encodeURIComponent('generator')}`);
      await page.getByText('2 documents found').first().waitFor();
      const focused = (index: number) => page.locator(`.hits [data-index="${index}"] .name:focus`);
      await page.keyboard.press('j');
      await focused(0).waitFor();
      await page.keyboard.press('j');
      await focused(1).waitFor();
      await page.keyboard.press('k');
      expect(await focused(0).textContent()).to.match(/Generators|Second <b>generator/);
      await page.keyboard.press('Space');
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      await page.keyboard.press('i');
      await page.keyboard.press('o');
      await page.waitForURL(/\/app\/object\/[0-9a-f-]{36}#t=\d+-\d+$/);
      expect(complaints).to.deep.equal([]);
    });

    it('selects results and changes them together, with undo', async () => {
      const { page, open, token, complaints } = tab;
      const made = await service.call('POST', '/v1/collections', {
        token,
        body: { name: 'Power' },
      });
      const settles = async (query: string, expected: number) => {
        const read = async () =>
          (await service.call('GET', `/v1/objects?limit=1&${query}`, { token })).json.total;
        const total = await eventually(read, (each) => each === expected);
        expect(total, query).to.equal(expected);
      };
      const bar = page.getByRole('toolbar', { name: 'Selected documents' });
      const hit = (name: string) => page.locator('.hit', { hasText: name });
      await open(`/library?q=${encodeURIComponent('generator')}`);
      await page.getByRole('checkbox', { name: 'Select Generators.md' }).check();
      await bar.getByText('1 selected').waitFor();
      await page.keyboard.press('Control+a');
      await bar.getByText('2 selected').waitFor();
      await capture(page, 'search-selected');
      await expectAccessibleInBothThemes(page, 'selected results');
      await bar.getByRole('button', { name: 'Move' }).click();
      await page.getByLabel('Find a folder').fill('power');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await settles(`collection_id=${made.json.id}`, 2);
      await hit('Second').getByText('Power', { exact: true }).waitFor();
      await page.keyboard.press('Control+z');
      await settles(`collection_id=${made.json.id}`, 0);
      await hit('Generators').getByText('Harbour', { exact: true }).waitFor();

      // What is in the trash is not found, and comes back to its place.
      await page.getByRole('checkbox', { name: 'Select Second <b>generator.md' }).check();
      await bar.getByRole('button', { name: 'Trash' }).click();
      await hit('Second').waitFor({ state: 'detached' });
      await page.getByText('1 document found').first().waitFor();
      await settles('trashed=true', 1);
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
      await page.getByText('2 documents found').first().waitFor();
      await settles('trashed=true', 0);
      expect(complaints).to.deep.equal([]);
    });

    it('is narrowed by the filters of the list, and says which one leaves nothing', async () => {
      const { page, open, complaints } = tab;
      await open('/library?q=generator');
      await page.getByText('2 documents found').first().waitFor();
      await page.getByRole('button', { name: 'Any folder' }).click();
      await page.locator('.menu:popover-open').getByRole('button', { name: 'Harbour' }).click();
      await page.getByText('1 document found').first().waitFor();
      await page.getByRole('button', { name: 'Links', exact: true }).click();
      await page.getByText('No document fits.').waitFor();
      await page.getByRole('link', { name: /Without the filter links/ }).click();
      await page.getByText('1 document found').first().waitFor();
      expect(new URL(page.url()).searchParams.get('collection_id')).to.equal(folder);
      expect(complaints).to.deep.equal([]);
    });

    it('says what to drop where nothing is found', async () => {
      const { page, open, complaints } = tab;
      await open(`/library?q=${encodeURIComponent('"engineers repaired" -plaza')}&kind=note`);
      await page.getByText('No document fits.').waitFor();
      const apart = page.getByRole('link', { name: /"engineers repaired" as separate words/ });
      await apart.getByText('1 document').waitFor();
      await page.getByRole('link', { name: /Without “engineers repaired”/ }).waitFor();
      await capture(page, 'search-nothing');
      await expectAccessibleInBothThemes(page, 'no results');
      await apart.click();
      await page.getByText('1 document found').first().waitFor();
      expect(new URL(page.url()).searchParams.get('kind')).to.equal('note');

      await open('/library?q=engineers&kind=pdf');
      await page.getByRole('link', { name: /Without the filter kind/ }).click();
      await page.getByText('1 document found').first().waitFor();
      await open('/library?q=zeppelin');
      await page.getByText('Other words may find it.').waitFor();
      expect(complaints).to.deep.equal([]);
    });

    it('keeps to the filters of the list and hands its words over as a question', async () => {
      const { page, open, complaints } = tab;
      await open(`/library?q=generator&collection_id=${folder}`);
      await page.getByText('1 document found').first().waitFor();
      await page.getByRole('button', { name: /Ask this/ }).click();
      await page.getByRole('heading', { level: 2, name: 'generator' }).waitFor();
      await page.getByRole('button', { name: 'Search in: Harbour' }).waitFor();
      await page.getByText('Searched 1 document', { exact: true }).waitFor();
      expect(complaints).to.deep.equal([]);
    });
  });
