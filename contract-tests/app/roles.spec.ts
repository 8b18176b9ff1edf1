import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

const row = (page: Page, name: string) => page.locator('.role', { hasText: name });

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: roles of the agent in the app`, function () {
    this.timeout(60_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const rolesOf = async (token: string) =>
      (await service.call('GET', '/v1/agents?limit=100', { token })).json.items as readonly {
        readonly slug: string;
        readonly name: string;
        readonly active: boolean;
        readonly toolsets: readonly string[];
      }[];

    it('are created without a pointer, with errors at the fields, and put in use', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await open('/settings/roles');
      await row(page, 'Assistant').getByText('In use').waitFor();
      expect(await page.locator('.role').count()).to.equal(3);
      expect(await page.getByRole('button', { name: /^(Edit|Delete)/ }).count()).to.equal(0);
      await page.getByRole('button', { name: 'Create a role' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
      const slug = dialog.getByRole('textbox', { name: 'Short name' });
      const persona = dialog.getByRole('textbox', { name: 'Instructions' });
      await name.focus();
      await page.keyboard.press('Enter');
      expect(await dialog.getByText('Fill this in.').count()).to.equal(3);
      await page.locator('input[name=name]:focus').waitFor();
      await capture(page, 'roles-problems');
      await expectAccessibleInBothThemes(page, 'problems of a role');
      await page.keyboard.type('Tax adviser, für Sie');
      expect(await slug.inputValue()).to.equal('tax-adviser-fur-sie');
      await slug.fill('planner');
      await persona.fill('x'.repeat(8_001));
      await name.focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('At most 8,000 characters.').waitFor();
      await persona.fill('You know taxes.');
      await name.focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('This short name is taken.').waitFor();
      await slug.fill('Tax!');
      await page.keyboard.press('Enter');
      await dialog.getByText('Only small letters, digits and hyphens').waitFor();
      await slug.fill('tax');
      await dialog.getByRole('checkbox', { name: 'Write notes' }).focus();
      await page.keyboard.press('Space');
      await name.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const mine = row(page, 'Tax adviser');
      await mine.getByText('Search and read documents · Write notes').waitFor();
      expect((await rolesOf(token)).at(-1)).to.deep.include({
        slug: 'tax',
        name: 'Tax adviser, für Sie',
        toolsets: ['objects', 'notes'],
      });
      await mine.getByRole('button', { name: /^Use/ }).focus();
      await page.keyboard.press('Enter');
      await mine.getByText('In use').waitFor();
      expect((await rolesOf(token)).find(({ active }) => active)?.slug).to.equal('tax');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('Control+z');
      await row(page, 'Assistant').getByText('In use').waitFor();
      expect((await rolesOf(token)).some(({ active }) => active)).to.equal(false);
      await capture(page, 'roles');
      await expectAccessibleInBothThemes(page, 'roles');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('are changed, which can be undone, and deleted, which asks first', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      const body = { slug: 'skipper', name: 'Skipper', persona: 'You know the tides.' };
      await service.call('POST', '/v1/agents/custom', { token, body });
      await open('/settings/roles');
      await page.getByRole('button', { name: 'Edit: Skipper' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Captain');
      await dialog.getByRole('checkbox', { name: 'Search and read documents' }).uncheck();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row(page, 'Captain').getByText('no tools').waitFor();
      expect((await rolesOf(token)).at(-1)).to.deep.include({ name: 'Captain', toolsets: [] });
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await row(page, 'Skipper').waitFor();
      expect((await rolesOf(token)).at(-1)).to.deep.include({
        name: 'Skipper',
        toolsets: ['objects'],
      });
      await row(page, 'Skipper').getByText('Instructions').click();
      await page.getByText('You know the tides.').waitFor();
      await page.getByRole('button', { name: 'Delete: Skipper' }).click();
      await dialog.getByRole('heading', { name: 'Delete Skipper?' }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await rolesOf(token)).to.have.length(4);
      await page.getByRole('button', { name: 'Delete: Skipper' }).click();
      await dialog.getByRole('button', { name: 'Delete the role' }).click();
      await row(page, 'Skipper').waitFor({ state: 'detached' });
      expect(await rolesOf(token)).to.have.length(3);

      // Another device creates one.
      await service.call('POST', '/v1/agents/custom', { token, body });
      await row(page, 'Skipper').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('fit a phone, in Chinese, and are named in that language', async () => {
      const { page, open, complaints, close } = await openApp(browser, service, {
        locale: 'zh',
        viewport: { width: 390, height: 844 },
      });
      await open('/settings/roles');
      await row(page, '图书管理员').waitFor();
      await page.getByRole('button', { name: '创建角色' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: '名称', exact: true }).waitFor();
      const sideways = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(sideways).to.be.at.most(0);
      await capture(page, 'roles-phone');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
