/**
 * Measures the owner's app in Chromium against the built service with SQLite and 100 000 objects:
 * `npm run bench:app [-- --objects=100000] [-- --cycles=500]`.
 *
 * - First list: from the navigation to the first painted row, with a CPU that is four times slower, on fast and on slow 4G
 *   (latency and throughput as in Chromium's developer tools), first and second visit. A bare page with the same rows
 *   as plain HTML is measured alternately, under the same conditions.
 * - Keys: from the key to the next painted frame (Event Timing), while walking through the list.
 * - Memory: a snapshot of the heap before and after opening and closing documents. Compiled code and what the browser records
 *   of requests and performance count apart: they grow also on a page without state.
 *
 * Ends with 1 if a bound is exceeded.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openInstalledApp, type AppTab } from '../contract-tests/app/app-fixture.ts';
import { heapBytes } from '../contract-tests/app/heap.ts';
import { openBrowser } from '../contract-tests/http/browser.ts';
import { startService, type Service } from '../contract-tests/http/harness.ts';
import { KEEP_TRASH } from './data-sample.ts';
import { fill } from './data.ts';
import { quantile } from './mann-whitney.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    cycles: { type: 'string', default: '500' },
    visits: { type: 'string', default: '7' },
    keys: { type: 'string', default: '200' },
  },
});

const NETWORKS = {
  'fast 4G': { latency: 165, kbitPerSecond: 8_100 },
  'slow 4G': { latency: 562, kbitPerSecond: 1_440 },
} as const;
const CPU_SLOWDOWN = 4;
const MAX_FIRST_LIST_MS = 1_000;
const MAX_KEY_MS = 100;
const MAX_GROWTH = 1.1;
const WARM_UP_CYCLES = 50;
const ROW = '[data-index="0"]';

/**
 * Notes when the row is painted first. A row that was in the page before the first contentful paint was painted with it: the
 * browser reports when that was. A later one is painted in the frame after it was added.
 */
