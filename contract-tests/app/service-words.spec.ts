import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp, type AppTab } from './app-fixture.ts';

/** What the screens say in a language. */
const WORDS = {
  de: {
    damaged: 'Die Datei ist beschädigt oder passt nicht zu ihrem Namen.',
    key: /Der Server nimmt den Schlüssel nicht an\. Status: 401\./,
    locked: 'Die PIN kann eine Weile nicht eingegeben werden',
    token: /^darf: Lesen.+ · bis \d/,
    share: 'Link zu einer Datei · zum Ansehen · ohne Passwort · ohne Ende',
    wrongPins: 'Falsche PINs: 5',
  },
  zh: {
    damaged: '文件已损坏，或与其名称不符。',
    key: /服务器不接受该密钥。 状态：401。/,
    locked: 'PIN',
    token: /^可以：.+ · 直到 \d/,
    share: '文件的链接 · 可查看 · 无密码 · 无期限',
    wrongPins: '错误的 PIN：5',
  },
} as const;

/** Words that every sentence of the service has, and no text of these two languages. */
const ENGLISH = /\b(The|This|It|could|cannot|wrong|with|from)\b/;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the sentences of the service in the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let model: ModelService;
    before(async () => {
      model = await openModelService();
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    after(() => model.close());

    const call = (token: string, method: string, path: string, body?: object) =>
      service.call(method, `/v1${path}`, { token, ...(body && { body }) });

    /** A file that can not be read, a link to it, a token, a locked PIN and a model that rejects its key. */
    async function fill({ token }: AppTab): Promise<string> {
      const { json } = await service.uploadAll([['4711.pdf', '%PDF-1.7']], {}, { token });
      const id = json.items[0].id as string;
      await service.settled(id, { token });
      await call(token, 'POST', '/shares', { kind: 'file', resource_id: id, name: '4712' });
      await call(token, 'POST', '/tokens', { name: '4713', scopes: ['read', 'ask'] });
      await call(token, 'POST', '/hidden-pin', { pin: '48151623' });
      for (let attempt = 0; attempt < 5; attempt++)
        await call(token, 'POST', '/hidden-pin/unlock', { pin: '0000' });
      model.plays({ refused: 401 });
      const config = { base_url: `${model.origin}/v1`, model: 'qwen3:8b' };
      await call(token, 'PUT', '/integrations/llm', { config, secret: 'sk-4714' });
      const reported = () => call(token, 'GET', '/notifications');
      await eventually(reported, ({ json: { total } }) => total >= 2);
      return id;
    }

    const expectNoEnglish = async (page: Page, selector: string) => {
      const shown = page.locator(selector);
      expect(await shown.locator('[lang="en"]').count(), selector).to.equal(0);
      for (const text of await shown.allInnerTexts()) expect(text, selector).to.not.match(ENGLISH);
    };

    for (const [locale, words] of Object.entries(WORDS))
      it(`are said in the owner's language: ${locale}`, async () => {
        const tab = await openApp(browser, service, { locale });
        const { page, open, complaints, close } = tab;
        const id = await fill(tab);
        const says = (text: string | RegExp) => page.getByText(text).first().waitFor();

        await open('/library');
        await page.getByRole('row', { name: '4711' }).getByText(words.damaged).waitFor();
        await expectNoEnglish(page, '[role="row"]');
        await open(`/object/${id}`);
        await page.locator('.page-note').getByText(words.damaged).waitFor();
        await expectNoEnglish(page, '.page-note');

        await open('/settings/connections');
        await page.locator('.result').getByText(words.key).waitFor();
        await expectNoEnglish(page, '.result');

        await open('/notifications');
        await page.locator('.notice').getByText(words.damaged).waitFor();
        await page.locator('.notice').getByText(words.locked).first().waitFor();
        await expectNoEnglish(page, '.notice');

        await open('/settings/security');
        await says(words.token);
        await says(words.share);
        await says(new RegExp(words.wrongPins));
        await says('4713');
        await expectNoEnglish(page, '.events li p > span:first-of-type');
        expect(await page.locator('.events [lang="en"]').count()).to.equal(0);
        expect(complaints).to.deep.equal([]);
        await close();
      });

    it('are shown as they are in rows from before they had fields', async () => {
      const tab = await openApp(browser, service, { locale: 'de' });
      const { page, open, complaints, close } = tab;
      await page.route('**/v1/notifications?**', (route) =>
        route.fulfill({
          json: {
            items: [
              {
                id: '01a20955-d0bc-777a-a061-200000000000',
                kind: 'bot.refused',
                title: 'The bot @skerry is disconnected',
                body: 'The platform no longer accepts its token.',
                payload: { bot_id: '5' },
                read: false,
                read_at: null,
                created_at: '2026-11-20T08:15:00.000Z',
              },
            ],
            unread: 1,
            total: 1,
          },
        }),
      );
      await open('/notifications');
      const notice = page.locator('.notice');
      await notice.getByText('The bot @skerry is disconnected').waitFor();
      await notice.getByText('The platform no longer accepts its token.').waitFor();
      expect(await notice.locator('[lang="en"]').count()).to.equal(2);
      expect(await notice.locator('a').getAttribute('href')).to.equal('/app/settings/bots');
      await page.route('**/v1/security-events?**', (route) =>
        route.fulfill({
          json: {
            items: [
              {
                id: '01a20955-d0bc-777a-a061-200000000001',
                at: '2026-11-20T08:15:00.000Z',
                kind: 'token_revoked',
                actor: { kind: 'operator', id: '', name: 'command line' },
                network: '',
                subject: '6',
                detail: 'The token "laptop" was revoked.',
                facts: null,
              },
            ],
            next_cursor: null,
          },
        }),
      );
      await open('/settings/security');
      await page.locator('.events [lang="en"]').getByText('The token "laptop"').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
