import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseBaseUrl } from '../../adapters/http/pages/base-url.ts';
import type { Exchange } from '../../adapters/http/pipeline/exchange.ts';
import { ReplacedSecrets } from '../../adapters/http/request/replaced-secrets.ts';
import {
  changeSessionCookie,
  originOf,
  sessionSecret,
} from '../../adapters/http/request/session-cookie.ts';

interface Case {
  readonly publicUrl?: string;
  readonly trustProxy?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The part of an exchange that the cookie depends on. */
function exchangeWith({ publicUrl = '', trustProxy = 0, headers = {} }: Case) {
  const sent = new Map<string, unknown>();
  const response = { setHeader: (name: string, value: unknown) => sent.set(name, value) };
  const exchange = {
    request: { headers } as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    context: {
      baseUrl: parseBaseUrl(publicUrl),
      trustProxy,
      replacedSecrets: new ReplacedSecrets(),
    },
  } as unknown as Exchange;
  return { exchange, sent };
}

const cookieIn = (from: Case): string => {
  const { exchange, sent } = exchangeWith(from);
  changeSessionCookie(exchange, { kind: 'set', secret: 's3cret', maxAgeSeconds: 60 });
  return String(sent.get('Set-Cookie'));
};

const SECURE = '__Host-session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure';
const LOCAL = 'session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict';

describe('the session cookie', () => {
  const https = { 'x-forwarded-proto': 'https' };
  const cases: readonly (readonly [expected: string, origin: string | undefined, from: Case])[] = [
    [SECURE, 'https://docs.example', { publicUrl: 'https://docs.example/work' }],
    [SECURE, 'https://docs.example:8443', { publicUrl: 'https://docs.example:8443' }],
    // Also where it is called directly: the public address decides.
    [
      SECURE,
      'https://docs.example',
      { publicUrl: 'https://docs.example', headers: { host: 'localhost:8080' } },
    ],
    [SECURE, 'https://localhost:8443', { publicUrl: 'https://localhost:8443' }],
    [LOCAL, 'http://localhost:8080', { publicUrl: 'http://localhost:8080' }],
    [
      LOCAL,
      'http://127.0.0.1',
      { publicUrl: 'http://127.0.0.1:80', trustProxy: 1, headers: https },
    ],
    // Without encryption a browser stores nothing that is Secure: it stays signed out.
    [SECURE, 'http://nas.lan:8080', { publicUrl: 'http://nas.lan:8080' }],
    [LOCAL, 'http://localhost:8080', { headers: { host: 'localhost:8080' } }],
    [LOCAL, 'http://localhost:8080', { headers: { host: 'LOCALHOST:8080' } }],
    [LOCAL, 'http://app.localhost', { headers: { host: 'app.localhost' } }],
    [LOCAL, 'http://127.8.9.1:1', { headers: { host: '127.8.9.1:1' } }],
    [LOCAL, 'http://[::1]:8080', { headers: { host: '[::1]:8080' } }],
    [SECURE, 'http://localhost.example', { headers: { host: 'localhost.example' } }],
    [SECURE, 'http://127.0.0.1.example', { headers: { host: '127.0.0.1.example' } }],
    [SECURE, 'http://192.168.1.5:8080', { headers: { host: '192.168.1.5:8080' } }],
    [SECURE, undefined, {}],
    // A client may send the headers of a proxy that is not there.
    [LOCAL, 'http://localhost', { headers: { host: 'localhost', ...https } }],
    [SECURE, 'https://localhost', { trustProxy: 1, headers: { host: 'localhost', ...https } }],
    [
      SECURE,
      'https://docs.example',
      {
        trustProxy: 1,
        headers: { host: '127.0.0.1', 'x-forwarded-host': 'docs.example', ...https },
      },
    ],
  ];
  for (const [expected, origin, from] of cases)
    it(`is ${expected.split('=', 1)[0]} for ${JSON.stringify(from)}`, () => {
      expect(cookieIn(from)).to.equal(expected);
      expect(originOf(exchangeWith(from).exchange)).to.equal(origin);
    });

  it('is not cleared by a request that was sent before it was replaced', () => {
    const { exchange, sent } = exchangeWith({
      headers: { host: 'localhost', cookie: 'session=old' },
    });
    changeSessionCookie(exchange, { kind: 'set', secret: 'new', maxAgeSeconds: 60 });
    sent.clear();
    changeSessionCookie(exchange, { kind: 'clear' });
    expect(sent.size).to.equal(0);
    const replaced = new ReplacedSecrets();
    for (let i = 0; i < 2_000; i++) replaced.add(`secret ${i}`);
    expect([replaced.has('secret 0'), replaced.has('secret 1999'), replaced.has('')]).to.deep.equal(
      [...[false, true, false]],
    );
  });

  it('is found once among any other cookies, and its absence or repetition is no secret', () => {
    const text = fc
      .stringMatching(/^[\w!#$%&'*+.^`|~-]{1,12}$/)
      .filter((name) => name !== 'session');
    const pair = fc.tuple(text, fc.stringMatching(/^[\w!#$%&'*+.^`|~=-]{0,12}$/));
    fc.assert(
      fc.property(
        fc.array(pair),
        fc.array(pair),
        fc.nat({ max: 2 }),
        fc.constantFrom(';', '; ', ' ;  '),
        (before, after, times, separator) => {
          const own = Array.from({ length: times }, () => ['session', 'value'] as const);
          const cookie = [...before, ...own, ...after]
            .map((each) => each.join('='))
            .join(separator);
          const { exchange } = exchangeWith({ headers: { host: 'localhost', cookie } });
          expect(sessionSecret(exchange)).to.equal([undefined, 'value', ''][times]);
        },
      ),
    );
  });

  it('any text as a cookie is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (cookie, host) => {
        const { exchange } = exchangeWith({ headers: { host, cookie } });
        expect(sessionSecret(exchange)).to.satisfy(
          (found: unknown) => found === undefined || typeof found === 'string',
        );
        originOf(exchange);
      }),
    );
  });
});
