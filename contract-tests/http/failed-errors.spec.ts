import { once } from 'node:events';
import { createServer as listen, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { route } from '../../adapters/http/route.ts';
import { object, text } from '../../adapters/http/schema.ts';
import { createServer } from '../../adapters/http/server/create-server.ts';
import type { AccessEntry } from '../../adapters/http/server/access-log.ts';
import type { Core } from '../../core/index.ts';
import { notFound } from '../../core/shared/common-errors.ts';

// In this process, because no caller can cause these defects from outside: they occur while an error is sent.
describe('an error that can not be sent', () => {
  let server: Server;
  let base: string;
  let errors: unknown[];
  let onAccess: (entry: AccessEntry) => void;

  const plain = { tag: 'Things', summary: 'A thing', reply: { json: object({ name: text() }) } };
  const fail = () => {
    throw notFound();
  };
  const routes = [
    route({
      ...plain,
      method: 'get',
      path: '/page/:name',
      name: 'page',
      access: 'visitor',
      params: object({ name: text() }),
      errorPage: () => {
        throw new Error('The page of the error has a defect.');
      },
      run: () => Promise.resolve().then(fail),
      present: () => ({ name: '' }),
    }),
    route({
      ...plain,
      method: 'post',
      path: '/details',
      name: 'details',
      access: 'owner',
      scope: 'read',
      body: { json: object({ name: text() }) },
      errorBodyFields: { amount: 1n },
      run: () => Promise.resolve().then(fail),
      present: () => ({ name: '' }),
    }),
    route({
      ...plain,
      method: 'get',
      path: '/plain',
      name: 'plain',
      access: 'owner',
      scope: 'read',
      run: () => Promise.resolve('plain'),
      present: (name) => ({ name }),
    }),
  ];

  before(async () => {
    const identity = {
      authenticate: () =>
        Promise.resolve({
          scope: { ownerId: 'ada' },
          token: { access: 'full' },
          limits: { requestsPerMinute: 9 },
        }),
      authorize: () => undefined,
      countRequest: () =>
        Promise.resolve({ limit: 9, remaining: 9, resetSeconds: 7, exceeded: false }),
    };
    const objects = { discardFiles: () => Promise.resolve() };
    server = listen(
      createServer({
        core: { identity, objects } as unknown as Core,
        routes,
        staticFiles: {},
        publicUrl: '',
        trustProxy: 0,
        corsOrigins: [],
        admission: { maxInFlight: 1_000, maxQueueWaitMs: 60_000 },
        runAtTickEnd: setImmediate,
        checkReplies: false,
        onAccess: (entry) => onAccess(entry),
        onError: (_id, error) => errors.push(error),
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
    errors = [];
    onAccess = () => undefined;
  });

  const expectInternal = async (response: Response) => {
    expect(response.status).to.equal(500);
    expect(await response.json())
      .to.have.all.keys('detail', 'code')
      .and.include({
        code: 'internal',
      });
    expect(response.headers.get('x-request-id')).to.match(/^[\w.-]+$/);
    expect(response.headers.get('content-security-policy')).to.match(/^default-src 'none'/);
    expect(response.headers.get('cache-control')).to.equal('private, no-store');
  };

  it('because its page has a defect is a plain 500, logged', async () => {
    await expectInternal(await fetch(`${base}/page/x`, { headers: { accept: 'text/html' } }));
    expect(errors.map(String)).to.deep.equal(['Error: The page of the error has a defect.']);
  });

  it('has one line in the access log, with the status that was sent', async () => {
    const lines: unknown[] = [];
    onAccess = ({ method, route: path, status }) => lines.push([method, path, status]);
    await fetch(`${base}/page/x`, { headers: { accept: 'text/html' } });
    expect(lines).to.deep.equal([['GET', '/page/:name', 500]]);
  });

  it('because it can not be written as JSON is a plain 500, logged', async () => {
    await expectInternal(await fetch(`${base}/details`, { method: 'POST', body: '{}' }));
    expect(errors).to.have.length(1);
  });

  it('because the answer has been sent closes the connection, and the next request is answered', async () => {
    onAccess = () => {
      throw new Error('The log has a defect.');
    };
    await fetch(`${base}/plain`, { headers: { authorization: 'Bearer x' } }).then(
      (response) => response.text(),
      () => undefined,
    );
    expect(errors.map(String)).to.deep.equal(['Error: The log has a defect.']);
    onAccess = () => undefined;
    const next = await fetch(`${base}/plain`, { headers: { authorization: 'Bearer x' } });
    expect(await next.json()).to.deep.equal({ name: 'plain' });
  });
});
