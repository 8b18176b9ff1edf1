import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core';
import { addFailureDetails } from '../failure-details.ts';
import { registerRunning, sharedByFiles } from '../leftovers.ts';

/** The headless shell first: the same engine without the interface of Chrome opens a tab for a third of the CPU time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The installed browser: the one that CHROMIUM names, else the first on the path. */
function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

const program = findChromium();
if (program === undefined) {
  process.stdout.write('left out: browser (no Chromium on the path, and CHROMIUM names none)\n');
  if (process.env['CI'] === 'true') throw new Error('The browser may not be left out of this run.');
}

/** Whether there is a browser for this run. */
export const hasBrowser = program !== undefined;

/**
 * Without its own sandbox, which does not run as root; without a GPU, which a server lacks. In the POSIX locale, which a script
 * without LANG has, Chromium opens no file whose name is not ASCII.
 */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: program ?? '',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  browser.once(
    'disconnected',
    registerRunning('a browser', () => browser.close()),
  );
  return browser;
}

/** The browser that the spec files of this process share. They close their tabs, and not the browser. */
export const sharedBrowser = sharedByFiles({
  start: openBrowser,
  end: (browser) => browser.close(),
  isRunning: (browser) => browser.isConnected(),
});

/** A tab, and its invisible errors. */
export interface Tab {
  readonly page: Page;
  /** Errors reported by scripts and policies, and every dialog that was opened. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

let visitors = 0;

/** A browser of its own, from an address of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const address = `10.11.${++visitors >> 8}.${visitors & 255}`;
  const context = await browser.newContext({
    viewport: { width: 1_000, height: 800 },
    extraHTTPHeaders: { 'x-forwarded-for': address },
    ...options,
  });
  context.once(
    'close',
    registerRunning('a tab', () => context.close()),
  );
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const open = new Set<string>();
  page.on('request', (request) => open.add(`${request.method()} ${request.url()}`));
  const close = (request: Request) => open.delete(`${request.method()} ${request.url()}`);
  page.on('requestfinished', close).on('requestfailed', close);
  context.once(
    'close',
    addFailureDetails(() => describePage(page, open)),
  );
  const complaints: string[] = [];
  page.on('console', (message) => {
    // An error page has an error status, which is not a fault of the page.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded');
    if (/error|warning/.test(message.type()) && !isStatus) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints, close: () => context.close() };
}

const MAX_SHOWN_TEXT = 1_500;

/** Address, focus, requests without a reply, and the text of a page. */
async function describePage(page: Page, open: ReadonlySet<string>): Promise<string> {
  const text = await page.locator('body').innerText();
  const focus = await page.evaluate<string>(
    '`${document.activeElement?.tagName} ${document.activeElement?.getAttribute("aria-label") ?? ""}`',
  );
  const shown = text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, MAX_SHOWN_TEXT);
  return `page ${page.url()}, focus on ${focus}, waiting for ${[...open].join(', ')}\n${shown}`;
}
