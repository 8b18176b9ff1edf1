import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { sendJson } from '../../adapters/http/response/json.ts';
import { exchangeFor } from './exchange-fixture.ts';

const INFLATE = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync } as const;
const TEXTS = {
  short: JSON.stringify({ text: 'ж'.repeat(100) }),
  'of middling length': JSON.stringify({ text: 'Жук or ant. '.repeat(500) }),
  long: JSON.stringify({ text: 'Жук or ant. '.repeat(10_000) }),
};

describe('JSON that is sent', () => {
  let server: Server;
  before((done) => {
    server = createServer((requested, response) => {
      const name = decodeURIComponent(requested.url?.slice(1) ?? '') as keyof typeof TEXTS;
      sendJson(exchangeFor(requested, response), 200, TEXTS[name]);
    }).listen(0, '127.0.0.1', done);
  });
  after((done) => void server.close(done));

  const fetched = (name: string, accepted: string | undefined, method = 'GET') =>
    new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const path = `/${encodeURIComponent(name)}`;
      request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('end', () =>
          resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });

  for (const [name, text] of Object.entries(TEXTS))
    it(`is sent in the best accepted coding if it is ${name}`, async () => {
      const plain = await fetched(name, undefined);
      expect(plain.bytes.toString()).to.equal(text);
      for (const [accepted, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip, deflate', 'gzip'],
        ['GZIP', 'gzip'],
        ['deflate', 'deflate'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['gzip;q=0', undefined],
        ['identity', undefined],
        ['nonsense', undefined],
      ] as const) {
        const { headers, bytes } = await fetched(name, accepted);
        const expected = name === 'short' ? undefined : coding;
        expect(headers['content-encoding'], accepted).to.equal(expected);
        const whole = expected === undefined ? bytes : INFLATE[expected](bytes);
        expect(whole.toString(), accepted).to.equal(text);
        expect(headers.etag, accepted).to.equal(plain.headers.etag);
        expect(headers.vary, accepted).to.equal('Accept-Encoding');
      }
    });

  it('has no body and no coding for a HEAD', async () => {
    const { headers, bytes } = await fetched('of middling length', 'gzip', 'HEAD');
    expect(headers['content-encoding']).to.equal(undefined);
    expect(Number(headers['content-length'])).to.equal(
      Buffer.byteLength(TEXTS['of middling length']),
    );
    expect(bytes.length).to.equal(0);
  });

  it('has a Content-Length if it is of medium length', async () => {
    const { headers, bytes } = await fetched('of middling length', 'gzip');
    expect(Number(headers['content-length'])).to.equal(bytes.length);
  });
});
