import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { agentModel, handOver, openWithAgent, type AgentModel } from './agent-fixture.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { enterPin } from './zone-fixture.ts';

const PIN = '48151623';

/** What counts presses of a pointer from the first document on. */
const COUNT_POINTERS = `
  globalThis.pointers = 0;
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => globalThis.pointers++, { capture: true });
`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: conversations with the agent in the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let model: ModelService;
    let script: AgentModel;
    before(async () => {
      model = await openModelService();
      script = agentModel(model);
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    after(() => model.close());

    it('say that there is no model, and where to connect one', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/agent');
      await page.getByText('you have not connected one').waitFor();
      await capture(page, 'agent-empty');
      await expectAccessibleInBothThemes(page, 'an agent without a model');
      await page.getByRole('button', { name: /^Find the bills/ }).click();
      await page.keyboard.press('Enter');
      const failed = page.getByRole('alert').filter({ hasText: 'The agent needs a model.' });
      await failed.waitFor();
      await page.getByRole('heading', { level: 2, name: /^Find the bills/ }).waitFor();
      await failed.getByRole('link', { name: 'Connect a model' }).click();
      await page.waitForURL(/\/settings\/connections$/);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('stay with what was done if the model fails, and can be sent again', async () => {
      const { page, open, complaints, close } = await openWithAgent(browser, service, model);
      await open('/agent');
      model.plays({ refused: 500 });
      await handOver(page, 'Write a note');
      const failed = page.getByRole('alert').filter({ hasText: 'The model did not answer.' });
      await failed.waitFor();
      script.says([['create_note', { content: 'Buy oil', title: 'Oil' }]], 'Written.');
      await failed.getByRole('button', { name: 'Send again' }).click();
      await page.locator('.prose', { hasText: 'Written.' }).waitFor();
      await failed.waitFor({ state: 'detached' });

      // The time to decide is over.
      await page.route('**/v1/agent/chat', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: `event: session\ndata: {"session_id":"${page.url().split('/').at(-1)}"}\n\nevent: confirm\ndata: {"confirm_id":"7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f","tool":"create_note","arguments":{"content":"<b>late</b>"},"objects":[],"folder":null,"event":null,"why":""}\n\n`,
        }),
      );
      await handOver(page, 'Write another one');
      const card = page.getByRole('region', { name: 'May the agent do this?' });
      await card.getByText('<b>late</b>').waitFor();
      await card.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('alert').getByText('This was not decided').waitFor();
      await page.unroute('**/v1/agent/chat');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('take documents and a role, and can be renamed and deleted', async () => {
      const tab = await openWithAgent(browser, service, model);
      const { page, open, complaints, close } = tab;
      await writeNote(service, tab, 'Tenancy agreement', 'The rent is due on the third.');
      await writeNote(service, tab, 'Groceries', 'Milk and bread.');
      await open('/agent');
      await page.getByRole('button', { name: 'Role: Secretary' }).click();
      await page.getByRole('button', { name: 'Planner' }).click();
      await page.getByText('Role in use: Planner').waitFor();
      await page.getByRole('button', { name: 'Role: Planner' }).waitFor();
      const active = async () =>
        (await service.call('GET', '/v1/agents', { token: tab.token })).json.items.filter(
          (each: { active: boolean }) => each.active,
        )[0].slug;
      expect(await active()).to.equal('planner');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('button', { name: 'Role: Secretary' }).waitFor();
      expect(await active()).to.equal('secretary');

      await page.getByRole('button', { name: 'Give it documents' }).click();
      await page.getByRole('checkbox', { name: 'Tenancy agreement' }).check();
      await capture(page, 'agent-chooser');
      await page.getByRole('button', { name: 'Give it 1 document' }).click();
      await page.getByRole('list', { name: 'Given' }).getByText('Tenancy agreement').waitFor();
      script.says('On the third "The rent is due on the third." [1].');
      await handOver(page, 'When is the rent due?');
      await page.locator('.about', { hasText: 'Tenancy agreement' }).waitFor();
      await page.locator('.prose .cite').click();
      await page.getByRole('main').locator('mark').first().waitFor();
      await page.getByRole('link', { name: /back to the answer/i }).click();
      await page.waitForURL(/\/agent\/[0-9a-f-]{36}$/);
      const id = page.url().split('/').at(-1) ?? '';
      const { json } = await service.call('GET', `/v1/chats/${id}`, { token: tab.token });
      expect(json.kind).to.equal('agent');
      expect(json.messages[0].attachments).to.have.length(1);

      await page.getByRole('heading', { level: 1, name: 'When is the rent due?' }).waitFor();
      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: 'Title' }).fill('Rent');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /^Rent/ }).waitFor();
      // Those with questions are another list.
      await open('/ask');
      await page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor();
      expect(await page.getByRole('link', { name: /^Rent/ }).count()).to.equal(0);
      await open(`/agent/${id}`);
      await page.getByRole('button', { name: 'More for this conversation' }).click();
      await page.getByRole('button', { name: 'Delete conversation' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
      await page.waitForURL(/\/agent$/);
      await eventually(
        async () => (await service.call('GET', `/v1/chats/${id}`, { token: tab.token })).status,
        (status) => status === 404,
      );
      await open(`/agent/${id}`);
      await page.getByText('This conversation is no longer there.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('begin with what was selected in the library, and never see what is hidden', async () => {
      const tab = await openWithAgent(browser, service, model);
      const { page, open, token, complaints, close } = tab;
      const call = (method: string, path: string, body?: object) =>
        service.call(method, path, { token, ...(body && { body }) });
      const hidden = await writeNote(service, tab, 'Safe', 'The code of the safe is 4711.');
      await writeNote(service, tab, 'Lantern', 'A lantern of brass.');
      await writeNote(service, tab, 'Groceries', 'Milk and bread.');
      await call('POST', '/v1/hidden-pin', { pin: PIN });
      await call('POST', '/v1/objects/bulk', { action: 'hide', ids: [hidden] });
      await call('POST', '/v1/hidden-pin/lock');
      await open('/library');
      for (const name of [/Lantern/, /Groceries/])
        await page.getByRole('row', { name }).getByRole('checkbox').click();
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Give to the agent' }).click();
      const given = page.getByRole('list', { name: 'Given' });
      await given.getByText('Lantern').waitFor();
      await given.getByText('Groceries').waitFor();

      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await enterPin(page, PIN);
      const zone = page.getByRole('region', { name: 'Hidden zone' });
      await zone.waitFor();
      await page.getByRole('link', { name: 'Agent' }).click();
      await page.getByRole('heading', { level: 1, name: 'Agent' }).waitFor();
      const sent = page.waitForRequest('**/v1/agent/chat');
      script.says(
        [
          ['search_objects', { query: 'safe code' }],
          ['read_object', { object_id: hidden }],
        ],
        'I do not know.',
      );
      await handOver(page, 'What is the code?');
      expect((await sent).headers()).not.to.have.property('x-hidden-token');
      await page.locator('.prose', { hasText: 'I do not know.' }).waitFor();
      await page.locator('.step', { hasText: 'nothing found' }).waitFor();
      await page.locator('.step', { hasText: 'Read a document: It is no longer there.' }).waitFor();
      await page.keyboard.press('Shift+Escape');
      await zone.waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('need no pointer', async () => {
      const tab = await openWithAgent(browser, service, model);
      const { page, open, complaints, close } = tab;
      const id = await writeNote(service, tab, 'Lantern', 'A lantern of brass.');
      await page.addInitScript(COUNT_POINTERS);
      await open('/library');
      await page.getByRole('row', { name: /Lantern/ }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      await page.locator('textarea#say:focus').waitFor();
      script.says([['rename_object', { object_id: id, filename: 'Lamp.md' }]], 'Renamed.');
      await page.keyboard.type('Rename the lantern');
      await page.keyboard.press('Enter');
      await page.locator('.prose', { hasText: 'Renamed.' }).waitFor();
      const undo = page.getByRole('button', { name: 'Undo: Rename a document' });
      await page.getByRole('log').focus();
      for (let presses = 0; presses < 20; presses++) {
        if (await undo.evaluate((button) => button === button.ownerDocument.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.locator('.step.undone').waitFor();
      const { json } = await service.call('GET', `/v1/objects/${id}`, { token: tab.token });
      expect(json.filename).to.equal('Lantern.md');
      expect(await page.evaluate('globalThis.pointers')).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('fit a phone, in German', async () => {
      const tab = await openWithAgent(browser, service, model, {
        locale: 'de',
        viewport: { width: 390, height: 844 },
      });
      const { page, open, complaints, close } = tab;
      const name = 'Mietvertrag-Lotsenweg-7-Nebenkostenabrechnung-und-Anlagen';
      const id = await writeNote(service, tab, name, 'Die Miete ist am Dritten fällig.');
      await open('/agent');
      script.says(
        [
          ['search_objects', { query: 'Miete' }],
          ['read_object', { object_id: id }],
        ],
        [['rename_object', { object_id: id, filename: `${name}-2026.md` }]],
        'Fertig.',
      );
      await page.getByRole('textbox', { name: 'Was ist zu tun?' }).fill('Räum die Miete auf');
      await page.getByRole('button', { name: /^Beginnen/ }).click();
      const sideways = () =>
        page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
      await page.getByRole('heading', { name: 'Darf der Agent das tun?' }).waitFor();
      expect(await sideways()).to.be.at.most(0);
      await capture(page, 'agent-phone-confirm');
      await expectAccessibleInBothThemes(page, 'a confirmation on a phone');
      await page.getByRole('button', { name: 'Erlauben' }).click();
      await page.locator('.prose', { hasText: 'Fertig.' }).waitFor();
      await page.getByRole('button', { name: /^1 Änderung/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Alles rückgängig' }).waitFor();
      await capture(page, 'agent-phone-changes');
      expect(await sideways()).to.be.at.most(0);
      await page.getByRole('dialog').getByRole('button', { name: 'Alles rückgängig' }).click();
      await page.getByText('1 Änderung rückgängig gemacht').waitFor();
      await page.keyboard.press('Escape');
      await capture(page, 'agent-phone');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
