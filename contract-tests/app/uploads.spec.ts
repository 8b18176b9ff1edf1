import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { newDataFolder } from '../backends-env.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, fewPlacings, startService, type Service } from '../http/harness.ts';
import { openApp } from './app-fixture.ts';
import {
  chooseFiles,
  contentOf,
  fileOnDisk,
  listed,
  networkOf,
  rowOf,
  sha256,
  textFile,
  tray,
} from './uploads-fixture.ts';

const MIB = 2 ** 20;
/** The service stores parts of this size: after a kill it has whole ones only. */
const SLOW_BYTES_PER_SECOND = 12 * MIB;

for (const { title, profile, files } of hasBrowser ? fewPlacings : [])
  describe(`${title}: uploads of the app`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    let folder: string;
    before(async () => {
      folder = await newDataFolder();
      service = await startService(profile, { PORT: String(await freePort()) }, files);
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    it('stores chosen files byte for byte, with hostile names, and closes the tray', async () => {
      const app = await openApp(browser, service);
      await app.open('/library');
      const names = ['<img src=x onerror=alert(1)>.txt', 'räksmörgås txt.exe', 'a\'b"&amp;.txt'];
      const given = names.map((name, nth) => textFile(name, `hostile ${nth}`));
      const binary = { name: 'big.bin', mimeType: '', buffer: randomBytes(3 * MIB + 17) };
      // The service does not allow controls of the direction of text: one failed file stops no other.
      const refused = textFile('rtl \u202etxt.exe', 'reversed');
      await chooseFiles(app.page, [refused, ...given, binary]);
      const found = await eventually(
        () => listed(service, app),
        (all) => all.length === given.length + 1,
      );
      const big = found.find(({ filename }) => filename === 'big.bin');
      expect(sha256(await contentOf(service, app, big?.id ?? ''))).to.equal(sha256(binary.buffer));
      await rowOf(app.page, 'rtl', 'failed').waitFor();
      await app.page.getByRole('button', { name: 'Close' }).click();
      await tray(app.page).waitFor({ state: 'detached' });
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('goes on by itself after the network was gone', async () => {
      const app = await openApp(browser, service);
      await app.open('/library');
      const bytes = randomBytes(20 * MIB);
      const network = await networkOf(app.page);
      // Slow enough that it is never at its end before the network is cut.
      await network(false, MIB / 4);
      await chooseFiles(app.page, [await fileOnDisk(folder, 'cut.bin', bytes)]);
      await rowOf(app.page, 'cut.bin', 'sending').waitFor();
      await network(true);
      await rowOf(app.page, 'No connection. Continues automatically.', 'waiting').waitFor();
      await network(false);
      const [object] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
        60_000,
      );
      expect(sha256(await contentOf(service, app, object?.id ?? ''))).to.equal(sha256(bytes));
      await app.close();
    });

    it('goes on after the page was loaded again in the middle, and pauses and resumes', async () => {
      const app = await openApp(browser, service);
      await app.open('/library');
      const bytes = randomBytes(20 * MIB);
      const network = await networkOf(app.page);
      await network(false, 2 * MIB);
      await chooseFiles(app.page, [await fileOnDisk(folder, 'again.bin', bytes)]);
      await rowOf(app.page, 'again.bin', 'sending').waitFor();
      await app.page.getByRole('button', { name: 'Pause again.bin' }).click();
      await rowOf(app.page, 'again.bin', 'paused').waitFor();
      await app.page.reload();
      await rowOf(app.page, 'again.bin', 'paused').waitFor();
      await app.page.getByRole('button', { name: 'Resume again.bin' }).click();
      await rowOf(app.page, 'again.bin', 'sending').waitFor();
      await app.page.reload();
      await network(false);
      const [object] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
        60_000,
      );
      expect(sha256(await contentOf(service, app, object?.id ?? ''))).to.equal(sha256(bytes));
      await tray(app.page).waitFor({ state: 'detached' });
      // The browser stores nothing of it any longer.
      await app.page.reload();
      await app.page.getByRole('button', { name: 'Add' }).first().waitFor();
      expect(await tray(app.page).count()).to.equal(0);
      await app.close();
    });

    it('goes on after the service was killed in the middle', async () => {
      const app = await openApp(browser, service);
      await app.open('/library');
      const bytes = randomBytes(24 * MIB);
      const network = await networkOf(app.page);
      await network(false, SLOW_BYTES_PER_SECOND);
      await chooseFiles(app.page, [await fileOnDisk(folder, 'killed.bin', bytes)]);
      const used = async () => {
        const { json } = await service.call('GET', '/v1/usage', { token: app.token });
        const items = json.items as { metric: string; used: number }[];
        return items.find(({ metric }) => metric === 'storage_bytes')?.used ?? 0;
      };
      await eventually(used, (stored) => stored >= 8 * MIB, 60_000);
      service = await service.restart('SIGKILL');
      const [object] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
        90_000,
      );
      expect(sha256(await contentOf(service, app, object?.id ?? ''))).to.equal(sha256(bytes));
      await app.close();
    });
  });

/** The app finds a service that was started again at the same address only. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
