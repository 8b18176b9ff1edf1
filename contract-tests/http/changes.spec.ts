import { expect } from 'chai';
import { CHANGE_KINDS } from '../../ports/changes.ts';
import { hasRedisServer, startRedis } from '../redis-server.ts';
import { boundToken } from './bound-token.ts';
import { profiles, startService, type Call, type Service } from './harness.ts';
import { signInBrowser } from './signed-in.ts';
import { followStream, type Stream } from './sse-client.ts';

const PATH = '/v1/changes';
const PIN = '4821';

/** Waits until the condition holds: a stream has no end to wait for. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It did not happen.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const kindsIn = ({ events }: Stream): ReadonlySet<string> =>
  new Set(events.flatMap(({ data }) => (data.kinds ?? []) as string[]));

for (const profile of profiles)
  describe(`${profile}: the stream of changes`, function () {
    this.timeout(240_000);
    let service: Service;
    const streams: Stream[] = [];
    before(async () => {
      service = await startService(profile);
    });
    afterEach(() => {
      for (const stream of streams.splice(0)) stream.leave();
    });
    after(() => service.dispose());

    async function follow(
      token: string,
      headers: Readonly<Record<string, string>> = {},
      from: Service = service,
    ): Promise<Stream> {
      const stream = await followStream(from, PATH, { ...bearer(token), ...headers });
      streams.push(stream);
      if (stream.status === 200) await until(() => stream.events.length > 0);
      return stream;
    }
    const ok = async (token: string, method: string, path: string, call: Call = {}) => {
      const answer = await service.call(method, path, { token, ...call });
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };
    const addTheme = (token: string, name: string) =>
      ok(token, 'POST', '/v1/themes', { body: { name } });

    it('sends `changed` with kinds and a cursor, and no contents', async () => {
      const { token } = await service.newOwner();
      const stream = await follow(token);
      expect(stream.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
      expect(stream.headers.get('cache-control')).to.equal('private, no-store, no-transform');
      expect(stream.events[0]?.data.kinds).to.deep.equal([]);
      await addTheme(token, 'Secret plans');
      await until(() => kindsIn(stream).has('themes'));
      await ok(token, 'POST', '/v1/objects/notes', { body: { content: 'A treasure.' } });
      await until(() => kindsIn(stream).has('objects'));
      for (const { event, data, id } of stream.events) {
        expect([event, id]).to.deep.equal(['changed', data.cursor]);
        expect(data).to.have.all.keys('kinds', 'cursor');
        expect(CHANGE_KINDS).to.include.members(data.kinds);
      }
      expect(stream.text()).not.to.match(/Secret|treasure/);
    });

    it('resumes: empty kinds if nothing has changed, else all of them', async () => {
      const { token } = await service.newOwner();
      const first = await follow(token);
      const id = String(first.events[0]?.id);
      first.leave();
      const same = await follow(token, { 'last-event-id': id });
      expect(same.events[0]).to.deep.equal(first.events[0]);
      await addTheme(token, 'Work');
      for (const old of [id, 'never-sent', '']) {
        const [event] = (await follow(token, { 'last-event-id': old })).events;
        expect(event?.data.kinds, old).to.deep.equal(CHANGE_KINDS);
        expect(event?.id).not.to.equal(id);
      }
    });

    it('sends nothing of other owners', async () => {
      const [one, other] = [await service.newOwner(), await service.newOwner()];
      const [mine, theirs] = [await follow(one.token), await follow(other.token)];
      await addTheme(other.token, 'Theirs');
      await until(() => kindsIn(theirs).has('themes'));
      const id = String(mine.events[0]?.id);
      const again = await follow(one.token, { 'last-event-id': id });
      expect([mine.events.length, again.events[0]?.data.kinds]).to.deep.equal([1, []]);
    });

    it('is byte for byte the same for owners that differ in hidden activity only, while the zone is locked', async () => {
      const worlds = [];
      for (const hasHidden of [false, true]) {
        const { token } = await service.newOwner();
        const { token: unlock } = await ok(token, 'POST', '/v1/hidden-pin', {
          body: { pin: PIN },
        });
        const headers = { 'x-hidden-token': String(unlock) };
        const [locked, open] = [await follow(token), await follow(token, headers)];
        const hidden = async (content: string) => {
          if (!hasHidden) return;
          const note = { body: { content, is_hidden: true }, headers };
          const { id } = await ok(token, 'POST', '/v1/objects/notes', note);
          await service.settled(String(id), { token, headers });
          await ok(token, 'PATCH', `/v1/objects/${id}`, { body: { filename: 'x.md' }, headers });
          const hides = { body: { name: content, is_hidden: true }, headers };
          const theme = await ok(token, 'POST', '/v1/themes', hides);
          await ok(token, 'DELETE', `/v1/themes/${theme.id}`, { headers });
          await ok(token, 'DELETE', `/v1/objects/${id}?permanent=true`, { headers });
          await ok(token, 'POST', '/v1/notifications/read', { body: {}, headers });
        };
        await hidden('before');
        for (const [n, name] of ['One', 'Two', 'Three'].entries()) {
          await addTheme(token, name);
          await until(() => locked.events.length === n + 2);
          await hidden(`after ${name}`);
        }
        if (hasHidden) await until(() => kindsIn(open).has('objects'));
        const id = String(locked.events.at(-1)?.id);
        const resumed = await follow(token, { 'last-event-id': id });
        // A cursor is a random name and a count.
        const text = [locked, resumed].map((stream) =>
          stream.text().replaceAll(/[\w-]+?([v.])(?=\d+("|\n))/g, '$1'),
        );
        worlds.push(text.map((each) => each.replaceAll(':\n\n', '')));
      }
      expect(worlds[1]).to.deep.equal(worlds[0]);
      expect(worlds[0]?.[1]).to.match(/^event: changed\nid: [v.]\d+\ndata: \{"kinds":\[\],/);
    });

    it('ends with `unauthorized` once the token is revoked or the session is signed out', async () => {
      const { id: owner, token } = await service.newOwner();
      const other = await ok(token, 'POST', '/v1/tokens', { body: { name: 'other' } });
      const browser = await signInBrowser(service, owner);
      const mine = await follow(token);
      const byToken = await follow(String(other.token));
      const bySession = await followStream(service, PATH, { cookie: browser.cookie });
      await until(() => bySession.events.length > 0);
      await ok(token, 'DELETE', `/v1/tokens/${other.id}`);
      expect((await browser.call('POST', '/v1/sign-out')).status).to.equal(200);
      await Promise.all([byToken.ended, bySession.ended]);
      for (const { events } of [byToken, bySession])
        expect(events.at(-1)).to.deep.include({ event: 'error' });
      expect(byToken.events.at(-1)?.data.code).to.equal('unauthorized');
      expect(bySession.events.at(-1)?.data.code).to.equal('unauthorized');
      await until(() => kindsIn(mine).has('access'));
    });

    it('ends when the zone that the caller had unlocked is locked', async () => {
      const { token } = await service.newOwner();
      const { token: unlock } = await ok(token, 'POST', '/v1/hidden-pin', {
        body: { pin: PIN },
      });
      const open = await follow(token, { 'x-hidden-token': String(unlock) });
      await ok(token, 'POST', '/v1/hidden-pin/lock');
      await open.ended;
      expect(open.events).to.have.length(1);
    });

    it('has a limit for each owner: 429 above it', async () => {
      const { token } = await service.newOwner();
      const all = await Promise.all(Array.from({ length: 20 }, () => follow(token)));
      expect(all.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
      const above = await service.call('GET', PATH, { token });
      expect([above.status, above.json.code]).to.deep.equal([429, 'too_many_streams']);
      expect(above.headers.get('retry-after')).to.equal('30');
      expect((await follow((await service.newOwner()).token)).status).to.equal(200);
    });

    it('is rejected without a token, without the scope `read` and for a token bound to folders', async () => {
      const { token } = await service.newOwner();
      const asking = await ok(token, 'POST', '/v1/tokens', {
        body: { name: 'a', scopes: ['ask'] },
      });
      const folder = await ok(token, 'POST', '/v1/collections', { body: { name: 'Folder' } });
      const bound = await boundToken(service, token, [String(folder.id)]);
      const statuses = [];
      for (const each of [null, String(asking.token), bound])
        statuses.push((await service.call('GET', PATH, { token: each })).status);
      expect(statuses).to.deep.equal([401, 403, 403]);
    });

    it('responds to HEAD with the headers of a stream', async () => {
      const { status, headers } = await service.call('HEAD', PATH);
      expect([status, headers.get('content-type')]).to.deep.equal([
        200,
        'text/event-stream; charset=utf-8',
      ]);
    });

    it('does not delay the end of the process', async () => {
      const other = await startService(profile);
      try {
        const stream = await followStream(other, PATH, bearer(other.token));
        await until(() => stream.events.length > 0);
        expect(await other.stop()).to.equal(0);
        await stream.ended;
        expect(stream.events.at(-1)?.data.code).to.equal('unavailable');
      } finally {
        await other.dispose();
      }
    });

    if (profile === 'team') {
      it('sends changes made by another process, and resumes there', async () => {
        const other = await service.beside();
        const { token } = await service.newOwner();
        const [here, there] = [await follow(token), await follow(token, {}, other)];
        expect(there.events).to.deep.equal(here.events);
        await addTheme(token, 'Work');
        await until(() => kindsIn(here).has('themes') && kindsIn(there).has('themes'));
        expect(there.events.at(-1)).to.deep.equal(here.events.at(-1));
        const id = String(here.events.at(-1)?.id);
        const [resumed] = (await follow(token, { 'last-event-id': id }, other)).events;
        expect(resumed?.data).to.deep.equal({ kinds: [], cursor: id });
        await ok(token, 'POST', '/v1/themes', { body: { name: 'Home' } });
        const [changed] = (await follow(token, { 'last-event-id': id }, other)).events;
        expect(changed?.data.kinds).to.deep.equal(CHANGE_KINDS);
        await other.stop();
      });

      if (hasRedisServer)
        it('ends with `unavailable` without Redis, is then rejected, and resumes afterwards', async () => {
          const redis = await startRedis();
          const own = await startService(profile, { REDIS_URL: redis.url });
          try {
            const stream = await followStream(own, PATH, bearer(own.token));
            await until(() => stream.events.length > 0);
            await redis.kill();
            await stream.ended;
            expect(stream.events.at(-1)?.data.code).to.equal('unavailable');
            const theme = { body: { name: 'Work' } };
            expect((await own.call('POST', '/v1/themes', theme)).status).to.equal(200);
            expect((await own.call('GET', PATH)).status).to.equal(503);
            await redis.start();
            const id = { ...bearer(own.token), 'last-event-id': String(stream.events[0]?.id) };
            let again: Stream;
            do again = await followStream(own, PATH, id);
            while (again.status === 503);
            await until(() => again.events.length > 0);
            expect(again.events[0]?.data.kinds).to.deep.equal(CHANGE_KINDS);
            again.leave();
          } finally {
            await own.dispose();
            await redis.kill();
          }
        });
    }
  });
