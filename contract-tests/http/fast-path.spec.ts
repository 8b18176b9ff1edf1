import { once } from 'node:events';
import {
  createServer as listen,
  request as ask,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { AccessEntry } from '../../adapters/http/server/access-log.ts';
import { route, type RouteRequest } from '../../adapters/http/route.ts';
import { object, text } from '../../adapters/http/schema.ts';
import { createServer } from '../../adapters/http/server/create-server.ts';
import type { Core } from '../../core/index.ts';
import { notFound } from '../../core/shared/common-errors.ts';
import { UnavailableError } from '../../ports/errors.ts';

interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Asked = RouteRequest<{ readonly name: string }, unknown, unknown>;

const OUTAGE = new UnavailableError('database', 'away');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// Runs in this process, because the faults cannot be injected from outside.
describe('a plain read', () => {
  let server: Server;
  let entries: AccessEntry[];
  let errors: unknown[];
  let identified: number;
  let counted: number;
  let authenticate: () => unknown;
  let run: (requested: Asked) => unknown;
  let access: () => void;
  let stopping: boolean;

  before(async () => {
    const identity = {
      authorize: () => undefined,
      authenticate: () => Promise.resolve(++identified).then(() => authenticate()),
      countRequest: () => {
        const left = 9 - ++counted;
        const remaining = Math.max(0, left);
        return Promise.resolve({ limit: 9, remaining, resetSeconds: 7, exceeded: left < 0 });
      },
    };
    const thing = route({
      method: 'get',
      path: '/things/:name',
      tag: 'Things',
      name: 'getThing',
      summary: 'A thing',
      access: 'owner',
      scope: 'read',
      params: object({ name: text() }),
      reply: { json: object({ name: text() }) },
      run: (_core, requested) => Promise.resolve(requested).then(run),
      present: (result) => result as { name: string },
    });
    server = listen(
      createServer({
        core: { identity } as unknown as Core,
        routes: [thing],
        staticFiles: {},
        publicUrl: '',
        trustProxy: 0,
        corsOrigins: ['https://app.example'],
        admission: { maxInFlight: 1_000, maxQueueWaitMs: 60_000 },
        runAtTickEnd: setImmediate,
        checkReplies: false,
        onAccess: (entry) => {
          entries.push(entry);
          access();
        },
        onError: (_id, error) => errors.push(error),
        stopping: () => stopping,
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    [entries, errors, identified, counted, stopping] = [[], [], 0, 0, false];
    authenticate = () => ({
      scope: { ownerId: 'ada' },
      token: { access: 'full' },
      limits: { requestsPerMinute: 9 },
    });
    run = ({ params }) => params;
    access = () => undefined;
  });

  const opened = (path: string) =>
    ask({
      port: (server.address() as AddressInfo).port,
      path,
      agent: false,
      headers: { authorization: 'Bearer x' },
    });
  const get = async (path: string): Promise<Told> => {
    const request = opened(path);
    request.end();
    const [response] = await once(request, 'response');
    const { statusCode: status, headers } = response;
    let body = '';
    for await (const chunk of response) body += String(chunk);
    return { status, headers, body };
  };
  /** Sends a request and disconnects during the operation, which continues only after the disconnect is known. */
  const hangUp = async (path: string, then: (requested: Asked) => unknown) => {
    const started = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    server.once('request', (_request, response) => response.once('close', gone.resolve));
    run = async (requested) => {
      started.resolve();
      await gone.promise;
      return then(requested);
    };
    const request = opened(path);
    request.on('error', () => undefined).end();
    await started.promise;
    request.destroy();
    await gone.promise;
    for (let n = 0; n < 100 && entries.length === 0; n++) await pause(5);
  };
  const fails = (error: Error) => () => {
    throw error;
  };
  const line = ({ method, route: path, status, ownerId }: AccessEntry) =>
    [method, path, status, ownerId] as const;

  it('that fails is counted once, and gets the usual response and log entry', async () => {
    for (const [error, status] of [
      [notFound(), 404],
      [OUTAGE, 503],
      [new Error('a defect'), 500],
    ] as const) {
      run = fails(error);
      [counted, identified, entries] = [0, 0, []];
      const { status: got, headers } = await get('/things/a');
      expect([got, counted, identified]).to.deep.equal([status, 1, 1]);
      expect(headers['ratelimit-remaining']).to.equal('8');
      expect(headers['retry-after']).to.equal(status === 503 ? '2' : undefined);
      // A shared cache must not reuse this response for a page of an allowed origin.
      expect(headers.vary).to.match(/\borigin\b/i);
      expect(entries.map(line)).to.deep.equal([['GET', '/things/:name', status, 'ada']]);
    }
    expect(errors.length).to.equal(2);
  });

  it('that is rate-limited gets the usual 429', async () => {
    counted = 9;
    const { status, headers } = await get('/things/a');
    expect([status, counted, headers['ratelimit-remaining']]).to.deep.equal([429, 10, '0']);
    expect(headers['retry-after']).to.equal('7');
    expect(headers.vary).to.match(/\borigin\b/i);
  });

  it('that fails is logged with its whole duration', async () => {
    run = async () => {
      await pause(60);
      throw notFound();
    };
    expect((await get('/things/a')).status).to.equal(404);
    expect(entries[0]?.ms).to.be.above(40);
  });

  it('waits for an outage once, before it is counted as well', async () => {
    authenticate = fails(OUTAGE);
    const { status, headers } = await get('/things/a');
    expect([status, identified, counted]).to.deep.equal([503, 1, 0]);
    expect(headers['retry-after']).to.equal('2');
    expect(errors).to.deep.equal([OUTAGE]);
    expect(entries.map(line)).to.deep.equal([['GET', '/things/:name', 503, undefined]]);
  });

  it('whose client disconnects is logged once, for every outcome', async () => {
    await hangUp('/things/a', ({ params }) => params);
    expect(entries.map(line)).to.deep.equal([['GET', '/things/:name', 200, 'ada']]);
    for (const error of [notFound(), OUTAGE]) {
      entries = [];
      await hangUp('/things/a', fails(error));
      expect(entries.map(line)).to.deep.equal([['GET', '/things/:name', 200, 'ada']]);
    }
    // A client error is not logged as an internal one.
    expect(errors).to.deep.equal([]);
  });

  it('gets its response although work after it fails', async () => {
    access = fails(new Error('the log is full'));
    // The response may be truncated; the process and all other requests continue.
    await get('/things/a').catch(() => undefined);
    access = () => undefined;
    expect(errors.length).to.equal(1);
    expect((await get('/things/a')).status).to.equal(200);
  });

  it('announces the end of the connection if the process is stopped meanwhile', async () => {
    for (const [end, status] of [
      [({ params }: Asked) => params, 200],
      [fails(notFound()), 404],
    ] as const) {
      stopping = false;
      run = (requested) => {
        stopping = true;
        return end(requested);
      };
      const { status: got, headers } = await get('/things/a');
      expect([got, headers.connection]).to.deep.equal([status, 'close']);
    }
  });

  it('ignores a fragment in the target, which no client should send', async () => {
    expect((await get('/things/a#b')).body).to.equal('{"name":"a"}');
    expect((await get('/things/a?x#b')).body).to.equal('{"name":"a"}');
  });
});
