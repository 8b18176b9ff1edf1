import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { openTab, type Tab } from '../../http/browser.ts';
import { eventually, type Answer, type Served } from '../../http/harness.ts';

/** Pictures are read in seconds on a quiet machine, and far slower beside other specs. */
export const MAX_WAIT_MS = 180_000;

/** A person at a browser of their own, and what the service has of theirs. */
export interface Person extends Tab {
  readonly service: Served;
  readonly owner: { readonly id: string; readonly token: string };
  /** What the service answers. Scenes are never set up by it: the person does all by the screen. */
  readonly read: (path: string) => Promise<Answer['json']>;
}

/** Opens the link that the operator's terminal prints, which signs the person in once. */
export async function signIn(browser: Browser, service: Served): Promise<Person> {
  const owner = await service.newOwner();
  const tab = await openTab(browser, {
    viewport: { width: 1_440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  await tab.page.goto(`${service.base}/app/sign-in#${await service.signInCode(owner.id)}`);
  await rail(tab.page).waitFor();
  const read = async (path: string) => {
    const { status, json, text } = await service.call('GET', path, { token: owner.token });
    expect(status, `${path}: ${text}`).to.equal(200);
    return json;
  };
  return { ...tab, service, owner, read };
}

export const rail = (page: Page): Locator => page.locator('nav.rail');

/** Goes to a place by the rail. */
export async function goTo(page: Page, place: string): Promise<void> {
  await rail(page).locator('a.tab', { hasText: place }).click();
  await page.locator('main h1').waitFor();
}

/** Drops files and folders of this machine on the page, as a file manager does. */
export async function dropPaths(page: Page, ...files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data });
  await session.detach();
}

/** Polls what the service has of the person until it is as expected. */
export async function untilRead<T>(
  { read }: Person,
  path: string,
  pick: (answer: Answer['json']) => T,
  expected: T,
): Promise<void> {
  const ask = async () => pick(await read(path));
  const wanted = JSON.stringify(expected);
  const found = await eventually(ask, (each) => JSON.stringify(each) === wanted, MAX_WAIT_MS);
  expect(found, path).to.deep.equal(expected);
}

/** The document of a name, which is there once. */
export async function documentNamed({ read }: Person, name: string): Promise<Answer['json']> {
  const { items } = await read(`/v1/objects?limit=100`);
  const found = items.filter(({ filename }: { filename: string }) => filename === name);
  expect(found, name).to.have.length(1);
  return found[0];
}
