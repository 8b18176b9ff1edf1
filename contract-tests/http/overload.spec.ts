import { expect } from 'chai';
import { once } from 'node:events';
import { createServer as listen, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccessEntry } from '../../adapters/http/server/access-log.ts';
import { route, type RouteRequest } from '../../adapters/http/route.ts';
import { object, text } from '../../adapters/http/schema.ts';
import { createServer } from '../../adapters/http/server/create-server.ts';
import type { Core } from '../../core/index.ts';
import { notFound } from '../../core/shared/common-errors.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';
import { openRawConnection, type RawResponse } from './raw-connection.ts';

const MOST = 3;
const ORIGIN = 'https://app.example';
type Asked = RouteRequest<{ readonly name: string }, unknown, unknown>;

const expectShed = ({
  status,
  headers,
  text: body,
}: Pick<Answer, 'status' | 'text'> & {
  readonly headers: { get(name: string): string | null };
}): void => {
  expect(status).to.equal(503);
  expect(JSON.parse(body).code).to.equal('unavailable');
  expect(JSON.parse(body).detail).to.be.a('string');
  expect(Number(headers.get('retry-after'))).to.be.within(1, 3);
  expect(headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  expect(headers.get('content-type')).to.match(/^application\/json/);
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
};

// Runs in this process, so that the test decides when each operation ends.
describe('a server at its limit of requests in flight', () => {
  let server: Server;
  let base: string;
  let entries: AccessEntry[];
  let ran: string[];
  let held: PromiseWithResolvers<void>[];
  let authenticated: Promise<unknown> | undefined;

  before(async () => {
    const caller = {
      scope: { ownerId: 'ada' },
      token: { access: 'full' },
      limits: { requestsPerMinute: 9 },
    };
    const identity = {
      authenticate: async () => {
        await authenticated;
        return caller;
      },
      authorize: () => undefined,
      requireCredential: () => Promise.resolve(),
      countRequest: () => Promise.resolve(undefined),
    };
    const shape = object({ name: text() });
    const described = {
      tag: 'Things',
      summary: 'A thing',
      access: 'owner',
      scope: 'read',
    } as const;
    const run = async ({ params: { name } }: Asked) => {
      ran.push(name);
      if (name === 'missing') throw notFound();
      if (name === 'broken') throw new Error('a defect');
      if (name !== 'held') return { name };
      const wait = Promise.withResolvers<void>();
      held.push(wait);
      await wait.promise;
      return { name };
    };
    const present = (result: { name: string }) => result;
    const routes = [
      route({
        ...{ ...described, method: 'get', path: '/things/:name', name: 'getThing', present },
        ...{
          params: shape,
          reply: { json: shape },
          run: (_core, requested: Asked) => run(requested),
        },
      }),
      route({
        ...{ ...described, method: 'post', path: '/things/:name', name: 'postThing', present },
        ...{ params: shape, body: { json: object({}) }, reply: { json: shape } },
        run: (_core, requested: Asked) => run(requested),
      }),
      route({
        ...{ ...described, method: 'post', path: '/lasting/:name', name: 'lasting', present },
        ...{ params: shape, reply: { json: shape }, longRunning: true },
        run: (_core, requested: Asked) => run(requested),
      }),
      route({
        ...{ method: 'get', path: '/alive', tag: 'Things', name: 'alive', summary: 'Alive' },
        ...{ access: 'public', probe: true, reply: { json: shape } },
        ...{ run: () => Promise.resolve({ name: 'alive' }), present },
      }),
    ];
    server = listen(
      createServer({
        core: { identity, objects: { discardFiles: () => Promise.resolve() } } as unknown as Core,
        routes,
        staticFiles: { '/style': { type: 'css', text: () => 'p{}', policy: '', immutable: true } },
        publicUrl: '',
        trustProxy: 0,
        corsOrigins: [ORIGIN],
        admission: { maxInFlight: MOST, maxQueueWaitMs: 60_000 },
        runAtTickEnd: setImmediate,
        checkReplies: false,
        onAccess: (entry) => entries.push(entry),
        onError: () => undefined,
        stopping: () => false,
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    [entries, ran, held, authenticated] = [[], [], [], undefined];
  });

  const send = async (method: string, path: string, more: RequestInit = {}) => {
    const response = await fetch(base + path, {
      ...{ method, ...more },
      headers: { authorization: 'Bearer x', ...(more.headers as Record<string, string>) },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
  const until = (true_: () => boolean) => eventually(() => Promise.resolve(true_()), Boolean);
  /**
   * Fills the capacity, so that later requests are shed. Returns a function that releases the requests and awaits them.
   */
  const fill = async (path = '/things/held', method = 'GET', more: RequestInit = {}) => {
    const before = held.length;
    const all = Array.from({ length: MOST }, () => send(method, path, more));
    await until(() => held.length === before + MOST);
    return async () => {
      for (const each of held.splice(0)) each.resolve();
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses).to.deep.equal(all.map(() => 200));
    };
  };
  /** The capacity is the same as at the beginning. */
  const expectRoom = async () => {
    const release = await fill();
    expectShed(await send('GET', '/things/a'));
    await release();
    expect((await send('GET', '/things/a')).status).to.equal(200);
  };

  it('sheds all other requests with a reason and Retry-After, and does not run them', async () => {
    for (const [path, method, more] of [
      ['/things/held', 'GET', {}],
      ['/things/held', 'POST', json],
      ['/things/held?long=way', 'GET', { headers: { origin: ORIGIN } }],
    ] as const) {
      const release = await fill(path, method, more);
      [ran, entries] = [[], []];
      expectShed(await send('GET', '/things/a'));
      expectShed(await send('POST', '/things/a', json));
      expectShed(await send('GET', '/nowhere'));
      expect((await send('HEAD', '/things/a')).status).to.equal(503);
      expect(ran).to.deep.equal([]);
      expect(entries.map(({ status, route: reported }) => [status, reported])).to.deep.equal(
        Array.from({ length: 4 }, () => [503, 'none']),
      );
      await release();
      expect((await send('GET', '/things/a')).status).to.equal(200);
    }
  });

  it('answers health checks, and sends CORS headers with rejections', async () => {
    const release = await fill();
    expect((await send('GET', '/alive?x')).status).to.equal(200);
    const page = { headers: { origin: ORIGIN } };
    const refused = await send('GET', '/things/a', page);
    expectShed(refused);
    expect(refused.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
    expect((await send('GET', '/things/a')).headers.get('vary')).to.match(/\borigin\b/i);
    const asking = { ...page.headers, 'access-control-request-method': 'GET' };
    expect((await send('OPTIONS', '/things/a', { headers: asking })).status).to.equal(204);
    await release();
    await expectRoom();
  });

  it('rejects a request before its body has arrived', async () => {
    const release = await fill();
    const wire = await openRawConnection(base);
    wire.send('POST /things/a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nbegun');
    expectShed(seen(await wire.answer()));
    await release();
    await expectRoom();
  });

  it('releases capacity for every outcome of a request', async () => {
    const tag = (await send('GET', '/things/a')).headers.get('etag') ?? '';
    const text_ = { body: 'no json', headers: { 'content-type': 'text/plain' } };
    for (const [method, path, status, more = {}] of [
      ['HEAD', '/things/a', 200],
      ['GET', '/things/a', 304, { headers: { 'if-none-match': tag } }],
      ['GET', '/things/missing', 404],
      ['GET', '/things/broken', 500],
      ['POST', '/things/a', 200, json],
      ['POST', '/things/a', 422, text_],
      ['POST', '/things/missing', 404, json],
      ['POST', '/things/broken', 500, json],
      ['POST', '/nowhere', 404, json],
      ['PUT', '/things/a', 405],
      ['OPTIONS', '/things/a', 405],
      ['GET', '/style', 200],
      ['POST', '/lasting/a', 200],
      ['POST', '/lasting/broken', 500],
    ] as const)
      for (let n = 0; n <= MOST; n++)
        expect((await send(method, path, more)).status, `${method} ${path}`).to.equal(status);
    await expectRoom();
  });

  it('releases the capacity of disconnected clients once their work is done', async () => {
    for (const head of [
      'GET /things/held HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n',
      'POST /things/held HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    ]) {
      const wires = await Promise.all(Array.from({ length: MOST }, () => openRawConnection(base)));
      for (const wire of wires) wire.send(head);
      await until(() => held.length === MOST);
      for (const wire of wires) wire.cut();
      // The work continues, so it counts.
      expectShed(await send('GET', '/things/a'));
      for (const each of held.splice(0)) each.resolve();
      await eventually(
        () => send('GET', '/things/a'),
        ({ status }) => status === 200,
      );
      await expectRoom();
    }
  });

  it('does not count requests that wait for their client, or long operations', async () => {
    const wires = await Promise.all(
      Array.from({ length: 2 * MOST }, () => openRawConnection(base)),
    );
    for (const wire of wires)
      wire.send(
        'POST /things/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{',
      );
    const lasting = Array.from({ length: 2 * MOST }, (_, n) => n).map(async (n) => {
      await until(() => held.length >= n);
      return send('POST', '/lasting/held');
    });
    await until(() => held.length === 2 * MOST);
    const started = held.splice(0);
    await expectRoom();
    for (const each of started) each.resolve();
    for (const { status } of await Promise.all(lasting)) expect(status).to.equal(200);
    for (const wire of wires) {
      wire.send('}');
      expect((await wire.answer()).status).to.equal(200);
    }
    await expectRoom();
  });

  it('releases the capacity of bodies that never end', async () => {
    const wires = await Promise.all(
      Array.from({ length: 2 * MOST }, () => openRawConnection(base)),
    );
    for (const wire of wires)
      wire.send(
        'POST /things/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: 9\r\n\r\n{',
      );
    await expectRoom();
    for (const wire of wires) wire.cut();
    await until(() => entries.filter(({ method }) => method === 'POST').length === wires.length);
    await expectRoom();
    expect(ran).not.to.include('a-body');
  });

  it('does not run a request whose client has disconnected while it was queued', async () => {
    const turn = Promise.withResolvers<void>();
    authenticated = turn.promise;
    const closed: Promise<unknown>[] = [];
    const watch = (_request: unknown, response: NodeJS.EventEmitter) =>
      closed.push(once(response, 'close'));
    server.on('request', watch);
    const gone = [
      ...[
        { method: 'GET', path: '/things/a' },
        { method: 'POST', path: '/lasting/a' },
      ].map((options) => {
        const { port } = server.address() as AddressInfo;
        const headers = { authorization: 'Bearer x' };
        return ask({ ...options, port, headers, agent: false }).on('error', () => undefined);
      }),
    ];
    for (const request of gone) request.end();
    await until(() => closed.length === gone.length);
    server.off('request', watch);
    for (const request of gone) request.destroy();
    await Promise.all(closed);
    turn.resolve();
    await until(() => entries.length === gone.length);
    expect(entries.find(({ method }) => method === 'GET')?.status).to.equal(499);
    expect(ran).to.deep.equal([]);
    await expectRoom();
  });
});

const seen = ({ status, headers, body }: RawResponse) => ({
  status,
  headers: { get: (name: string) => headers[name] ?? null },
  text: body,
});

const CROWD = 150;
const PATHS = ['/v1/objects', '/v1/search?q=many', '/v1/notifications', '/v1/me'];

for (const profile of profiles)
  describe(`${profile}: many clients of a service with a low limit`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, {
        MAX_IN_FLIGHT_REQUESTS: '2',
        MAX_QUEUE_WAIT_MS: '10',
      });
    });
    after(() => service.dispose());

    it('get a result or a 503, and leave no connection', async () => {
      const statuses = new Map<number, number>();
      const stored = new Set<string>();
      for (let round = 0; round < 20 && (statuses.get(503) ?? 0) === 0; round++) {
        const crowd = Array.from({ length: CROWD }, async (_, n) => {
          if (n % 10 === 0) expect((await service.call('GET', '/health')).status).to.equal(200);
          const content = `One of many: ${round} ${n}`;
          const answer =
            n % 3 === 0
              ? await service.call('POST', '/v1/objects/notes', { body: { content } })
              : await service.call('GET', PATHS[n % PATHS.length] ?? '');
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (answer.status === 503) expectShed(answer);
          else if (n % 3 === 0) stored.add(answer.json.id);
        });
        await Promise.all(crowd);
      }
      expect([...statuses.keys()].sort()).to.deep.equal([200, 503]);
      for (const path of PATHS) expect((await service.call('GET', path)).status).to.equal(200);
      const { json } = await service.call('GET', '/v1/objects?limit=1');
      // Rejected requests had no effect.
      expect(json.total).to.equal(stored.size);
    });
  });
