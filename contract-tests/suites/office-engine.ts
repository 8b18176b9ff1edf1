import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import { DownloadError, type DownloadOptions, type OfficeEngine } from '../../ports/office.ts';
import {
  claimsIn,
  engineToken,
  openOfficeService,
  type OfficeService,
  type Serving,
  type Signing,
} from '../fake-document-server.ts';
import { startLocalServer, type Site } from '../local-server.ts';

const BOUNDS: DownloadOptions = { maxBytes: 1_000_000, idleMs: 5_000, totalMs: 10_000 };

const drawn = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('It did not reject.'),
    (error: unknown) => error,
  );

/** The contract of every OfficeEngine. `open` creates one for the document server at an address. */
export function officeEngineContract(open: (url: string) => OfficeEngine): void {
  let office: OfficeService;
  let engine: OfficeEngine;
  beforeEach(async () => {
    office = await openOfficeService();
    engine = open(office.origin);
  });
  afterEach(async () => {
    await engine.close();
    await office.close();
  });

  const refused = async (url: string, bounds = BOUNDS): Promise<DownloadError> => {
    const error = await caught(drawn(engine.download(url, bounds)));
    expect(error, url).to.be.instanceOf(DownloadError);
    return error as DownloadError;
  };
  const reason = async (timeMs = 5_000): Promise<string> => {
    const answer = await engine.reach(timeMs);
    return answer.ok ? 'ok' : answer.reason;
  };

  it('`reach` is ok if the server reports that it is healthy, and otherwise returns a sentence: unhealthy, no response, or unreachable', async () => {
    expect((await engine.reach(5_000)).ok).to.equal(true);
    office.mood.health = 'missing';
    expect(await reason(), 'a proxy that keeps the address to itself').to.equal('ok');
    for (const health of ['ill', 'failing', 'silent', 'moved'] as const) {
      office.mood.health = health;
      const reported = await reason(health === 'silent' ? 200 : 5_000);
      expect(reported, health).to.match(/^[A-Z].*\.$/);
      expect(reported).not.to.include(String(office.port));
    }
    await office.close();
    expect(await reason()).to.match(/^[A-Z].*\.$/);
    office = await openOfficeService();
  });

  it('`sign` creates a token that the server verifies with the shared secret: HS256, the claims unchanged, and an expiry', async () => {
    const claims = { document: { key: 'k', title: 'Ünïcode ☃' }, list: [1, { a: null }], n: 1.5 };
    const token = await engine.sign(claims, 60);
    const { iat, exp, ...signed } = claimsIn(token)!;
    expect(signed).to.deep.equal(claims);
    expect(Number(exp) - Number(iat)).to.equal(60);
    expect(claimsIn(token, 'another secret')).to.equal(undefined);
  });

  it('`verify` returns the claims of a token of the server, and nothing for one that is forged, expired, from the future, or signed with another algorithm', async () => {
    const claims = { key: 'k', status: 2, url: 'http://x/' };
    const timeless: Signing = { iat: null, exp: null };
    expect(await engine.verify(engineToken(claims, timeless))).to.deep.equal(claims);
    const good: Signing[] = [{}, { exp: null }, { iat: null }, { iat: 30 }, { iat: -9_999 }];
    for (const how of good)
      expect(await engine.verify(engineToken(claims, how)), JSON.stringify(how)).to.deep.include(
        claims,
      );
    const bad: Signing[] = [
      { alg: 'none' },
      { alg: 'HS384' },
      { alg: 'HS512' },
      { alg: 'RS256' },
      { secret: 'another-secret-of-thirty-two-bytes' },
      { secret: '' },
      { exp: -1 },
      { exp: 0 },
      { iat: 3_600 },
      { iat: -7_200, exp: null },
    ];
    for (const how of bad)
      expect(await engine.verify(engineToken(claims, how)), JSON.stringify(how)).to.equal(
        undefined,
      );
    const sound = engineToken(claims);
    const [head, body, mac] = sound.split('.') as [string, string, string];
    const other = engineToken({ ...claims, status: 6 }).split('.')[1]!;
    for (const token of [
      '',
      '.',
      '..',
      'x.y.z',
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${other}.${mac}`,
      `${head}.${body}.${mac.slice(0, -2)}`,
      `${head}.${body}.${mac}.${mac}`,
      ` ${sound}`,
    ])
      expect(await engine.verify(token), token).to.equal(undefined);
  });

  it('A saved file is returned byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    expect(await drawn(engine.download(office.saves(bytes), BOUNDS))).to.deep.equal(bytes);
    const unannounced = office.saves((response) => {
      response.write(bytes.subarray(0, 1_000));
      response.end(bytes.subarray(1_000));
    });
    expect(await drawn(engine.download(unannounced, BOUNDS))).to.deep.equal(bytes);
    const most = { ...BOUNDS, maxBytes: bytes.length };
    expect(await drawn(engine.download(office.saves(bytes), most))).to.deep.equal(bytes);
  });

  it('A saved file is fetched at the configured address, whatever address the server gives itself: another scheme, host or port, a path alone, with or without the path prefix of the configured address, or by a redirect', async () => {
    const { host, port } = new URL(office.origin);
    for (const [served, configured] of [
      ['', ''],
      ['/office', '/office'],
      // The configured path is that of the files already.
      ['', '/cache'],
      // A proxy serves the files at its root.
      ['', '/office/editor'],
    ] as const) {
      office.mood.base = served;
      const own = open(office.origin + configured);
      for (const names of [
        `https://${host}`,
        'http://127.0.0.1',
        'http://127.0.0.1:1',
        'HTTPS://documentserver:8443',
        'http://office_internal',
        'http://fe80::1',
        'http://someone:secret@documentserver',
        '//documentserver',
        'documentserver:8080',
        'http://',
        'http:',
        'http://:8080',
        '\\\\documentserver',
        '',
        ' ',
        `http://documentserver${served}`,
        served,
        `http://127.0.0.1:${port}@documentserver`,
      ]) {
        office.mood.names = names;
        for (const query of ['', '?md5=a%2Fb+c&expires=1#x', '?next=http://elsewhere/'])
          expect(
            String(await drawn(own.download(office.saves(`edited ${query}`) + query, BOUNDS))),
            `${configured} ${names} ${query}`,
          ).to.equal(`edited ${query}`);
        for (const status of [301, 302, 303, 307, 308]) {
          const location = office.saves('moved');
          const leading = office.saves(
            (response) => void response.writeHead(status, { location }).end(),
          );
          expect(
            String(await drawn(own.download(leading, BOUNDS))),
            `${configured} ${names} ${status}`,
          ).to.equal('moved');
        }
      }
      await own.close();
    }
  });

  it('Nothing is fetched from another origin than the configured one, by any spelling or redirect, and no connection to it is made', async () => {
    const canary: Site = await startLocalServer((_, response) => void response.end('elsewhere'));
    try {
      const { port } = office;
      const targets = [
        `${canary.origin}/`,
        `${canary.origin}/x`,
        `http://127.0.0.1:${port}@127.0.0.1:${canary.port}/`,
        `http://127.0.0.1:${port}\\@127.0.0.1:${canary.port}/`,
        `//127.0.0.1:${canary.port}/`,
        `///127.0.0.1:${canary.port}/`,
        `/\\127.0.0.1:${canary.port}/`,
        `http://x//127.0.0.1:${canary.port}/`,
        `http://x/\\127.0.0.1:${canary.port}/`,
        `@127.0.0.1:${canary.port}/`,
        `.127.0.0.1:${canary.port}/`,
        `http:@127.0.0.1:${canary.port}/`,
        `http:http://127.0.0.1:${canary.port}/`,
        `\t${canary.origin}/`,
        `/../..//127.0.0.1:${canary.port}/`,
        'http://169.254.169.254/latest/meta-data/',
        'ftp://127.0.0.1/',
        'file:///etc/passwd',
        'data:text/plain,x',
        '',
      ];
      for (const target of targets) {
        await refused(target);
        if (target.startsWith('\t')) continue;
        await refused(
          office.saves((response) => void response.writeHead(302, { location: target }).end()),
        );
      }
      const before = office.visits();
      for (const none of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'data:text/plain,x', ''])
        await refused(none);
      expect(office.visits(), 'names that are no address').to.equal(before);
      const circle = office.saves(
        (response, { url }) => void response.writeHead(301, { location: `https://x${url}` }).end(),
      );
      expect((await refused(circle)).message).to.include('redirects');
      let steps = 0;
      const endless = office.saves(
        (response) => void response.writeHead(302, { location: `?step=${++steps}` }).end(),
      );
      expect((await refused(endless)).message).to.include('redirects');
      expect(steps).to.be.lessThan(10);
      expect(canary.visits()).to.equal(0);
    } finally {
      await canary.close();
    }
  });

  it('A file that is truncated, too long, too slow or rejected by the server rejects with DownloadError', async () => {
    const long = Buffer.alloc(2_000);
    const ways: Record<string, Serving> = {
      cut: (response) => {
        response.writeHead(200, { 'content-length': 2_000 });
        response.write(long.subarray(0, 1_000), () => response.destroy());
      },
      'cut without a length': (response) => {
        response.writeHead(200);
        response.write(long, () => setTimeout(() => response.destroy(), 20));
      },
      announced: (response) => void response.writeHead(200, { 'content-length': 1e9 }).write('x'),
      silent: () => undefined,
      stalled: (response) => void response.writeHead(200).write('begun'),
      refused: (response) => void response.writeHead(404).end('not here'),
      failing: (response) => void response.writeHead(500).end('broken'),
      partial: (response) => void response.writeHead(206).end('a part'),
      packed: (response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end('packed'),
      empty: '',
      'no HTTP': (response) => void response.socket?.end('what?\r\n\r\n'),
    };
    for (const [name, way] of Object.entries(ways)) {
      const url = office.saves(way);
      const { message } = await refused(url, { ...BOUNDS, idleMs: 300 });
      expect(message, name).to.match(/^[A-Z].*\.$/);
      expect(message).not.to.include(url);
    }
    await refused(office.saves(long), { ...BOUNDS, maxBytes: 1_999 });
    const dripping = office.saves((response) => {
      const timer = setInterval(() => void response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await refused(dripping, { ...BOUNDS, totalMs: 300 });
  });

  it('`agree` is ok if both have the same secret, and reports a mismatch', async () => {
    for (const services of ['earlier', 'later'] as const) {
      office.mood.services = services;
      expect((await engine.agree(5_000)).ok, services).to.equal(true);
    }
    office.mood.services = 'none';
    expect((await engine.agree(5_000)).ok).to.equal(false);
    Object.assign(office.mood, { services: 'later', secret: 'another-secret-of-thirty-two-bytes' });
    const answer = await engine.agree(5_000);
    expect(answer.ok ? '' : answer.reason).to.include('secret');
  });

  it('`fetches` returns whether the server could fetch a document from a URL, and the address that the server gives itself', async () => {
    const there = await startLocalServer((_, response) => void response.end('a text'));
    const document = { url: `${there.origin}/x`, key: 'k' };
    const result = async () => (await engine.fetches(document, 5_000)).result;
    for (const services of ['earlier', 'later'] as const) {
      office.mood.services = services;
      expect(await result(), services).to.equal('done');
    }
    expect(there.visits()).to.be.greaterThan(0);
    for (const [names, elsewhere] of [
      [undefined, undefined],
      [office.origin.toUpperCase(), undefined],
      ['http://documentserver', 'http://documentserver'],
      ['http://someone:secret@documentserver', 'http://documentserver'],
      [office.origin.replace('http:', 'https:'), office.origin.replace('http:', 'https:')],
      ['', ''],
    ] as const) {
      office.mood.names = names;
      const { converted } = await engine.fetches(document, 5_000);
      expect(converted?.elsewhere, names).to.equal(elsewhere);
      expect(String(await drawn(engine.download(converted!.url, BOUNDS)))).to.equal('converted');
    }
    await there.close();
    expect(await result()).to.equal('out of reach');
    office.mood.services = 'none';
    expect(await result()).to.equal('unknown');
    await office.close();
    expect(await result()).to.equal('unknown');
    office = await openOfficeService();
  });

  it('`close` makes current and later requests reject with UnavailableError', async () => {
    const url = office.saves(() => undefined);
    const download = caught(drawn(engine.download(url, BOUNDS)));
    while (!office.asked.includes(new URL(url).pathname))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.close();
    for (const work of [
      download,
      caught(drawn(engine.download(url, BOUNDS))),
      caught(engine.reach(1_000)),
      caught(engine.agree(1_000)),
      caught(engine.fetches({ url, key: 'k' }, 1_000)),
    ])
      expect(await work).to.be.instanceOf(UnavailableError);
  });
}
