import { createHash } from 'node:crypto';
import type { Service } from '../contract-tests/http/harness.ts';
import { get, type Json } from './roundtrip-client.ts';

const LISTS = ['', '&include_hidden=1', '&trashed=1&include_hidden=1'];

/** All objects of a workspace, listed by cursor. */
export async function* everyObject(service: Service, filter = ''): AsyncIterable<Json> {
  let cursor = '';
  for (;;) {
    const page = await get(service, `/v1/objects?limit=100${filter}${cursor}`);
    yield* page.items;
    if (page.next_cursor === null) return;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Sends the same requests to both workspaces, and returns the differing responses, up to a maximum. */
export async function findDifferences(
  one: Service,
  other: Service,
  searches: readonly string[],
): Promise<{ readonly compared: number; readonly different: readonly string[] }> {
  const different: string[] = [];
  let compared = 0;
  const compare = async (path: string, ask: (service: Service) => Promise<string>) => {
    const [left, right] = await Promise.all([ask(one), ask(other)]);
    compared++;
    if (left !== right && different.length < 1_000)
      different.push(`${path}\n    ${left.slice(0, 300)}\n    ${right.slice(0, 300)}`);
  };
  const json = (path: string) =>
    compare(path, async (service) => JSON.stringify((await service.call('GET', path)).json));
  const bytes = (path: string) =>
    compare(path, async (service) => {
      const headers = { authorization: `Bearer ${service.token}` };
      const response = await fetch(service.base + path, { headers });
      const hash = createHash('sha256');
      for await (const chunk of response.body ?? []) hash.update(chunk as Uint8Array);
      const about = ['content-type', 'content-length', 'content-disposition', 'etag'];
      return [
        response.status,
        hash.digest('hex'),
        ...about.map((it) => response.headers.get(it)),
      ].join();
    });
  const ids = new Set<string>();
  for (const filter of LISTS) {
    await json(`/v1/objects?limit=100${filter}`);
    for await (const { id } of everyObject(one, filter)) ids.add(id);
  }
  for (const id of ids) {
    const path = `/v1/objects/${id}`;
    await json(path);
    await json(`${path}/text`);
    const { items } = await get(one, `${path}/versions?limit=100`);
    await json(`${path}/versions?limit=100`);
    for (const { version } of items) await bytes(`${path}/content?version=${version}`);
  }
  await json('/v1/themes?limit=100&include_hidden=1');
  await json('/v1/collections?limit=100');
  const { items: chats } = await get(one, '/v1/chats?limit=100');
  await json('/v1/chats?limit=100');
  for (const { id } of chats) await json(`/v1/chats/${id}`);
  await json('/v1/recent-queries?limit=100&days=90');
  for (const q of searches) await json(`/v1/search?limit=50&q=${encodeURIComponent(q)}`);
  return { compared, different };
}
