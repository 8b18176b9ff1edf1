import type { Page } from 'playwright-core';

/** Everything that a page of the app can store, as text. Runs in the page. */
const STORED = `(async () => {
  const found = { title: document.title, address: location.href, state: JSON.stringify(history.state),
    page: document.documentElement.outerHTML, local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }), name: window.name };
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      found['cache ' + request.url] = await (await cache.match(request)).text();
  }
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const rows = await done(database.transaction(store).objectStore(store).getAll());
      const named = (key, value) => value instanceof File ? { file: value.name, size: value.size } : value;
      found['database ' + name + ' ' + store] = JSON.stringify(rows, named);
    }
    database.close();
  }
  const walk = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      found['file ' + path + name] = handle.kind === 'file' ? await (await handle.getFile()).text() : '';
      if (handle.kind === 'directory') await walk(handle, path + name + '/');
    }
  };
  await walk(await navigator.storage.getDirectory(), '');
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration) found.notices = (await registration.getNotifications()).map(({ title, body }) => title + body).join();
  return found;
})()`;

/** Where a text is left in a tab: its page, its stores and its history. */
export async function tracesIn(page: Page, text: string): Promise<readonly string[]> {
  const stored = await page.evaluate<Record<string, string>>(STORED);
  const places = Object.entries(stored).flatMap(([place, value]) =>
    `${place} ${value}`.includes(text) ? [place] : [],
  );
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  if (JSON.stringify(entries).includes(text)) places.push('history');
  await session.detach();
  return places;
}
