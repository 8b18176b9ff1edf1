/// <reference lib="webworker" />
import { storeShared } from './shared-store.ts';

declare const self: ServiceWorkerGlobalScope;
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const CACHE = `shell-${SHELL_VERSION}`;
const root = new URL(self.registration.scope).pathname.replace(/\/$/, '');
const shellAddress = `${root}/`;
const shellPaths: ReadonlySet<string> = new Set(SHELL_FILES.map((path) => root + path));

/** Caches the shell and its files. Data of the owner is never cached. */
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([shellAddress, ...shellPaths])));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

async function removeOldCaches(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('shell-') && name !== CACHE) await caches.delete(name);
}

/** The page has shown that there is a new version, and the owner wants it now. */
self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || !pathname.startsWith(`${root}/`)) return;
  if (request.method === 'POST' && pathname === `${root}/add`) event.respondWith(share(request));
  else if (request.method !== 'GET') return;
  else if (shellPaths.has(pathname)) event.respondWith(cachedFirst(request));
  // Frames have pages of their own.
  else if (request.mode === 'navigate' && request.destination === 'document')
    event.respondWith(shell(request));
});

/** Names of these files contain a digest of their content. */
const cachedFirst = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? fetch(request);

/**
 * The shell of this worker's version, without asking the network: the browser looks for a newer worker on each
 * navigation by itself, and the page offers it.
 */
const shell = async (request: Request): Promise<Response> =>
  (await (await caches.open(CACHE)).match(shellAddress)) ?? fetch(request);

/** Another app shares files or text: they are stored for the page, which is opened then. */
async function share(request: Request): Promise<Response> {
  const form = await request.formData();
  const texts = ['title', 'text', 'url']
    .flatMap((name) => form.getAll(name))
    .filter((each): each is string => typeof each === 'string' && each !== '');
  const files = form.getAll('file').filter((each) => typeof each !== 'string');
  try {
    await storeShared({ files, text: [...new Set(texts)].join('\n') });
    return Response.redirect(`${root}/add`, 303);
  } catch {
    // The browser has no room, for example. The page says so.
    return Response.redirect(`${root}/add?failed`, 303);
  }
}
