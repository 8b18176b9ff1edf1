import { Writable } from 'node:stream';
import { expect } from 'chai';
import { sendFile } from '../../adapters/http/response/file.ts';
import type { Exchange } from '../../adapters/http/pipeline/exchange.ts';
import type { ReadableContent } from '../../core/objects/index.ts';

const ETAG = `"${'a'.repeat(64)}"`;
const MODIFIED = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** The response to a request for a file whose parts may differ unnoticed, or may not. */
async function send(mayDiffer: boolean, headers: Record<string, string>) {
  const sent = new Map<string, string>();
  let body = '';
  const response = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        body += chunk.toString();
        done();
      },
    }),
    {
      statusCode: 200,
      setHeader: (name: string, value: string) => sent.set(name.toLowerCase(), value),
      removeHeader: (name: string) => sent.delete(name.toLowerCase()),
    },
  );
  const exchange = {
    request: { method: 'GET', headers },
    response,
    permit: { suspend: () => undefined },
  };
  const content: ReadableContent = {
    ...{ filename: 'a.txt', mime: 'text/plain', size: 10, sha256: 'a'.repeat(64), modifiedAt: 0 },
    isHidden: false,
    async *open({ first, last } = { first: 0, last: 9 }) {
      yield Buffer.from('0123456789'.slice(first, last + 1));
    },
    mayDifferInParts: async () => mayDiffer,
  };
  await sendFile(exchange as unknown as Exchange, content, { disposition: 'attachment' });
  const [etag, date] = [sent.get('etag'), sent.get('last-modified')];
  return [response.statusCode, etag, date, body];
}

describe('the validators of a range', () => {
  const range = 'bytes=2-4';
  const rows: readonly (readonly [string, boolean, Record<string, string>, unknown[]])[] = [
    ['a part with the service', false, { range }, [206, ETAG, MODIFIED, '234']],
    ['a part in a bucket', true, { range }, [206, `W/${ETAG}`, undefined, '234']],
    [
      'a resumed part with the service',
      false,
      { range, 'if-range': ETAG },
      [206, ETAG, MODIFIED, '234'],
    ],
    [
      'a resumed part in a bucket',
      true,
      { range, 'if-range': ETAG },
      [200, ETAG, MODIFIED, '0123456789'],
    ],
    [
      'a part by weak ETag',
      true,
      { range, 'if-range': `W/${ETAG}` },
      [200, ETAG, MODIFIED, '0123456789'],
    ],
    ['a part by date', true, { range, 'if-range': MODIFIED }, [200, ETAG, MODIFIED, '0123456789']],
    ['the whole file in a bucket', true, {}, [200, ETAG, MODIFIED, '0123456789']],
  ];
  for (const [title, mayDiffer, headers, expected] of rows)
    it(`are right for ${title}`, async () => {
      expect(await send(mayDiffer, headers)).to.deep.equal(expected);
    });
});
