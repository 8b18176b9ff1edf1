import { expect } from 'chai';
import type { Browser, Page, Route } from 'playwright-core';
import { hasBrowser, openBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, openApp, type AppTab } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import {
  addSharedFolder,
  callAs,
  previewOf,
  rowOf,
  shareOf,
  sidewaysOf,
  type SharedFolder,
} from './shares-fixture.ts';
import { tracesIn } from './traces.ts';
import { MARKER, SECRET, openZoneTab } from './zone-fixture.ts';

const COUNT_POINTERS = `
  globalThis.pointers = 0;
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => globalThis.pointers++, { capture: true });
`;

const panelOf = (page: Page) => page.locator('aside.panel');
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Walks with the Tab key until something of this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const names: string[] = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `(() => {
        const { activeElement: active } = document;
        const labelled = active.labels?.[0]?.textContent;
        return (active.getAttribute('aria-label') ?? labelled ?? active.textContent).trim();
      })()`,
    );
    if (name.test(focused)) return;
    names.push(focused.slice(0, 30));
  }
  expect.fail(`The Tab key does not lead to ${name.source}: ${names.join(', ')}`);
}

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the ways to a link for visitors`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let folder: SharedFolder;
    let loose: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await openBrowser();
      tab = await openApp(browser, service);
      folder = await addSharedFolder(service, tab);
      loose = await writeNote(service, tab, 'Groceries', 'Milk and bread.');
    });
    after(async () => {
      await tab?.close();
      await browser?.close();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const sharesOf = async (owner: Pick<AppTab, 'token'>) =>
      (await callAs(service, owner, 'GET', '/v1/shares')).items;

    it('makes, finds and ends a link by the keyboard alone', async () => {
      const keys = await openApp(browser, service, {
        owner: { id: tab.ownerId, token: tab.token },
      });
      const { page } = keys;
      await page.addInitScript(COUNT_POINTERS);
      await keys.open('/library');
      await page.getByRole('row', { name: /Groceries/ }).waitFor();
      await press(page, 'Home');
      await page.locator('[data-index="0"]:focus').waitFor();
      await press(page, 's');
      await page.waitForURL(`**/shares/new?object=${loose}`);
      await panelOf(page)
        .getByRole('heading', { name: /^New link/ })
        .waitFor();
      await page.locator('.panel h2:focus').waitFor();
      await panelOf(page).getByRole('group', { name: 'What a visitor sees' }).waitFor();
      await tabTo(page, /^Name for visitors/);
      await page.keyboard.type('By keys');
      await tabTo(page, /^Make one up$/);
      await press(page, 'Enter');
      await tabTo(page, /^Make the link$/);
      await press(page, 'Enter');
      await panelOf(page).getByRole('heading', { name: 'The link is made' }).waitFor();
      const [made] = await sharesOf(tab);
      expect(made).to.include({ name: 'By keys', kind: 'file', has_password: true });
      await press(page, 'Escape');
      await page.waitForURL(/\/shares$/);
      await rowOf(page, 'By keys').waitFor();
      await press(page, 'j');
      await rowOf(page, 'By keys').locator('.share-name:focus').waitFor();
      await press(page, '#');
      await page.locator('dialog[open]').waitFor();
      await tabTo(page, /^End the link$/);
      await press(page, 'Enter');
      await rowOf(page, 'By keys').waitFor({ state: 'detached' });
      expect(await sharesOf(tab)).to.deep.equal([]);
      await page.locator('h1:focus').waitFor();
      await press(page, 's');
      await page.waitForURL(/\/shares\/new$/);
      await page.locator('.panel input[type=search]:focus').waitFor();
      expect(await page.evaluate('globalThis.pointers')).to.equal(0);
      expect(keys.complaints).to.deep.equal([]);
      await keys.close();
    });

    it('leads there from the document, and from several of one folder or of several', async () => {
      const { page } = tab;
      await tab.open(`/object/${folder.minutes}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('link', { name: 'Share', exact: true }).click();
      await page.waitForURL(`**/shares/new?object=${folder.minutes}`);
      await panelOf(page).getByText('1 file, 37 bytes').waitFor();
      await tab.open('/library');
      const tick = (name: RegExp) => page.getByRole('row', { name }).getByRole('checkbox').click();
      await tick(/minutes/);
      await tick(/account/);
      await page.getByText('2 selected').waitFor();
      await press(page, 's');
      await page.waitForURL(/\/shares\/new\?/);
      expect(new URL(page.url()).searchParams.get('folder')).to.equal(folder.id);
      await panelOf(page)
        .getByText(/This is the folder of the documents/)
        .waitFor();
      await tab.open('/library');
      await tick(/minutes/);
      await tick(/Groceries/);
      await page.getByText('2 selected').waitFor();
      await press(page, 's');
      await panelOf(page)
        .getByText(/Move the documents you selected into one folder/)
        .waitFor();
      await panelOf(page).getByLabel('Find a folder or a document').fill('Trust');
      await panelOf(page).getByRole('link', { name: 'Trustees', exact: true }).click();
      await page.waitForURL(`**/shares/new?folder=${folder.id}`);
      await panelOf(page).getByText('2 files').waitFor();
    });

    it('names the first files and every warned one, and the others on demand', async () => {
      const { page } = tab;
      await page.route('**/v1/shares/preview', (route) => route.fulfill({ json: previewOf(133) }));
      await tab.open(`/shares/new?folder=${folder.id}`);
      const view = panelOf(page).getByRole('group', { name: 'What a visitor sees' });
      await view.getByText('133 files, newest first').waitFor();
      expect(await view.locator('li bdi').allInnerTexts()).to.deep.equal([
        ...Array.from({ length: 5 }, (_, n) => `letter ${n}.txt`),
        'Passport of A. Solheim.jpg',
      ]);
      await view.getByText('and 32 more').waitFor();
      await view.getByRole('button', { name: 'Show 95 more' }).click();
      await view.getByText('letter 99.txt').waitFor();
      expect(await view.getByRole('listitem').count()).to.equal(101);
      await page.unroute('**/v1/shares/preview');
    });

    it('says why something can not be shared, and retries what failed', async () => {
      const { page } = tab;
      await tab.open('/shares/new?object=00000000-0000-4000-8000-000000000000');
      await panelOf(page).getByText('It is no longer there.').waitFor();
      expect(
        await panelOf(page).getByRole('button', { name: 'Make the link' }).isDisabled(),
      ).to.equal(true);
      const fail = (route: Route) => route.fulfill({ status: 500, body: '{}' });
      await page.route('**/v1/shares?*', fail);
      // The first position of the stream would have the list loaded again.
      await page.route('**/v1/changes', () => undefined);
      await tab.open('/shares');
      const alert = page.getByRole('main').getByRole('alert');
      await alert.waitFor();
      await capture(page, 'shares-failed');
      await page.unroute('**/v1/shares?*', fail);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Nothing of yours is shared').waitFor();
      await page.unroute('**/v1/changes');
    });

    it('gives an ended link another end', async () => {
      const { page } = tab;
      const { id } = await shareOf(service, tab, {
        resource_id: folder.id,
        name: 'Last year',
        expires_in_days: 1,
      });
      // A day does not pass in a spec: the answers say that it has.
      const expire = async (route: Route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const response = await route.fetch();
        const json = (await response.json()) as { items?: object[] };
        const ended = { state: 'expired', state_reason: 'expiry' };
        const items = json.items?.map((item) => ({ ...item, ...ended }));
        return route.fulfill({
          response,
          json: items ? { ...json, items } : { ...json, ...ended },
        });
      };
      await page.route(/\/v1\/shares(\?|\/[0-9a-f-]{36}$)/, expire);
      await tab.open('/shares');
      const row = rowOf(page, 'Last year');
      await row.getByText('Ended', { exact: true }).waitFor();
      await capture(page, 'shares-ended');
      await row.getByRole('link', { name: 'Give it another end: Last year' }).click();
      await panelOf(page)
        .getByText(/Choose another end to open it again/)
        .waitFor();
      await page.unroute(/\/v1\/shares(\?|\/[0-9a-f-]{36}$)/, expire);
      await panelOf(page).getByRole('button', { name: 'Open it again' }).click();
      await row.getByText('Open', { exact: true }).waitFor();
      const { expires_at: end } = await callAs(service, tab, 'GET', `/v1/shares/${id}`);
      expect((Date.parse(end) - Date.now()) / 86_400_000).to.be.closeTo(30, 0.1);
      await callAs(service, tab, 'DELETE', `/v1/shares/${id}`);
    });

    it('shows more links when there are many', async () => {
      const many = await openApp(browser, service);
      const { id } = await callAs(service, many, 'POST', '/v1/collections', { name: 'Many' });
      for (let n = 0; n < 101; n++)
        await shareOf(service, many, { resource_id: id, name: `Link ${n}` });
      await many.open('/shares');
      await many.page.getByText('101 links').waitFor();
      expect(await many.page.locator('.shares-table tbody tr').count()).to.equal(100);
      await many.page.getByRole('button', { name: 'Show 1 more' }).click();
      await rowOf(many.page, 'Link 0').first().waitFor();
      expect(many.complaints).to.deep.equal([]);
      await many.close();
    });

    it('tells nothing of a hidden document while the zone is locked, and why it rests while it is open', async () => {
      const zone = await openZoneTab(browser, service);
      const { page } = zone;
      const shown = await writeNote(
        service,
        zone,
        `${MARKER} ${SECRET}, the shared one`,
        'The tide.',
      );
      await shareOf(service, zone, { kind: 'file', resource_id: shown });
      await callAs(service, zone, 'POST', '/v1/objects/bulk', { action: 'hide', ids: [shown] });
      await zone.open('/shares');
      await page.getByText('Nothing of yours is shared').waitFor();
      expect(await page.content()).not.to.contain(SECRET);
      await zone.unlock();
      await page.locator('.rail').getByRole('link', { name: 'Shares' }).click();
      const row = page.locator('.shares-table tbody tr').filter({ hasText: MARKER });
      await row.getByText('the document is hidden').waitFor();
      // No address names it: the history would hold that.
      await row.getByRole('button', { name: new RegExp(`^${MARKER}`) }).click();
      await panelOf(page)
        .getByText(/Visitors see nothing/)
        .waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/shares');
      await capture(page, 'shares-hidden');
      await press(page, 'Shift+Escape');
      await zone.waitUntilLocked();
      await page.getByText('Nothing of yours is shared').waitFor();
      expect(await tracesIn(page, SECRET)).to.deep.equal([]);
      // What is hidden is not offered to be shared.
      await zone.unlock();
      await page
        .getByRole('row', { name: new RegExp(MARKER) })
        .first()
        .waitFor();
      await press(page, 'Home');
      await page.locator('[data-index="0"]:focus').waitFor();
      await press(page, 's', '?');
      const help = page.getByRole('dialog');
      await help.getByText('Next document').waitFor();
      expect(await help.getByText('Share', { exact: true }).count()).to.equal(0);
      expect(new URL(page.url()).pathname).to.equal('/app/hidden');
      expect(zone.complaints).to.deep.equal([]);
      await zone.close();
    });

    for (const [locale, newLink, made] of [
      ['de', 'Neuer Link:', 'Der Link ist erstellt'],
      ['zh', '新建链接：', '链接已创建'],
    ] as const)
      it(`fits on a telephone in ${locale}`, async () => {
        const phone = await openApp(browser, service, {
          owner: { id: tab.ownerId, token: tab.token },
          locale,
          viewport: { width: 390, height: 844 },
        });
        const { page } = phone;
        const { id } = await shareOf(service, tab, { resource_id: folder.id, role: 'contributor' });
        await phone.open('/shares');
        await rowOf(page, 'Trustees').waitFor();
        await capture(page, `shares-table-${locale}`);
        expect(await sidewaysOf(page)).to.equal(0);
        await phone.open(`/shares/new?folder=${folder.id}`);
        const panel = panelOf(page);
        await panel.getByRole('heading', { name: new RegExp(`^${newLink}`) }).waitFor();
        await panel.getByText('Trustees, minutes.txt').waitFor();
        await panel.getByRole('radio').last().check();
        await capture(page, `shares-new-${locale}`);
        expect(await sidewaysOf(page)).to.equal(0);
        await panel.locator('button[type=submit]').click();
        await panel.getByRole('heading', { name: made }).waitFor();
        await page.locator('.qr').waitFor();
        await capture(page, `shares-made-${locale}`);
        expect(await sidewaysOf(page)).to.equal(0);
        for (const { id: share } of await sharesOf(tab))
          await callAs(service, tab, 'DELETE', `/v1/shares/${share}`);
        expect(id).to.be.a('string');
        expect(phone.complaints).to.deep.equal([]);
        await phone.close();
      });
  });
