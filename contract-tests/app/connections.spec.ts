import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';

const SECRET = 'sk-never-to-be-seen-4711';
const PATH = '/settings/connections';

/** Counts presses of a pointer from the first document on. */
const COUNT_POINTERS = `
  globalThis.pointers = 0;
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => globalThis.pointers++, { capture: true });
`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the model in the settings of the app`, function () {
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
    beforeEach(() => {
      model.plays({ pieces: ['ready'] });
      model.asked.length = 0;
    });

    const card = async ({ token }: Pick<AppTab, 'token'>) =>
      (await service.call('GET', '/v1/integrations/llm', { token })).json;
    const connect = (
      { token }: Pick<AppTab, 'token'>,
      config: object = { base_url: `${model.origin}/v1`, model: 'lamp-7b' },
    ) => service.call('PUT', '/v1/integrations/llm', { token, body: { config, secret: SECRET } });
    const part = (page: Page) => page.getByRole('region', { name: 'Model', exact: true });
    const field = (page: Page, name: string) =>
      part(page).getByRole('textbox', { name, exact: true });
    const button = (page: Page, name: string) =>
      part(page).getByRole('button', { name, exact: true });
    const saveAndTry = (page: Page) => button(page, 'Save and try: Model').click();
    const leaves = (page: Page) =>
      page.getByRole('complementary', { name: 'What leaves this machine' });

    it('is filled in by presets, tried, switched off and on, and forgotten', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open(PATH);
      await part(page).getByText('Not connected.').waitFor();
      await leaves(page).getByText('to no model: answers are made here').waitFor();
      await capture(page, 'connections-empty');
      const preset = part(page).getByRole('combobox', { name: 'Service' });
      for (const [name, url] of [
        ['Ollama', 'http://localhost:11434/v1'],
        ['vLLM', 'http://localhost:8000/v1'],
        ['Mistral', 'https://api.mistral.ai/v1'],
      ] as const) {
        await preset.selectOption(name);
        expect(await field(page, 'Address').inputValue()).to.equal(url);
      }
      await part(page).getByText('The provider at api.mistral.ai bills you').waitFor();
      expect(await preset.inputValue()).to.equal('mistral');

      await field(page, 'Address').fill(`${model.origin}/v1`);
      expect(await preset.inputValue()).to.equal('other');
      await field(page, 'Model').fill('lamp-7b');
      await field(page, 'Holds at once, in tokens').fill('16384');
      await part(page).getByLabel('Key', { exact: true }).fill(SECRET);
      await saveAndTry(page);
      await part(page).getByText('It answers: lamp-7b').waitFor();
      await part(page).getByText('with the key that ends in 4711').waitFor();
      expect(await card(tab)).to.deep.include({
        status: 'ok',
        secret_hint: '4711',
        config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', context_tokens: 16_384 },
      });
      expect(model.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${SECRET}`);
      const key = part(page).getByLabel('Key', { exact: true });
      await eventually(
        () => key.inputValue(),
        (value) => value === '',
      );
      expect(await key.getAttribute('placeholder')).to.equal('Stored, ends in 4711');
      expect(await page.content()).not.to.include(SECRET);
      await leaves(page).getByText('to lamp-7b at 127.0.0.1, in your own network').waitFor();
      await capture(page, 'connections-model');
      await expectAccessibleInBothThemes(page, 'a model that answers');

      // Another setting: the stored key stays.
      await field(page, 'Model').fill('lamp-8b');
      await saveAndTry(page);
      await part(page).getByText('It answers: lamp-8b').waitFor();
      expect(model.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${SECRET}`);

      await button(page, 'Switch off: Model').click();
      await part(page).getByText('The settings stay stored.').waitFor();
      expect(await card(tab)).to.deep.include({ status: 'disabled', configured: true });
      await page.getByText('Model switched off').waitFor();
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('Control+z');
      await part(page).getByText('It answers: lamp-8b').waitFor();
      expect((await card(tab)).status).to.equal('ok');
      await button(page, 'Switch off: Model').click();
      const tries = model.asked.length;
      await button(page, 'Switch on: Model').click();
      await part(page).getByText('It answers: lamp-8b').waitFor();
      expect(model.asked.length).to.equal(tries + 1);

      await button(page, 'Forget the model').click();
      const dialog = page.getByRole('dialog', { name: 'Forget the model?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect((await card(tab)).configured).to.equal(true);
      await button(page, 'Forget the model').click();
      await dialog.getByRole('button', { name: 'Forget the model' }).click();
      await part(page).getByText('Not connected.').waitFor();
      expect((await card(tab)).configured).to.equal(false);
      // The fields follow a frame later.
      const address = () => field(page, 'Address').inputValue();
      expect(await eventually(address, (value) => value === '')).to.equal('');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('says at the field what is wrong, changes nothing, and says why a check failed', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await connect(tab);
      await open(PATH);
      await part(page).getByText('It answers: lamp-7b').waitFor();
      const tokens = field(page, 'Holds at once, in tokens');
      for (const wrong of ['many', '100', '1.5']) {
        await tokens.fill(wrong);
        await saveAndTry(page);
        await part(page).getByText('Enter a whole number from 512').waitFor();
        await page.locator('input[aria-invalid=true]:focus').waitFor();
        await tokens.fill('');
        await saveAndTry(page);
        await part(page).getByText('Enter a whole number from 512').waitFor({ state: 'detached' });
        await part(page).getByText('It answers: lamp-7b').waitFor();
      }
      await field(page, 'Address').fill('models');
      await tokens.fill('0');
      const before = await card(tab);
      await saveAndTry(page);
      await part(page).getByText('Enter a whole address').waitFor();
      await part(page).getByText('Enter a whole number from 512').waitFor();
      await page.locator('input[aria-invalid=true]:focus').waitFor();
      expect(await field(page, 'Address').getAttribute('aria-invalid')).to.equal('true');
      expect(await field(page, 'Model').getAttribute('aria-invalid')).to.equal('false');
      expect(await card(tab)).to.deep.equal(before);
      await capture(page, 'connections-refused');
      await expectAccessibleInBothThemes(page, 'fields that were refused');

      await field(page, 'Address').fill(`${model.origin}/v1`);
      await field(page, 'Holds at once, in tokens').fill('');
      model.plays({ refused: 401 });
      await saveAndTry(page);
      await part(page)
        .getByText(/does not accept the key\. Status: 401\./)
        .waitFor();
      expect(await part(page).locator('input[aria-invalid=true]').count()).to.equal(0);
      expect((await card(tab)).status).to.equal('error');
      await capture(page, 'connections-failed');
      await expectAccessibleInBothThemes(page, 'a model that does not answer');
      model.plays({ pieces: ['ready'] });
      await button(page, 'Try again: Model').click();
      await part(page).getByText('It answers: lamp-7b').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('is where the first steps lead to', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/welcome');
      await page.getByRole('link', { name: 'Connect a model' }).click();
      await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
      await part(page).getByText('Not connected.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('says what the operator has to allow, and which machine localhost is', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      const closed = await openModelService();
      await closed.close();
      await connect(tab, { base_url: `${closed.origin}/v1`, model: 'lamp-7b' });
      await open(PATH);
      await part(page).getByText('It does not answer.').waitFor();
      const isBlocked = profile === 'team';
      expect(await part(page).getByText('OUTBOUND_ALLOW').count()).to.equal(isBlocked ? 1 : 0);
      const machine = part(page).getByText('in which this service runs');
      expect(await machine.count()).to.equal(isBlocked ? 0 : 1);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('shows what another browser does, and leaves what is being typed', async () => {
      const owner = await service.newOwner();
      const { page, open, complaints, close } = await openApp(browser, service, { owner });
      await open(PATH);
      await part(page).getByText('Not connected.').waitFor();
      await connect(owner);
      await part(page).getByText('It answers: lamp-7b').waitFor();
      expect(await field(page, 'Model').inputValue()).to.equal('lamp-7b');
      await field(page, 'Model').fill('being typed');
      await connect(owner, { base_url: `${model.origin}/v1`, model: 'lamp-9b' });
      await part(page).getByText('It answers: lamp-9b').waitFor();
      expect(await field(page, 'Model').inputValue()).to.equal('being typed');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('is connected, switched off and forgotten with the keyboard alone', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await page.addInitScript(COUNT_POINTERS);
      await open(PATH);
      await part(page).getByText('Not connected.').waitFor();
      const focus = async (name: string) => {
        for (let presses = 0; presses < 80; presses++) {
          await page.keyboard.press('Tab');
          const focused = await page.evaluate<string>(
            `(() => {
              const { activeElement: active } = document;
              return (active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent).trim();
            })()`,
          );
          if (focused === name) return;
        }
        expect.fail(`The Tab key does not lead to ${name}.`);
      };
      await focus('Address');
      await page.keyboard.type(`${model.origin}/v1`);
      await page.keyboard.press('Tab');
      await page.keyboard.type('lamp-7b');
      await page.keyboard.press('Enter');
      await part(page).getByText('It answers: lamp-7b').waitFor();
      await focus('Switch off: Model');
      await page.keyboard.press('Enter');
      await part(page).getByText('The settings stay stored.').waitFor();
      // The focus is still on what was pressed.
      await page.keyboard.press('Enter');
      await part(page).getByText('It answers: lamp-7b').waitFor();
      await focus('Forget the model');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await focus('Forget the model');
      await page.keyboard.press('Enter');
      await part(page).getByText('Not connected.').waitFor();
      await page.locator('button[type=submit]:focus').waitFor();
      expect((await card(tab)).configured).to.equal(false);
      expect(await page.evaluate('globalThis.pointers')).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('fits a phone in German', async () => {
      const tab = await openApp(browser, service, {
        locale: 'de-DE',
        viewport: { width: 390, height: 844 },
      });
      const { page, open, complaints, close } = tab;
      model.plays({ refused: 404 });
      await connect(tab);
      await open(PATH);
      await page.getByRole('heading', { level: 1, name: 'Verbindungen' }).waitFor();
      await page.getByText('Was diesen Rechner verlässt').first().waitFor();
      await page.getByText('in deinem eigenen Netz').first().waitFor();
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).to.be.at.most(0);
      await capture(page, 'connections-german');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
