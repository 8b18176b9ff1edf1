import type { Browser, Locator, Page } from 'playwright-core';
import type { Served } from '../http/harness.ts';
import { openInstalledApp, type AppOptions, type AppTab } from './app-fixture.ts';

export const PIN = '48151623';
/** Starts the name of the hidden document. */
export const MARKER = 'Quellnymphe-7319';
/** In its name and its text. No selector has it: those stay in the memory of the tab. */
export const SECRET = 'Wasserrose-4207';
export const HIDDEN_TEXT = 'The spring behind the house';

/** A tab whose owner has something hidden, and what is done in it. */
export interface ZoneTab extends AppTab {
  readonly hiddenId: string;
  readonly bar: Locator;
  readonly button: (name: string) => Locator;
  /** Opens the dialog with its key, and the zone with the PIN. */
  readonly unlock: () => Promise<void>;
  readonly waitUntilLocked: () => Promise<void>;
  /** The unlock tokens that requests of the page have carried. */
  readonly tokens: ReadonlySet<string>;
}

export async function openZoneTab(
  browser: Browser,
  service: Served,
  options: AppOptions = {},
): Promise<ZoneTab> {
  const tab = await openInstalledApp(browser, service, options);
  const hiddenId = await hideDocument(service, tab);
  return zoneTab(tab, hiddenId);
}

export function zoneTab(tab: AppTab, hiddenId: string): ZoneTab {
  const { page } = tab;
  const tokens = new Set<string>();
  page.on('request', (request) => {
    const token = request.headers()['x-hidden-token'];
    if (token) tokens.add(token);
  });
  const bar = page.locator('.zone-bar');
  return {
    ...tab,
    hiddenId,
    bar,
    tokens,
    button: (name) => page.getByRole('button', { name, exact: true }),
    unlock: async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await enterPin(page);
      await bar.waitFor();
    },
    waitUntilLocked: () => bar.waitFor({ state: 'detached' }),
  };
}

export async function enterPin(page: Page, pin = PIN, button = 'Open'): Promise<void> {
  await page.getByRole('dialog').getByLabel(/^PIN/).fill(pin);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
}

/** Sets the PIN and hides a document. The zone is locked afterwards. */
export async function hideDocument(service: Served, { token }: Pick<AppTab, 'token'>) {
  await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
  const { json } = await service.uploadAll(
    [[`${MARKER} ${SECRET}.md`, `${HIDDEN_TEXT}, ${SECRET}, stays between us.`]],
    {},
    { token },
  );
  const [{ id }] = json.items as [{ id: string }];
  await service.settled(id, { token });
  await service.call('POST', '/v1/objects/bulk', { token, body: { action: 'hide', ids: [id] } });
  await service.call('POST', '/v1/hidden-pin/lock', { token });
  return id;
}

/** The window loses the focus. Chromium without a screen never does, so the page is made to believe it. */
export async function leaveWindow(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event('blur'));
  })()`);
}

export async function returnToWindow(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    delete document.hasFocus;
    dispatchEvent(new Event('focus'));
  })()`);
}

export async function hideTab(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    delete document.visibilityState;
  })()`);
}
