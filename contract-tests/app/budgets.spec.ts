import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, openBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { openApp } from './app-fixture.ts';

const KB = 1_000;
/** A text of the screen that answers questions, in each language. */
const LANGUAGES = {
  en: 'Ask about your documents',
  de: 'Frage zu deinen Dokumenten',
  fr: 'Question sur vos documents',
  es: 'Pregunta sobre tus documentos',
  ru: 'Вопрос о ваших документах',
  zh: '就你的文档提问',
};
const WEB = new URL('../../dist/web/', import.meta.url);

/** Paths of the scripts and styles that the page has loaded so far, below the app's root. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as unknown as { readonly name: string }[])
      .map(({ name }) => new URL(name).pathname.replace(/^\/app\//, ''))
      .filter((path) => /^assets\/.*\.(m?js|css)$/.test(path)),
  );

/** A script with the texts of the first page. */
const isLanguage = (path: string): boolean => /\/(en|de|fr|es|ru|zh)-/.test(path);

const gzipped = async (path: string): Promise<number> =>
  gzipSync(await readFile(new URL(path, WEB)), { level: 9 }).length;

const sum = async (paths: readonly string[]): Promise<number> =>
  (await Promise.all(paths.map(gzipped))).reduce((before, each) => before + each, 0);

for (const profile of hasBrowser ? firstProfile : [])
  describe('the sizes of the app', function () {
    this.timeout(60_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await service.dispose();
    });

    it('loads at most 60 kB of scripts and 12 kB of styles for the library', async () => {
      const { page, open, token, close } = await openApp(browser, service);
      await service.call('POST', '/v1/objects/notes', { token, body: { content: 'a first note' } });
      await open('/library');
      await page.getByText('a first note').first().waitFor();
      const paths = await loaded(page);
      const scripts = paths.filter((path) => path.endsWith('js') && !isLanguage(path));
      // Each costs a request before the first document is shown.
      expect(scripts.length).to.be.within(1, 4);
      expect(await sum(scripts), scripts.join()).to.be.at.most(60 * KB);
      expect(await sum(paths.filter((path) => path.endsWith('.css')))).to.be.at.most(12 * KB);
      await close();
    });

    for (const [language, question] of Object.entries(LANGUAGES))
      it(`loads at most 8 kB of texts for the library in ${language}, and those of a screen with it`, async () => {
        const { page, open, close } = await openApp(browser, service, { locale: language });
        await open('/library');
        await page.locator(`html[lang=${language}]`).waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
        const texts = (await loaded(page)).filter(isLanguage);
        expect(texts).to.have.length(1);
        expect(await sum(texts)).to.be.at.most(8 * KB);
        // A screen that is the first one loads its texts before the language is known.
        await open('/ask');
        await page.getByRole('textbox', { name: question }).waitFor();
        expect((await loaded(page)).filter(isLanguage)).to.deep.equal(texts);
        await close();
      });
  });
