import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

const SOUND = { lost: [], twice: [], wrong: [], damage: [] };

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the page of operators`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile);
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
    });

    it('tells an operator how the service is, and nothing of what owners have', async () => {
      const owner = await service.newOwner('operator');
      const { json } = await service.uploadAll([['plum-orchard.txt', 'plums']], {}, owner);
      await service.settled(json.items[0].id, owner);
      await service.cli('backup', join(service.dataDir, 'backup.zip'));
      await mkdir(join(service.dataDir, 'status'), { recursive: true });
      await writeFile(
        join(service.dataDir, 'status', 'drills.json'),
        JSON.stringify({
          outcomes: [
            { drill: 'kill-serve', profile: 'team', ...SOUND },
            { drill: 'disk-full', profile: 'standalone', ...SOUND, lost: ['upload 7'] },
          ],
          left_out: [],
          broken: [],
        }),
      );
      const { page, open, complaints, close } = await openApp(browser, service, { owner });
      await open('/settings/usage');
      await page.getByRole('link', { name: 'State of the service' }).click();
      await page.getByRole('heading', { level: 1, name: 'State of the service' }).waitFor();
      const main = page.getByRole('main');
      await main.getByText(/^Completed on /).waitFor();
      await main.getByText('1 drill failed.').waitFor();
      await main.getByText('disk-full').waitFor();
      await main.getByText(process.versions.node).waitFor();
      await main.getByText('Free space').waitFor();
      await main.getByText('Database', { exact: true }).waitFor();
      await capture(page, 'operators');
      await expectAccessibleInBothThemes(page, 'the page of operators');
      expect(await main.innerText()).not.to.match(/plum|orchard/);
      await page.setViewportSize({ width: 390, height: 844 });
      await capture(page, 'operators-phone');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('tells others that it is not for them, and is not offered to them', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/usage');
      await page.getByRole('link', { name: 'Open the reference' }).waitFor();
      await page.locator('main .spin').first().waitFor({ state: 'detached' });
      expect(await page.getByRole('link', { name: 'State of the service' }).count()).to.equal(0);
      await open('/operators');
      await page.getByText('Only the operator may see this').waitFor();
      expect(await page.getByText('Free space').count()).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
