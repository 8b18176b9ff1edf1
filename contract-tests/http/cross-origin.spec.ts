import { expect } from 'chai';
import { profiles, startService, type Answer, type Service } from './harness.ts';

const OWN = 'https://app.example';
const READ =
  'authorization content-type idempotency-key if-none-match if-range range tus-resumable upload-checksum upload-length upload-metadata upload-offset x-hidden-token x-request-id x-share-access';
const TOLD =
  'content-disposition content-range etag idempotent-replayed location object-id ratelimit-limit ratelimit-remaining ratelimit-reset retry-after task-id tus-extension tus-max-size tus-resumable tus-version upload-expires upload-length upload-metadata upload-offset x-request-id';

const listed = ({ headers }: Answer, name: string): string =>
  (headers.get(name) ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .sort()
    .join(' ');
const ofCors = ({ headers }: Answer) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

// It does not use the database, so one profile is enough.
describe('pages of other origins', function () {
  this.timeout(60_000);
  let closed: Service;
  let open: Service;
  before(async () => {
    const profile = profiles[0] ?? 'standalone';
    closed = await startService(profile);
    open = await startService(profile, { CORS_ORIGINS: `${OWN}, https://b.example:8443` });
  });
  after(() => Promise.all([closed.dispose(), open.dispose()]));

  const preflight = (service: Service, origin: string, path = '/v1/objects') =>
    service.call('OPTIONS', path, {
      token: null,
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': READ.replaceAll(' ', ','),
      },
    });

  it('have no access unless listed', async () => {
    const got = await closed.call('GET', '/v1/me', { headers: { origin: OWN } });
    expect([got.status, ofCors(got)]).to.deep.equal([200, []]);
    const requested = await preflight(closed, OWN);
    expect([requested.status, ofCors(requested)]).to.deep.equal([405, []]);
  });

  it('that are listed may use every method and header of the API', async () => {
    for (const origin of [OWN, 'https://b.example:8443'])
      for (const path of ['/v1/objects', '/v1/objects/x/image/crop', '/health']) {
        const requested = await preflight(open, origin, path);
        expect(requested.status).to.be.within(200, 204);
        expect(requested.headers.get('access-control-allow-origin')).to.equal(origin);
        expect(listed(requested, 'access-control-allow-methods')).to.equal(
          'delete get head patch post put',
        );
        expect(listed(requested, 'access-control-allow-headers')).to.equal(READ);
        expect(listed(requested, 'vary')).to.include('origin');
        expect(Number(requested.headers.get('access-control-max-age'))).to.be.above(0);
      }
  });

  it('that are listed may read every response, errors included, with its headers', async () => {
    for (const [path, token, status] of [
      ['/v1/me', undefined, 200],
      ['/v1/me', null, 401],
      ['/nowhere', undefined, 404],
      ['/v1/objects?limit=0', undefined, 422],
    ] as const) {
      const answer = await open.call('GET', path, {
        headers: { origin: OWN },
        ...(token === null && { token }),
      });
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('access-control-allow-origin')).to.equal(OWN);
      expect(listed(answer, 'access-control-expose-headers')).to.equal(TOLD);
      expect(listed(answer, 'vary')).to.include('origin');
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
    }
  });

  it('that are not listed get no CORS headers', async () => {
    for (const origin of [
      'https://evil.example',
      `${OWN}.evil.example`,
      'http://app.example',
      `${OWN}:8443`,
      'null',
      '*',
    ]) {
      const got = await open.call('GET', '/v1/me', { headers: { origin } });
      expect([got.status, ofCors(got)], origin).to.deep.equal([200, []]);
      // A shared cache must not reuse this response for a page of an allowed origin.
      expect(listed(got, 'vary')).to.include('origin');
      const requested = await preflight(open, origin);
      expect([requested.status, ofCors(requested)], origin).to.deep.equal([405, []]);
    }
    expect(listed(await open.call('GET', '/v1/me'), 'vary')).to.include('origin');
  });
});
