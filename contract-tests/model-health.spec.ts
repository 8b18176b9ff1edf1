import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { probeWithTimeout } from '../adapters/guards/health-probe.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { modelProbe } from '../adapters/outbound/models/health.ts';
import { UnavailableError } from '../ports/errors.ts';
import { startLocalServer, type Site } from './local-server.ts';

const KEY = 'sk-secret-of-this-test';

describe("the health of the operator's model", () => {
  let site: Site;
  let requested: IncomingMessage[];
  let status: number | 'silence';
  beforeEach(async () => {
    requested = [];
    status = 200;
    site = await startLocalServer((request, response) => {
      requested.push(request);
      if (status === 'silence') return;
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(`whisper ${KEY}`);
    });
  });
  afterEach(() => site.close());

  const at = (baseUrl: string, allowed = destinationOfUrl(baseUrl), timeMs = 2_000) => {
    const endpoint = { baseUrl, model: 'm', key: KEY, temperature: null, chosenBy: 'operator' };
    return modelProbe({ ...endpoint, chosenBy: 'operator' }, { allowed }, timeMs);
  };
  const failure = async (probe: { check(): Promise<unknown> }): Promise<string> => {
    const error = await probe.check().then(
      () => expect.fail('It is said to be well.'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(UnavailableError);
    const { message } = error as UnavailableError;
    for (const hidden of [KEY, 'whisper', site.origin, '127.0.0.1', String(site.port)])
      expect(message).not.to.include(hidden);
    return message;
  };

  it('is off without a model', async () => {
    const probe = modelProbe(null, { allowed: [] }, 2_000);
    expect(probe.name).to.equal('llm');
    expect(await probe.check()).to.deep.equal({ status: 'off', detail: 'Not connected.' });
  });

  it('is ok for any response to the list of models', async () => {
    for (status of [200, 204, 302, 400, 404, 405, 429])
      expect(await at(`${site.origin}/v1`).check(), String(status)).to.deep.equal({
        status: 'ok',
        detail: 'It answers.',
      });
    expect(new Set(requested.map(({ method, url }) => `${method} ${url}`))).to.deep.equal(
      new Set(['GET /v1/models']),
    );
    expect(requested[0]?.headers).to.include({ authorization: `Bearer ${KEY}` });
    for (const [base, path] of [
      ['', '/v1/models'],
      ['/api/v3/', '/api/v3/models'],
      ['/v1/chat/completions', '/v1/models'],
    ] as const) {
      await at(site.origin + base).check();
      expect(requested.at(-1)?.url).to.equal(path);
    }
  });

  it('is failed if it fails, rejects the key, or is unreachable', async () => {
    for (const [answer, reported] of [
      [500, /failed \(status 500\)/],
      [503, /failed \(status 503\)/],
      [401, /key \(status 401\)/],
      [403, /key \(status 403\)/],
    ] as const) {
      status = answer;
      expect(await failure(at(site.origin))).to.match(reported);
    }
    const gone = await startLocalServer(() => undefined);
    await gone.close();
    expect(await failure(at(gone.origin))).to.match(/cannot be reached/);
    expect(await failure(at(site.origin.replace('http:', 'https:')))).to.match(/certificate/);
  });

  it('is failed within its time limit if it does not respond', async () => {
    status = 'silence';
    expect(await failure(at(site.origin, destinationOfUrl(site.origin), 100))).to.match(
      /0.1 seconds/,
    );
    expect(await failure(probeWithTimeout(at(site.origin), 100))).to.match(/in time/);
  });

  it("is checked at the operator's address and at no other private one", async () => {
    expect(await failure(at(site.origin, []))).to.match(/does not connect to/);
    expect(await failure(at(site.origin, destinationOfUrl('http://127.0.0.1:1/')))).to.match(
      /does not connect to/,
    );
    expect(site.visits()).to.equal(0);
  });
});
