import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { probeWithTimeout } from '../adapters/guards/health-probe.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { messengerProbe } from '../adapters/outbound/messengers/health.ts';
import type { BotState } from '../ports/bots.ts';
import { UnavailableError } from '../ports/errors.ts';
import { startLocalServer, type Site } from './local-server.ts';

describe('the health of the bot platform', () => {
  let site: Site;
  let asked: IncomingMessage[];
  let status: number | 'silence';
  beforeEach(async () => {
    asked = [];
    status = 200;
    site = await startLocalServer((request, response) => {
      asked.push(request);
      if (status === 'silence') return;
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('whisper');
    });
  });
  afterEach(() => site.close());

  const at = (
    baseUrl: string,
    {
      allowed = destinationOfUrl(baseUrl),
      timeMs = 2_000,
      wanted: requested = true,
      troubles = [] as readonly BotState[],
    } = {},
  ) =>
    messengerProbe(
      baseUrl,
      { allowed },
      timeMs,
      () => Promise.resolve(requested),
      () => Promise.resolve(troubles),
    );
  const failure = async (probe: { check(): Promise<unknown> }): Promise<string> => {
    const error = await probe.check().then(
      () => expect.fail('It is said to be well.'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(UnavailableError);
    const { message } = error as UnavailableError;
    for (const hidden of ['whisper', site.origin, '127.0.0.1', String(site.port)])
      expect(message).not.to.include(hidden);
    return message;
  };

  it('is off without bots, and no request is sent', async () => {
    const probe = at(site.origin, { wanted: false });
    expect(probe.name).to.equal('messenger');
    expect(await probe.check()).to.deep.equal({ status: 'off', detail: 'No bot is connected.' });
    expect(site.visits()).to.equal(0);
  });

  it('is ok for any response to the base URL except a server error', async () => {
    for (status of [200, 204, 302, 400, 401, 404, 405, 429, 501])
      expect(await at(site.origin).check(), String(status)).to.deep.equal({
        status: 'ok',
        detail: 'It answers.',
      });
    await at(`${site.origin}/telegram`).check();
    expect(asked.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      ...Array.from({ length: 9 }, () => 'GET /'),
      'GET /telegram/',
    ]);
  });

  it('names the problems of bots, and no bot', async () => {
    const silent = 'At least one bot receives no updates.';
    const polled = 'At least one bot is polled because its webhook failed.';
    for (const [troubles, detail] of [
      [['conflict'], `It answers. ${silent}`],
      [['refused'], `It answers. ${silent}`],
      [['polling'], `It answers. ${polled}`],
      [['polling', 'unavailable'], `It answers. ${silent} ${polled}`],
    ] as const)
      expect(await at(site.origin, { troubles }).check()).to.deep.equal({ status: 'ok', detail });
  });

  it('is failed if it fails, is unreachable, or does not respond', async () => {
    for (status of [500, 502, 503])
      expect(await failure(at(site.origin))).to.include(`(status ${status})`);
    status = 'silence';
    expect(await failure(at(site.origin, { timeMs: 100 }))).to.match(/0.1 seconds/);
    expect(await failure(probeWithTimeout(at(site.origin), 100))).to.match(/in time/);
    const gone = await startLocalServer(() => undefined);
    await gone.close();
    expect(await failure(at(gone.origin))).to.match(/cannot be reached/);
    expect(await failure(at(site.origin.replace('http:', 'https:')))).to.match(/certificate/);
  });

  it("is checked at the operator's address and at no other private one", async () => {
    expect(await failure(at(site.origin, { allowed: [] }))).to.match(/does not connect to/);
    expect(site.visits()).to.equal(0);
  });

  it('is failed if the number of bots is unknown', async () => {
    const away = new UnavailableError('database', 'The database is away.');
    const probe = messengerProbe(
      site.origin,
      { allowed: [] },
      100,
      () => Promise.reject(away),
      () => Promise.resolve([]),
    );
    expect(await failure(probe)).to.equal('The database is away.');
  });
});
