import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryPageFetcher, type FakePage } from '../adapters/memory/page-fetcher.ts';
import { addressOf, isPublic } from '../adapters/outbound/ip-address.ts';
import type { ResolvedAddress } from '../adapters/outbound/ssrf-guard.ts';
import {
  isAllowed,
  parseDestination,
  privateNetworks,
  destinationOfUrl,
} from '../adapters/outbound/destination-policy.ts';
import { HttpPageFetcher } from '../adapters/outbound/page-fetcher.ts';
import type { FetchOptions } from '../ports/web-pages.ts';
import { startLocalServer, type Site } from './local-server.ts';
import { pageFetcherContract, type SiteAnswer } from './suites/page-fetcher.ts';

const allowing = (...texts: string[]) =>
  texts.map((text) => parseDestination(text) ?? expect.fail(`${text} is no destination`));

/** A resolver that knows these names only. */
const names =
  (known: Readonly<Record<string, readonly string[]>>) =>
  async (host: string): Promise<readonly ResolvedAddress[]> => {
    const found = known[host.replace(/\.$/, '')];
    if (!found) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

const say = (answer: SiteAnswer | undefined, response: ServerResponse): void => {
  if (answer === 'silent') return;
  if (answer === undefined) return void response.writeHead(404).end();
  if ('redirect' in answer)
    return void response.writeHead(302, { location: answer.redirect }).end('moved');
  const charset = answer.charset === undefined ? '' : `; charset=${answer.charset}`;
  response.writeHead(answer.status ?? 200, {
    ...(answer.type !== undefined && { 'content-type': answer.type + charset }),
  });
  response.end(answer.bytes);
};

describe('over HTTP: PageFetcher', () =>
  pageFetcherContract(async () => {
    const answers = new Map<string, SiteAnswer>();
    const site = await startLocalServer((request, response) =>
      say(answers.get(request.url ?? ''), response),
    );
    const canary = await startLocalServer((_, response) => response.end('private'));
    const gone = await startLocalServer(() => undefined);
    await gone.close();
    return {
      fetcher: new HttpPageFetcher({
        allowed: allowing(`127.0.0.1:${site.port}`, `127.0.0.1:${gone.port}`),
        resolve: names({}),
      }),
      put: (path, answer) => {
        answers.set(path, answer);
        return site.origin + path;
      },
      privateUrl: `${canary.origin}/`,
      closedUrl: `${gone.origin}/`,
      unknownUrl: 'http://nowhere.test/',
      privateVisits: () => canary.visits(),
      close: async () => {
        await site.close();
        await canary.close();
      },
    };
  }));

describe('memory: PageFetcher', () =>
  pageFetcherContract(async () => {
    const web = new Map<string, FakePage>([
      ['http://private.test/', 'private'],
      ['http://closed.test/', 'closed'],
    ]);
    return {
      fetcher: new MemoryPageFetcher(web),
      put: (path, answer) => {
        const url = `http://site.test${path}`;
        web.set(
          url,
          answer === 'silent' || 'redirect' in answer
            ? answer
            : { ...answer, ...(answer.type !== undefined && { mime: answer.type }) },
        );
        return url;
      },
      privateUrl: 'http://private.test/',
      closedUrl: 'http://closed.test/',
      unknownUrl: 'http://nowhere.test/',
      privateVisits: () => 0,
      close: async () => undefined,
    };
  }));

const swiftBrotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

const bounds = (over: Partial<FetchOptions> = {}): FetchOptions => ({
  maxBytes: 100_000,
  timeMs: 5_000,
  contentType: 'page',
  ...over,
});

describe('a fetch for an owner', () => {
  const opened: Site[] = [];
  const fetchers: HttpPageFetcher[] = [];
  const serve = async (...how: Parameters<typeof startLocalServer>) => {
    const site = await startLocalServer(...how);
    opened.push(site);
    return site;
  };
  const fetcher = (rules: ConstructorParameters<typeof HttpPageFetcher>[0]) => {
    const created = new HttpPageFetcher(rules);
    fetchers.push(created);
    return created;
  };
  afterEach(async () => {
    for (const each of fetchers.splice(0)) await each.close();
    for (const site of opened.splice(0)) await site.close();
  });
  const endOf = async (work: ReturnType<HttpPageFetcher['fetch']>): Promise<string> => {
    const answer = await work;
    return answer.outcome === 'page' ? 'page' : answer.cause;
  };

  it('never connects to loopback or metadata addresses, in any spelling', async () => {
    const canary = await serve((_, response) => response.end('secret'));
    const guard = fetcher({
      allowed: [],
      resolve: names({
        'private.test': ['10.0.0.7'],
        '127.0.0.1.nip.test': ['127.0.0.1'],
        'mapped.test': ['::ffff:127.0.0.1'],
        'nat64.test': ['64:ff9b::7f00:1'],
        'metadata.test': ['169.254.169.254'],
        'zone.test': ['fe80::1%1'],
        'both.test': ['127.0.0.1', '10.0.0.7', '::1'],
      }),
    });
    for (const host of [
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '0177.0000.0000.0001',
      '017700000001',
      '127.0.0.1.',
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '127.0.0.2',
      '127.255.255.254',
      '0',
      '0.0.0.0',
      '%31%32%37.0.0.1',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fc00::1]',
      '[fec0::1]',
      '[ff02::1]',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      '100.100.100.200',
      '192.168.1.1',
      '10.0.0.1',
      '172.16.0.1',
      '198.18.0.1',
      '192.0.0.192',
      '240.0.0.1',
      '255.255.255.255',
      '224.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'ｌｏｃａｌｈｏｓｔ',
      'app.localhost',
      'private.test',
      '127.0.0.1.nip.test',
      'mapped.test',
      'nat64.test',
      'metadata.test',
      'zone.test',
      'both.test',
    ]) {
      const url = new URL(`http://${host}:${canary.port}/latest/meta-data/`).href;
      expect(await endOf(guard.fetch(url, bounds())), host).to.equal('address');
    }
    expect(canary.visits()).to.equal(0);
  });

  it('never connects to a metadata address, with any allowed range or name', () => {
    const wide = allowing(
      ...['0.0.0.0/0', '::/0', '169.254.0.0/16', '169.254.169.254/32', 'fd00::/8', '100.64.0.0/10'],
      ...['metadata.google.internal', 'inside.test', 'inside.test:80'],
    );
    for (const rules of [[], privateNetworks(), wide, [...wide, ...privateNetworks()]])
      for (const address of [
        ...['169.254.169.254', '169.254.170.2', '169.254.0.23', '169.254.0.1', '100.100.100.200'],
        ...['168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
        ...['fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fe80::a9fe:a9fe', 'fe80::1', 'febf::1'],
        ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:168.63.129.16'],
        ...['::169.254.169.254', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe'],
        ...['64:ff9b::169.254.169.254', '64:ff9b:1::6464:64c8', '64:ff9b::a83f:8110'],
        ...['2002:a9fe:a9fe::', '2002:a83f:8110::1', '2001:0:1:2:3:4:5601:5601'],
        ...['fc00::5efe:a9fe:a9fe', 'fd12::200:5efe:6464:64c8', 'fe80::1%1'],
      ])
        for (const host of [address, 'inside.test', 'metadata.google.internal'])
          expect(isAllowed(rules, { host, port: 80, address }), `${host} ${address}`).to.equal(
            false,
          );
    // Its neighbours are as open as before.
    for (const address of ['100.100.100.201', 'fd00:ec3::254', '10.0.0.1', '64:ff9b::1'])
      expect(isAllowed(wide, { host: address, port: 80, address }), address).to.equal(true);
    for (const address of ['168.63.129.17', '8.8.8.8', '2606:4700::1111'])
      expect(isAllowed([], { host: address, port: 80, address }), address).to.equal(true);
    const name = { host: 'Metadata.Google.Internal.', port: 80, address: '8.8.8.8' };
    for (const rules of [[], wide]) expect(isAllowed(rules, name)).to.equal(false);
  });

  it('connects to a metadata address only if that exact address is allowed', () => {
    const there = { host: '169.254.169.254', port: 80, address: '169.254.169.254' };
    const near = { ...there, address: '169.254.169.253' };
    for (const allowed of ['169.254.169.254', '169.254.169.254:80'].map((it) => allowing(it))) {
      expect(isAllowed(allowed, there)).to.equal(true);
      expect(isAllowed(allowed, near)).to.equal(false);
    }
    expect(isAllowed(allowing('169.254.169.254:81'), there)).to.equal(false);
    // Where the operator sends the service itself.
    const host = 'host.containers.internal';
    const model = destinationOfUrl(`http://${host}:8000`);
    expect(isAllowed(model, { host, port: 8000, address: '169.254.1.2' })).to.equal(true);
    expect(isAllowed(allowing(host), { host, port: 8000, address: '169.254.1.2' })).to.equal(false);
  });

  it('never follows a redirect from a public to a private address', async () => {
    const canary = await serve((_, response) => response.end('secret'));
    const onward = new Map([
      ['/literal', canary.origin],
      ['/decimal', `http://2130706433:${canary.port}/`],
      ['/mapped', `http://[::ffff:7f00:1]:${canary.port}/`],
      ['/name', `http://inside.test:${canary.port}/`],
      ['/relative-scheme', `//localhost:${canary.port}/`],
      ['/file', 'file:///etc/passwd'],
      ['/data', 'data:text/html,<p>x'],
      ['/gopher', `gopher://127.0.0.1:${canary.port}/`],
      ['/later', '/literal'],
    ]);
    const site = await serve((request, response) =>
      say({ redirect: onward.get(request.url ?? '') ?? '/' }, response),
    );
    const guard = fetcher({
      allowed: allowing(`127.0.0.1:${site.port}`),
      resolve: names({ 'inside.test': ['127.0.0.1'] }),
    });
    for (const path of onward.keys())
      expect(await endOf(guard.fetch(site.origin + path, bounds())), path).to.equal('address');
    expect(canary.visits()).to.equal(0);
    expect(site.visits()).to.be.at.least(onward.size);
  });

  it('is not affected by DNS rebinding', async () => {
    const site = await serve((request, response) =>
      request.url === '/'
        ? response.writeHead(302, { location: '/again', connection: 'close' }).end()
        : response.end('public'),
    );
    const canary = await serve((_, response) => response.end('secret'), '127.0.0.2', site.port);
    let requested = 0;
    const guard = fetcher({
      allowed: allowing(`127.0.0.1:${site.port}`),
      resolve: async () => [{ address: requested++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    });
    const url = `http://rebind.test:${site.port}/`;
    expect(await endOf(guard.fetch(url, bounds()))).to.equal('address');
    expect({ asked: requested, site: site.visits(), canary: canary.visits() }).to.deep.equal({
      asked: 2,
      site: 1,
      canary: 0,
    });
  });

  it('connects only to the allowed addresses of a name', async () => {
    const site = await serve((_, response) => response.end('public'));
    const canary = await serve((_, response) => response.end('secret'), '127.0.0.2', site.port);
    const guard = fetcher({
      allowed: allowing(`127.0.0.1:${site.port}`),
      resolve: names({ 'mixed.test': ['127.0.0.2', '127.0.0.1'] }),
    });
    const page = await guard.fetch(`http://mixed.test:${site.port}/`, bounds());
    expect(page.outcome === 'page' && Buffer.from(page.bytes).toString()).to.equal('public');
    expect(canary.visits()).to.equal(0);
  });

  it('follows a redirect whose address is not encoded, as browsers do', async () => {
    const visited: (string | undefined)[] = [];
    const site = await serve((request, response) => {
      visited.push(request.url);
      if (request.url !== '/') return void response.end('there');
      response.socket?.end(
        Buffer.concat([
          Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /Größe?q='),
          Buffer.from([0xe9]),
          Buffer.from(' und\r\n\r\n'),
        ]),
      );
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    const page = await guard.fetch(`${site.origin}/`, bounds());
    expect(page.outcome === 'page' && page.finalUrl).to.equal(
      `${site.origin}/Gr%C3%B6%C3%9Fe?q=%E9%20und`,
    );
    expect(visited).to.deep.equal(['/', '/Gr%C3%B6%C3%9Fe?q=%E9%20und']);
  });

  it('follows a page that turns to another one at once, and once only', async () => {
    const pages: Record<string, string> = {
      '/a': '<!doctype html><head><META http-equiv="Refresh" content="0; url=/b?x=1&amp;y=2">Redirecting…',
      '/bare': "<meta content='1;/b' http-equiv=refresh>",
      '/quoted': `<meta http-equiv="refresh" content="0;URL='/b'">`,
      '/twice': '<meta http-equiv="refresh" content="0; url=/again">',
      '/again': '<meta http-equiv="refresh" content="0; url=/b">',
      '/itself': '<meta http-equiv="refresh" content="0; url=/itself">',
      '/late': '<meta http-equiv="refresh" content="30; url=/b">',
      '/reload': '<meta http-equiv="refresh" content="0">',
      '/comment': '<!-- <meta http-equiv="refresh" content="0; url=/b"> -->',
      '/script': '<script>"<meta http-equiv=refresh content=0;/b>"</script>',
      '/noscript': '<noscript><meta http-equiv="refresh" content="0; url=/b"></noscript>',
      '/private': '<meta http-equiv="refresh" content="0; url=http://10.0.0.1/">',
      '/file': '<meta http-equiv="refresh" content="0; url=file:///etc/passwd">',
    };
    const site = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(pages[request.url ?? ''] ?? 'there');
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    const end = async (path: string) => {
      const page = await guard.fetch(site.origin + path, bounds());
      return page.outcome === 'page' ? page.finalUrl.replace(site.origin, '') : page.cause;
    };
    for (const [path, final] of [
      ['/a', '/b?x=1&y=2'],
      ['/bare', '/b'],
      ['/quoted', '/b'],
      ['/twice', '/again'],
      ['/private', 'address'],
      ['/file', 'address'],
    ] as const)
      expect(await end(path), path).to.equal(final);
    for (const path of ['/itself', '/late', '/reload', '/comment', '/script', '/noscript'])
      expect(await end(path), path).to.equal(path);
  });

  it('says that a site asks for a check of the browser, with any status', async () => {
    const site = await serve((request, response) => {
      const [, status, name = ''] = (request.url ?? '').split('/');
      response.writeHead(Number(status), { 'content-type': 'text/html', [name]: 'challenge' });
      response.end('<title>Just a moment...</title>');
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    for (const path of [
      '/200/cf-mitigated',
      '/403/cf-mitigated',
      '/503/cf-mitigated',
      '/202/x-amzn-waf-action',
    ]) {
      const page = await guard.fetch(site.origin + path, bounds());
      expect(page, path).to.deep.include({
        outcome: 'refused',
        cause: 'challenge',
        passing: false,
      });
    }
  });

  it('sends no cookies, credentials or information about the owner', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const site = await serve((request, response) => {
      seen.push(request.headers);
      if (request.url === '/')
        response.writeHead(302, { location: '/next', 'set-cookie': 'a=b; Path=/' });
      response.end();
    });
    const guard = fetcher({ allowed: allowing('127.0.0.0/8') });
    await guard.fetch(`${site.origin}/`, bounds());
    await guard.fetch(`${site.origin}/`, bounds({ contentType: 'picture' }));
    expect(seen).to.have.length(4);
    for (const headers of seen)
      expect(Object.keys(headers)).to.have.members(
        'host connection accept accept-encoding user-agent'.split(' '),
      );
    expect(seen[0]?.accept).to.match(/^text\/html/);
    expect(seen[2]?.accept).to.match(/^image\//);
  });

  it('is decompressed, and limited by the size of input and output', async () => {
    const text = 'The lamp is lit at dusk. '.repeat(400);
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const site = await serve((request, response) => {
      const [coding, bytes] = {
        '/gzip': ['gzip', gzipSync(text)],
        '/br': ['br', brotliCompressSync(text)],
        '/bomb': ['gzip', bomb],
        '/br-bomb': ['br', swiftBrotli(Buffer.alloc(50_000_000))],
        '/cut': ['gzip', gzipSync(text).subarray(0, 60)],
        '/twice': ['gzip, gzip', gzipSync(gzipSync(text))],
        '/odd': ['sdch', Buffer.from(text)],
        '/lie': ['gzip', Buffer.from(text)],
      }[request.url ?? ''] as [string, Buffer];
      response.writeHead(200, { 'content-encoding': coding }).end(bytes);
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    const get = (path: string) => guard.fetch(site.origin + path, bounds());
    for (const path of ['/gzip', '/br']) {
      const page = await get(path);
      expect(page.outcome === 'page' && Buffer.from(page.bytes).toString(), path).to.equal(text);
    }
    expect(bomb.length).to.be.below(100_000);
    const before = process.memoryUsage().rss;
    for (const path of ['/bomb', '/br-bomb'])
      expect(await endOf(get(path)), path).to.equal('too_large');
    expect(process.memoryUsage().rss - before).to.be.below(40_000_000);
    for (const path of ['/cut', '/twice', '/odd', '/lie'])
      expect(await endOf(get(path)), path).to.equal('broken');
  });

  it('ends at the size limit, declared or not', async () => {
    let sent = 0;
    const site = await serve((request, response) => {
      if (request.url === '/said') {
        response.writeHead(200, { 'content-length': '100001' });
        response.flushHeaders();
        return;
      }
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000;
      };
      response.on('drain', more);
      more();
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    for (const path of ['/said', '/endless'])
      expect(await endOf(guard.fetch(site.origin + path, bounds())), path).to.equal('too_large');
    // Bytes in the socket buffers were sent before the transfer could be stopped.
    expect(sent).to.be.below(20_000_000);
  });

  it('ends in time if bytes arrive slowly, headers never arrive, or a name is never resolved', async () => {
    const timers = new Set<NodeJS.Timeout>();
    const site = await serve((request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
      response.writeHead(200);
      timers.add(setInterval(() => response.write('.'), 20));
    });
    const guard = fetcher({
      allowed: allowing('127.0.0.1'),
      resolve: () => new Promise(() => undefined),
    });
    for (const url of [`${site.origin}/drip`, `${site.origin}/silent`, 'http://never.test/']) {
      expect(await endOf(guard.fetch(url, bounds({ timeMs: 300 }))), url).to.equal('too_slow');
    }
    expect(await endOf(guard.fetch(`${site.origin}/loop`, bounds()))).to.equal('redirects');
    for (const timer of timers) clearInterval(timer);
  });

  it('is rejected with a message if the server has no TLS, no HTTP, or closes the connection', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/short') {
        response.writeHead(200, { 'content-length': '100' });
        response.write('ten bytes.');
        setTimeout(() => response.destroy(), 20);
      } else if (request.url === '/garbage') request.socket.end('SSH-2.0-OpenSSH\r\n');
      else request.socket.destroy();
    });
    const guard = fetcher({ allowed: allowing('127.0.0.1') });
    const secure = site.origin.replace('http:', 'https:');
    expect(await endOf(guard.fetch(`${secure}/`, bounds()))).to.equal('tls');
    expect(await endOf(guard.fetch(`${site.origin}/short`, bounds()))).to.equal('broken');
    expect(await endOf(guard.fetch(`${site.origin}/garbage`, bounds()))).to.equal('broken');
    expect(await endOf(guard.fetch(`${site.origin}/hang-up`, bounds()))).to.be.oneOf([
      'broken',
      'unreachable',
    ]);
  });
});

describe('addresses', () => {
  const open = (text: string) => {
    const address = addressOf(text);
    return address !== undefined && isPublic(address);
  };

  it('are public on the internet', () => {
    for (const text of [
      '8.8.8.8',
      '93.184.216.34',
      '1.1.1.1',
      '223.255.255.1',
      '2606:4700:4700::1111',
      '2a00:1450:4001:81b::200e',
      '::ffff:8.8.8.8',
    ])
      expect(open(text), text).to.equal(true);
  });

  it('are never public outside of 2000::/3, nor if an IPv4 address is embedded', () => {
    const part = fc.nat(0xffff).map((n) => n.toString(16));
    const parts = fc.array(part, { minLength: 7, maxLength: 7 });
    const firsts = fc.oneof(
      fc.nat(0x1fff),
      fc.integer({ min: 0x4000, max: 0xffff }),
      fc.constant(0x2002),
    );
    fc.assert(
      fc.property(firsts, parts, (first, rest) => {
        const text = [first.toString(16), ...rest].join(':');
        // `::ffff:a.b.c.d` is the IPv4 address it embeds.
        if (!/^0(:0){4}:ffff:/.test(text)) expect(open(text), text).to.equal(false);
      }),
    );
  });
});

describe('destinations allowed by the operator', () => {
  const to = (host: string, port: number, address = host) => ({ host, port, address });

  it('are hosts, addresses and ranges, with a port or for every port', () => {
    const cases: readonly (readonly [string, ReturnType<typeof to>, boolean])[] = [
      ['nas.lan', to('nas.lan', 80, '192.168.1.5'), true],
      ['nas.lan', to('NAS.lan.', 8443, '192.168.1.5'), true],
      ['NAS.lan.', to('nas.lan', 80, '192.168.1.5'), true],
      ['nas.lan', to('other.lan', 80, '192.168.1.5'), false],
      ['nas.lan', to('x.nas.lan', 80, '192.168.1.5'), false],
      ['nas.lan:8443', to('nas.lan', 8443, '10.0.0.1'), true],
      ['nas.lan:8443', to('nas.lan', 443, '10.0.0.1'), false],
      ['192.168.1.5', to('any.name', 80, '192.168.1.5'), true],
      ['192.168.1.5', to('192.168.1.6', 80), false],
      ['192.168.1.5:9000', to('192.168.1.5', 9000), true],
      ['192.168.1.5:9000', to('192.168.1.5', 9001), false],
      ['10.0.0.0/8', to('10.200.3.4', 80), true],
      ['10.0.0.0/8', to('10.0.0.1', 80, '::ffff:10.0.0.1'), true],
      ['10.0.0.0/8', to('11.0.0.1', 80), true],
      ['10.0.0.0/8', to('192.168.0.1', 80), false],
      ['::1', to('::1', 80), true],
      ['[::1]:81', to('::1', 81), true],
      ['[::1]:81', to('::1', 80), false],
      ['fd00::/8', to('fd12::7', 80), true],
      ['fd00::/8', to('fe80::7', 80), false],
      ['bücher.lan', to('xn--bcher-kva.lan', 80, '10.0.0.1'), true],
    ];
    for (const [text, endpoint, expected] of cases)
      expect(
        isAllowed(allowing(text), endpoint),
        `${text} for ${JSON.stringify(endpoint)}`,
      ).to.equal(expected);
  });

  it('need an explicit port for ports of other protocols', () => {
    for (const [entries, port, expected] of [
      [[], 25, false],
      [[], 6379, false],
      [[], 80, true],
      [[], 8080, true],
      [['mail.test'], 25, false],
      [['mail.test:25'], 25, true],
    ] as const)
      expect(isAllowed(allowing(...entries), to('mail.test', port, '8.8.8.8'))).to.equal(expected);
  });

  it('are distinguished from invalid values', () => {
    for (const text of [
      '',
      '*',
      'http://nas.lan',
      'nas.lan/path',
      'a b',
      'nas.lan:0',
      'nas.lan:65536',
      'nas.lan:http',
      '10.0.0.0/33',
      '10.0.0.256/8',
      '::1/129',
      '[::1',
      'user@nas.lan',
      '1.2.3.4/',
    ])
      expect(parseDestination(text), text).to.equal(undefined);
  });
});
