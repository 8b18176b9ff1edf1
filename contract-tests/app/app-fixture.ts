import { createRequire } from 'node:module';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openTab, type Tab } from '../http/browser.ts';
import type { Served } from '../http/harness.ts';
import { signInBrowser } from '../http/signed-in.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const axe = await readFile(AXE, 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
  }[];
  /** Number of rules that found nothing, and of those that could not be decided. */
  readonly passes: number;
  readonly incomplete: number;
}

/** The owner's app in a tab in which an owner is signed in. */
export interface AppTab extends Tab {
  /** Of the owner, for calls that set a scene up. */
  readonly token: string;
  readonly ownerId: string;
  /** Opens a path of the app: `/library`. */
  readonly open: (path: string) => Promise<void>;
}

export interface AppOptions extends BrowserContextOptions {
  /** Instead of a new owner. */
  readonly owner?: { readonly id: string; readonly token: string };
  /** Whether the browser has service workers. Without one it need not store the shell anew for each tab. */
  readonly hasServiceWorker?: boolean;
}

/** Opens a tab with a new owner, who is signed in. Nothing is loaded yet. */
export async function openApp(
  browser: Browser,
  service: Served,
  { owner: given, hasServiceWorker = false, ...options }: AppOptions = {},
): Promise<AppTab> {
  const owner = given ?? (await service.newOwner());
  const { cookie } = await signInBrowser(service, owner.id);
  const tab = await openTab(browser, {
    viewport: { width: 1_440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Contrast is not measured in the middle of a transition.
    reducedMotion: 'reduce',
    ...options,
  });
  if (!hasServiceWorker)
    await tab.page.context().addInitScript('delete Navigator.prototype.serviceWorker');
  const [name = '', value = ''] = cookie.split('=');
  await tab.page
    .context()
    .addCookies([{ name, value, url: service.base, httpOnly: true, sameSite: 'Strict' }]);
  const open = async (path: string): Promise<void> => {
    await tab.page.goto(`${service.base}/app${path}`);
    await tab.page.locator('main').first().waitFor();
  };
  return { ...tab, token: owner.token, ownerId: owner.id, open };
}

/** The same with the service worker, which stores the shell and the files of the app. */
export const openInstalledApp = (
  browser: Browser,
  service: Served,
  options: AppOptions = {},
): Promise<AppTab> => openApp(browser, service, { hasServiceWorker: true, ...options });

/** Colours that change gradually are judged at the end. What turns for ever has none. */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished),
)`;

/** Fails with what axe finds on the page as it is shown. Another colour scheme changes the colours alone. Runs outside the page's Content-Security-Policy. */
export async function expectAccessible(
  page: Page,
  place: string,
  rules: 'all' | 'colours' = 'all',
): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  // A colour that is still on its way to that of the other scheme has no contrast of its own.
  await page.evaluate(TRANSITIONS_END);
  const options = {
    preload: false,
    resultTypes: ['violations'],
    ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  // Only what is judged leaves the page: the nodes of all passed rules are megabytes.
  const { violations, passes, incomplete } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(options)}).then(({ violations, passes, incomplete }) => ({
      violations: violations.map(({ id, help, nodes }) => ({
        id, help, nodes: nodes.map(({ html, target }) => ({ html, target })),
      })),
      passes: passes.length,
      incomplete: incomplete.length,
    }))`,
  );
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  expect(found, place).to.deep.equal([]);
  // Above a backdrop the colours behind a text are not always found.
  const judged = rules === 'all' ? passes : passes + incomplete;
  expect(judged, place).to.be.above(rules === 'all' ? 5 : 0);
}

/** In both colour schemes. */
export async function expectAccessibleInBothThemes(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${place}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${place}, dark`, 'colours');
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Writes a picture of the page to the folder that SCREENSHOT_DIR names. Does nothing without one. */
export async function capture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOT_DIR'];
  if (folder === undefined || folder === '') return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