const WATCH_ROW = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('${ROW}')) return;
    observer.disconnect();
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const wasPainted = painted() !== undefined;
    requestAnimationFrame(() => setTimeout(() => {
      const at = performance.now();
      new PerformanceObserver(() => { window.firstRowAt = wasPainted ? at : painted(); }).observe({ type: 'paint', buffered: true });
    }));
  }).observe(document, { childList: true, subtree: true });`;

async function throttle(page: Page, network: keyof typeof NETWORKS): Promise<CDPSession> {
  const protocol = await page.context().newCDPSession(page);
  const { latency, kbitPerSecond } = NETWORKS[network];
  const throughput = (kbitPerSecond * 1_000) / 8;
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency },
    ...{ downloadThroughput: throughput, uploadThroughput: throughput },
  });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return protocol;
}

async function firstRowMs(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForFunction(() => 'firstRowAt' in globalThis);
  return page.evaluate<number>('window.firstRowAt');
}

/** A page with the same rows as HTML, which needs one request and no script. */
async function serveBarePage(names: readonly string[]) {
  const rows = names.map((name, at) => `<li data-index="${at}">${name}</li>`).join('');
  const html = `<!doctype html><title>bare</title><ul>${rows}</ul>`;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** First and second visit of the app, and a visit of the bare page, each in a fresh profile. */
async function visit(
  browser: Browser,
  service: Service,
  owner: Owner,
  bare: string,
  network: keyof typeof NETWORKS,
) {
  const tab = await openInstalledApp(browser, service, { owner });
  await tab.page.addInitScript(WATCH_ROW);
  await throttle(tab.page, network);
  const first = await firstRowMs(tab.page, `${service.base}/app/library`);
  // A visit is over when the shell is stored.
  await tab.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const second = await firstRowMs(tab.page, `${service.base}/app/library`);
  const plain = await firstRowMs(tab.page, bare);
  await tab.close();
  return { first, second, plain };
}

interface Owner {
  readonly id: string;
  readonly token: string;
}

/** Durations from key to frame, in steps of 8 ms as the browser reports them; 0 stands for less than 16. */
async function keyDurations(tab: AppTab, count: number): Promise<readonly number[]> {
  const { page } = tab;
  await page.evaluate(`window.durations = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.durations.push(duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false });`);
  await page.locator(ROW).click();
  for (let i = 0; i < count; i++) await page.keyboard.press(i % 20 === 19 ? 'PageDown' : 'j');
  await page.waitForTimeout(500);
  const noted = await page.evaluate<number[]>('window.durations');
  return [...noted, ...Array.from({ length: Math.max(0, count - noted.length) }, () => 0)];
}

async function openAndClose(page: Page, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await page.locator('.documents [data-index] .name').first().click();
    await page.waitForURL('**/object/**');
    await page.locator('.screen-title').waitFor();
    await page.goBack();
    await page.locator(ROW).waitFor();
  }
}

const round = (ms: number): string => `${Math.round(ms)} ms`;
const failures: string[] = [];
const report = (line: string, isMet = true): void => {
  console.log(`${isMet ? '  ' : '! '}${line}`);
  if (!isMet) failures.push(line);
};

const service = await startService('standalone', KEEP_TRASH);
const { ownerId, bearer } = await fill(service.dataDir, Number(values.objects));
const owner: Owner = { id: ownerId, token: bearer };
const { json } = await service.call('GET', '/v1/objects?limit=100', { token: bearer });
const names = (json.items as readonly { readonly display_name: string }[]).map(
  (it) => it.display_name,
);
const bare = await serveBarePage(names);
const browser = await openBrowser();
try {
  for (const network of ['fast 4G', 'slow 4G'] as const) {
    const visits: Awaited<ReturnType<typeof visit>>[] = [];
    for (let i = 0; i < Number(values.visits); i++)
      visits.push(await visit(browser, service, owner, bare.address, network));
    const median = (of: (each: (typeof visits)[number]) => number): number =>
      quantile(visits.map(of), 0.5);
    const [first, second, plain] = [
      median((it) => it.first),
      median((it) => it.second),
      median((it) => it.plain),
    ];
    const ratio = (ms: number): string => `${(ms / plain).toFixed(2)} × bare (${round(plain)})`;
    for (const [name, ms] of [
      ['first', first],
      ['second', second],
    ] as const)
      report(
        `first list, ${network}, ${name} visit: ${round(ms)}, ${ratio(ms)}`,
        network === 'slow 4G' || ms <= MAX_FIRST_LIST_MS,
      );
  }
  const tab = await openInstalledApp(browser, service, { owner });
  await tab.open('/library');
  await tab.page.locator(ROW).waitFor();
  const durations = await keyDurations(tab, Number(values.keys));
  const worst = Math.max(...durations);
  report(
    `keys in a list of ${values.objects}: p50 ${round(quantile(durations, 0.5))}, p95 ${round(quantile(durations, 0.95))}, worst ${round(worst)}`,
    quantile(durations, 0.95) <= MAX_KEY_MS,
  );
  await tab.open('/library');
  await tab.page.locator(ROW).waitFor();
  await openAndClose(tab.page, WARM_UP_CYCLES);
  const before = await heapBytes(tab.page);
  await openAndClose(tab.page, Number(values.cycles));
  const after = await heapBytes(tab.page);
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const growth = (of: keyof typeof before): string =>
    `${megabytes(before[of])} → ${megabytes(after[of])}, ${(after[of] / before[of]).toFixed(2)} ×`;
  report(
    `heap of the page after ${values.cycles} times opening and closing: ${growth('page')}`,
    after.page / before.page <= MAX_GROWTH,
  );
  report(`compiled code: ${growth('code')}; recorded by the browser: ${growth('recorded')}`);
  await tab.close();
} finally {
  await browser.close();
  bare.close();
  await service.dispose();
}
process.exitCode = failures.length === 0 ? 0 : 1;
