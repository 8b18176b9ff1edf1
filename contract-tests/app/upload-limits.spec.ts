import { expect } from 'chai';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { newDataFolder } from '../backends-env.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { chooseFiles, listed, networkOf, rowOf, textFile, uploadsOf } from './uploads-fixture.ts';

const PLAN_BYTES = 100_000;
const PLENTY = { requests_per_minute: 6_000, questions: null, enrichments: null };

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the limit of the plan in the tray`, function () {
    this.timeout(120_000);
    let service: Service;
    let browser: Browser;
    let folder: string;
    before(async () => {
      folder = await newDataFolder();
      const roles = {
        unlimited: { ...PLENTY, storage_bytes: null },
        small: { ...PLENTY, storage_bytes: PLAN_BYTES },
      };
      await writeFile(join(folder, 'roles.json'), JSON.stringify(roles));
      service = await startService(profile, { ROLES_FILE: join(folder, 'roles.json') });
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    const openSmall = async () => {
      const app = await openApp(browser, service, { owner: await service.newOwner('small') });
      await app.open('/library');
      return app;
    };
    const fill = (token: string, bytes: number) =>
      service.uploadAll([['filler.txt', 'f'.repeat(bytes)]], {}, { token });

    it('is shown before it is reached, and a file that does not fit is not sent', async () => {
      const app = await openSmall();
      const { page, token } = app;
      await fill(token, 40_000);
      const sent = uploadsOf(page);
      await chooseFiles(page, [
        textFile('large.txt', 'l'.repeat(61_000)),
        textFile('fits.txt', 'm'.repeat(55_000)),
      ]);
      const row = rowOf(page, 'large.txt', 'failed');
      await row.getByText('No room left.', { exact: false }).waitFor();
      await page.getByText('Only 5 kB left in the plan.').waitFor();
      await rowOf(page, 'fits.txt', 'done').waitFor();
      expect(sent.filter((each) => each.startsWith('POST'))).to.have.length(1);
      await capture(page, 'tray-no-room');
      await expectAccessibleInBothThemes(page, 'no room');
      // The owner makes room, and tries again.
      for (const { id } of await listed(service, app))
        await service.call('DELETE', `/v1/objects/${id}?permanent=true`, { token });
      await row.getByRole('button', { name: 'Try again' }).click();
      await rowOf(page, 'large.txt', 'done').waitFor();
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('is judged by the service if it is reached meanwhile (402)', async () => {
      const app = await openSmall();
      const { page, token } = app;
      const network = await networkOf(page);
      await chooseFiles(page, [textFile('warm-up.txt', 'w')]);
      await rowOf(page, 'warm-up.txt').waitFor();
      await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
      );
      await page.route('**/v1/objects?content_hash=*', async (route) => {
        await fill(token, 90_000);
        await route.continue();
      });
      await network(false);
      await chooseFiles(page, [textFile('late.txt', 'l'.repeat(50_000))]);
      const row = rowOf(page, 'late.txt', 'failed');
      await row.getByText('No room left.', { exact: false }).waitFor();
      const filler = (await listed(service, app)).find(({ filename }) => filename === 'filler.txt');
      await service.call('DELETE', `/v1/objects/${filler?.id}?permanent=true`, { token });
      await page.unroute('**/v1/objects?content_hash=*');
      await row.getByRole('button', { name: 'Try again' }).click();
      await rowOf(page, 'late.txt', 'done').waitFor();
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });
  });
