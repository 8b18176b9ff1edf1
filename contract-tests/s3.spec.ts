import { S3Client as AwsClient, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { startFauxqs } from 'fauxqs';
import { buildConnector } from 'undici';
import { createSsrfSafeConnector } from '../adapters/outbound/ssrf-guard.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { S3BlobStore, type S3Options } from '../adapters/s3/blob-store.ts';
import { bucketAddress, parseBucketUrl, type BucketLocation } from '../adapters/s3/bucket-url.ts';
import { S3Error } from '../adapters/s3/errors.ts';
import { messageFor } from '../adapters/s3/owner-messages.ts';
import { rootOf } from '../adapters/s3/response-checks.ts';
import { BlobNotFoundError, BlobTooLargeError, type BlobStore } from '../ports/blobs.ts';
import { UnavailableError } from '../ports/errors.ts';
import { openS3Service, type Asked, type Fault, type Habits, type S3Service } from './fake-s3.ts';
import { startLocalServer } from './local-server.ts';
import { blobStoreContract } from './suites/blob-store.ts';

const SECRET = 'open/ses+ame@9';
const PART = 5 * 2 ** 20;
const SILENCE = new Set<Fault>(['silent', 'deaf', 'stalled']);
const large = { maxBytes: 2 ** 27 };

const storeAt = (place: BucketLocation, options: Partial<S3Options> = {}) =>
  new S3BlobStore(place, {
    connector: (ms) =>
      createSsrfSafeConnector({ allowed: destinationOfUrl(bucketAddress(place)) }, ms),
    pauseMs: 2,
    ...options,
  });

async function collected(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function idsOf(blobs: BlobStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { blobId } of blobs.list()) ids.push(blobId);
  return ids;
}

/** Kilobytes of one letter, in chunks as a client sends them. */
async function* flowing(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

for (const pathStyle of [true, false])
  describe(`S3, the bucket in the ${pathStyle ? 'path' : 'host name'}: BlobStore`, () =>
    blobStoreContract(async () => {
      const service = await openS3Service(3);
      const blobs = storeAt({
        ...service.place,
        endpoint: `http://localhost:${service.port}`,
        pathStyle,
      });
      return {
        blobs,
        leftovers: async () => service.uploads.size,
        close: async () => {
          await blobs.close();
          await service.close();
        },
      };
    }));

describe('S3, an independent server: BlobStore', () =>
  blobStoreContract(async () => {
    const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    const { bucketName } = server.createBucket('papers');
    const blobs = storeAt({
      endpoint: `http://127.0.0.1:${server.port}`,
      region: 'us-east-1',
      bucket: bucketName,
      prefix: '',
      pathStyle: true,
      accessKeyId: 'test',
      secretAccessKey: 'test',
    });
    return {
      blobs,
      // This server does not list multipart uploads; the suite counts the objects.
      leftovers: async () => 0,
      close: async () => {
        await blobs.close();
        await server.stop();
      },
    };
  }));

describe('BLOB_S3_URL', () => {
  const good = (text: string): BucketLocation => {
    const place = parseBucketUrl(text);
    if ('wrong' in place) throw new Error(place.wrong);
    return place;
  };

  it('means AWS without an endpoint, with the bucket in the host name if possible', () => {
    const place = good('s3://AKID:a%2Fb+c@papers/office/main?region=eu-west-1');
    expect(place).to.deep.equal({
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      bucket: 'papers',
      prefix: 'office/main/',
      pathStyle: false,
      accessKeyId: 'AKID',
      secretAccessKey: 'a/b+c',
    });
    expect(bucketAddress(place)).to.equal('https://papers.s3.eu-west-1.amazonaws.com/');
    expect(bucketAddress(good('s3://a:b@pa.pers'))).to.equal(
      'https://s3.us-east-1.amazonaws.com/pa.pers/',
    );
  });

  it('specifies any other server by an endpoint or as the URL itself, with the bucket in the path', () => {
    const place = good('s3://a:b@papers?endpoint=http%3A%2F%2F127.0.0.1:9000&region=x');
    expect(bucketAddress(place)).to.equal('http://127.0.0.1:9000/papers/');
    expect(good('http://a:b@127.0.0.1:9000/papers/?region=x')).to.deep.equal(place);
    const other = good('https://a:b@s3.example.org/papers/deep?path_style=false');
    expect(bucketAddress(other)).to.equal('https://papers.s3.example.org/');
    expect(other.prefix).to.equal('deep/');
  });
});

describe('the S3 server of the specs', () => {
  let service: S3Service;
  before(async () => (service = await openS3Service()));
  after(() => service.close());

  const aws = (change: Partial<BucketLocation> = {}) => {
    const { endpoint, region, accessKeyId, secretAccessKey } = { ...service.place, ...change };
    return new AwsClient({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 1,
    });
  };
  const put = new PutObjectCommand({ Bucket: 'papers', Key: 'a b(1)/ä.txt', Body: 'lamp' });

  it('accepts signatures of another client, and rejects a wrong key, secret or region', async () => {
    await aws().send(put);
    const list = await aws().send(new ListObjectsV2Command({ Bucket: 'papers', Prefix: 'a b(' }));
    expect(list.Contents?.map(({ Key, Size }) => [Key, Size])).to.deep.equal([['a b(1)/ä.txt', 4]]);
    for (const [change, code] of [
      [{ secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
      [{ accessKeyId: 'other' }, 'InvalidAccessKeyId'],
      [{ region: 'other' }, 'AuthorizationHeaderMalformed'],
    ] as const) {
      const reported = await aws(change)
        .send(put)
        .catch((error: Error) => error.name);
      expect(reported).to.equal(code);
    }
  });
});

describe('the address of a bucket', () => {
  /** Names to which the SDK applies rules of AWS: other styles, other servers, other signatures. */
  const NAMES = ['papers', 'pa.pers', 'papers--use1-az4--x-s3', 'papers-s3alias', 'arn-aws-s3'];

  for (const bucket of NAMES)
    for (const pathStyle of [true, false])
      it(`is the configured one for ${bucket}, in the ${pathStyle ? 'path' : 'host name'}`, async () => {
        const requests: string[] = [];
        const site = await startLocalServer(({ url, headers }, response) => {
          requests.push(`${headers.host}${url?.replace(/\?.*/, '')}`);
          const [, scope] = /Credential=AKID\/\d{8}(\S+),/.exec(headers.authorization ?? '') ?? [];
          requests.push(String(scope));
          response.writeHead(404).end();
        });
        const connect = buildConnector({});
        const place = {
          endpoint: `http://s3.example:${site.port}`,
          region: 'eu-west-9',
          bucket,
          prefix: 'office/',
          pathStyle,
          accessKeyId: 'AKID',
          secretAccessKey: SECRET,
        };
        const blobs = storeAt(place, {
          connector: () => (options, callback) =>
            connect({ ...options, hostname: site.host }, callback),
        });
        const blobId = '01890000-0000-7000-8000-0000000000ab';
        await blobs.remove(blobId).catch(() => undefined);
        await blobs.check(1_000).catch(() => undefined);
        const { host, pathname } = new URL(bucketAddress(place));
        const signed = '/eu-west-9/s3/aws4_request';
        expect(requests).to.deep.equal([
          `${host}${pathname}office/blobs/ab/${blobId}`,
          signed,
          `${host}${pathname}`,
          signed,
        ]);
        await blobs.close();
        await site.close();
      });
});

/** Habits of servers, gateways and proxies, each with what it is known from. */
const HABITS: Readonly<Record<string, Partial<Habits>>> = {
  'HEAD without a length': { head: 'none' },
  'HEAD with length 0': { head: 'zero' },
  'HEAD with the length of a compressed file': { head: 'other' },
  'no HEAD': { head: 'not offered' },
  'a chunked GET': { get: 'chunked' },
  'a GET that ends with the connection': { get: 'closed' },
  'neither GET nor HEAD with a length': { get: 'chunked', head: 'none' },
  'PUT with 201': { put: 201 },
  'PUT with 202': { put: 202 },
  'PUT with 204': { put: 204 },
  'a document after PUT and DELETE': {
    body: '<?xml version="1.0"?><PutObjectResult/>',
    remove: 200,
  },
  'JSON after PUT and DELETE': { body: '{"ok":true}', put: 201, remove: 202 },
  'text after PUT and DELETE': { body: 'Created\n', put: 201, remove: 200 },
  'DELETE with 200': { remove: 200 },
  'DELETE with 202': { remove: 202 },
  'weak ETags': { tag: 'weak' },
  'ETags without quotes': { tag: 'unquoted' },
  'no ETags': { tag: 'none' },
  'no ETags and no lengths': { tag: 'none', get: 'chunked', head: 'none' },
  'an empty completion': { completed: 'empty' },
  'a completion without fields': { completed: 'bare' },
  'a completion after blank lines': { completed: 'padded' },
};

describe('S3 with the habits of other servers', function () {
  this.timeout(60_000);
  let service: S3Service;
  let blobs: S3BlobStore;
  beforeEach(async () => {
    service = await openS3Service();
    blobs = storeAt(service.place);
  });
  afterEach(async () => {
    await blobs.close();
    await service.close();
  });
  const small = randomBytes(3_000);
  const big = randomBytes(2 * PART + 17);

  for (const [name, habits] of Object.entries(HABITS)) {
    it(`accepts ${name}, in the check and in uploads alike`, async () => {
      Object.assign(service.habits, habits);
      await blobs.probe(5_000);
      expect(service.objects.size + service.uploads.size).to.equal(0);
      for (const bytes of [small, big]) {
        const { blobId } = await blobs.write(flowing(bytes), large);
        expect((await collected(blobs.read(blobId))).equals(bytes)).to.equal(true);
        const range = { first: 7, last: 999 };
        const part = await collected(blobs.read(blobId, range));
        expect(part.equals(bytes.subarray(7, 1_000))).to.equal(true);
        await blobs.remove(blobId);
      }
      expect(service.objects.size + service.uploads.size).to.equal(0);
    });

    it(`detects other bytes with ${name}`, async () => {
      Object.assign(service.habits, habits);
      for (const [operation, bytes] of [
        ['PutObject', small],
        ['UploadPart', big],
      ] as const) {
        service.injectFault((requested) =>
          requested.operation === operation ? 'lying' : undefined,
        );
        const failure = await blobs.write(flowing(bytes), large).catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(UnavailableError);
        expect(service.objects.size + service.uploads.size).to.equal(0);
      }
    });

    it(`resumes a broken response with ${name}`, async () => {
      Object.assign(service.habits, habits);
      const { blobId } = await blobs.write(flowing(big), large);
      let cuts = 0;
      service.injectFault(({ operation }) =>
        operation === 'GetObject' && habits.get !== 'closed' && cuts++ < 2 ? 'cut' : undefined,
      );
      expect((await collected(blobs.read(blobId))).equals(big)).to.equal(true);
    });
  }

  it('rejects a bucket in its check whose uploads fail, in one request or in parts', async () => {
    for (const operation of [
      'PutObject',
      'HeadObject',
      'GetObject',
      'CreateMultipartUpload',
      'UploadPart',
      'CompleteMultipartUpload',
    ]) {
      service.injectFault((requested) =>
        requested.operation === operation ? 'forbidden' : undefined,
      );
      const failure = await blobs.probe(5_000).catch((error: unknown) => error);
      expect(failure, operation).to.be.instanceOf(UnavailableError);
      expect(service.objects.size + service.uploads.size, operation).to.equal(0);
    }
  });

  it('takes no web page and no error document for an acknowledgement', async () => {
    for (const body of [
      '<!DOCTYPE html><title>Sign in</title>',
      ' <html><body>Sign in</body></html>',
      '<Error><Code>AccessDenied</Code></Error>',
      '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
    ]) {
      Object.assign(service.habits, { body, remove: 200 });
      const failure = await blobs.write(flowing(small), large).catch((error: unknown) => error);
      expect(failure, body).to.be.instanceOf(UnavailableError);
      const id = '01890000-0000-7000-8000-0000000000ab';
      const removal = await blobs.remove(id).catch((error: unknown) => error);
      expect(removal, body).to.be.instanceOf(UnavailableError);
    }
  });
});

describe('S3 under faults', function () {
  this.timeout(60_000);
  let service: S3Service;
  let blobs: S3BlobStore;
  const stores: S3BlobStore[] = [];
  beforeEach(async () => {
    service = await openS3Service(100);
    blobs = storeAt(service.place);
  });
  afterEach(async () => {
    for (const store of [blobs, ...stores.splice(0)]) await store.close();
    await service.close();
  });

  /** Injects the fault into the operation, so many times. With a silent server, timeouts are short. */
  const failing = (operation: string, fault: Fault, times = Infinity) => {
    let left = times;
    if (SILENCE.has(fault)) {
      stores.push(blobs);
      blobs = storeAt(service.place, { idleMs: 300 });
    }
    service.injectFault((requested: Asked) =>
      requested.operation === operation && left-- > 0 ? fault : undefined,
    );
  };
  const small = randomBytes(3_000);
  const big = randomBytes(2 * PART + 17);
  const write = (bytes: Buffer) => blobs.write(flowing(bytes), large);
  /** The error of a failure, with all its messages. */
  const failureOf = async (work: Promise<unknown>): Promise<UnavailableError> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(UnavailableError);
    const failure = error as UnavailableError;
    expect(failure.port).to.equal('storage');
    const all = `${failure.stack}${String(failure.cause)}${JSON.stringify(failure.cause)}`;
    expect(all).not.to.include(SECRET);
    expect(all).not.to.include('Signature=');
    return failure;
  };
  const nothingLies = () => {
    expect([...service.objects.keys()]).to.deep.equal([]);
    expect(service.uploads.size).to.equal(0);
  };

  const EVERY: readonly Fault[] = [
    'error',
    'busy',
    'forbidden',
    'page',
    'unknown',
    'nothing',
    'silent',
    'deaf',
    'dropped',
    'lost',
  ];

  for (const fault of [...EVERY, 'altered'] as const) {
    it(`leaves no part of a small file when writing it always fails with: ${fault}`, async () => {
      failing('PutObject', fault);
      await failureOf(write(small));
      nothingLies();
    });
  }

  for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])
    for (const fault of ['error', 'forbidden', 'page', 'nothing', 'deaf', 'lost'] as const)
      it(`leaves no part of a large file when ${operation} always fails with: ${fault}`, async () => {
        failing(operation, fault);
        await failureOf(write(big));
        nothingLies();
      });

  for (const operation of ['PutObject', 'HeadObject'])
    for (const fault of ['error', 'busy', 'page', 'nothing', 'dropped', 'lost', 'cut'] as const)
      it(`retries ${operation} after one ${fault}`, async () => {
        failing(operation, fault, 1);
        const { blobId } = await write(small);
        expect((await collected(blobs.read(blobId))).equals(small)).to.equal(true);
        expect(service.objects.size).to.equal(1);
      });

  for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])
    for (const fault of ['error', 'page', 'lost'] as const)
      it(`retries ${operation} after one ${fault}`, async () => {
        failing(operation, fault, 1);
        const { blobId } = await write(big);
        expect((await collected(blobs.read(blobId))).equals(big)).to.equal(true);
        expect(service.objects.size).to.equal(1);
        expect(service.uploads.size).to.equal(0);
      });

  it('does not retry a rejected request', async () => {
    failing('PutObject', 'forbidden');
    const { cause } = await failureOf(write(small));
    expect(String(cause)).to.include('403 (AccessDenied)');
    expect(service.asked.filter(({ operation }) => operation === 'PutObject')).to.have.length(1);
  });

  it('reads back its writes if ETags are not MD5, and detects other bytes', async () => {
    failing('PutObject', 'foreign');
    await write(small);
    const stored = [...service.objects.keys()];
    service.injectFault(({ operation }) => (operation === 'PutObject' ? 'altered' : undefined));
    await failureOf(write(small));
    const reads = service.asked.filter(({ operation }) => operation === 'GetObject');
    expect(reads.length).to.be.greaterThan(0);
    expect([...service.objects.keys()]).to.deep.equal(stored);
  });

  it('detects other bytes in one part of a large file', async () => {
    let part = 0;
    service.injectFault(({ operation }) =>
      operation === 'UploadPart' && ++part === 2 ? 'altered' : undefined,
    );
    await failureOf(write(big));
    nothingLies();
  });

  for (const fault of ['longer', 'shorter', 'overlong', 'unranged'] as const)
    it(`never returns more bytes than the range, and rejects, when the response is: ${fault}`, async () => {
      const { blobId } = await write(small);
      failing('GetObject', fault);
      const range = { first: 7, last: 15 };
      const chunks: Uint8Array[] = [];
      const reading = async () => {
        for await (const chunk of blobs.read(blobId, range)) chunks.push(chunk);
      };
      // A server that consistently returns other bytes than were written is detected by the reader.
      if (fault === 'longer') await reading();
      else if (fault === 'shorter') await reading();
      else await failureOf(reading());
      expect(Buffer.concat(chunks).length).to.be.at.most(9);
    });

  it('reads back the first writes and a sample of later ones, with any ETags of the server', async () => {
    stores.push(blobs);
    let drawn = 0.99;
    const random = () => drawn;
    blobs = storeAt(service.place, { readBack: { first: 2, oneIn: 4, random } });
    failing('PutObject', 'lying');
    for (let n = 0; n < 2; n++) {
      const { cause } = await failureOf(write(small));
      expect(String(cause)).to.match(/other bytes/);
      nothingLies();
    }
    // Of equal length, and never read.
    await write(small);
    service.objects.clear();
    drawn = 0.24;
    await failureOf(write(small));
    nothingLies();
  });

  it('follows no redirect: no signed request goes to another host', async () => {
    const canary = await startLocalServer((_, response) => response.end('stolen'));
    const site = await startLocalServer((_, response) =>
      response.writeHead(307, { location: `${canary.origin}/papers/x` }).end(),
    );
    stores.push(blobs);
    blobs = storeAt({ ...service.place, endpoint: site.origin });
    await failureOf(write(small));
    await failureOf(collected(blobs.read(randomUUID())));
    expect(site.visits()).to.be.greaterThan(0);
    expect(canary.visits()).to.equal(0);
    await site.close();
    await canary.close();
  });

  it('never repeats text of the server, except codes', async () => {
    failing('PutObject', 'odd');
    const { cause } = await failureOf(write(small));
    expect(messageFor(cause as S3Error)).to.equal(
      'The server rejected the request: status 400 (constructor).',
    );
    for (const code of ['<b>x</b>', 'a'.repeat(65), 'a\u0000b', 'a b', '__proto__', 'toString'])
      for (const kind of ['rejected', 'throttled', 'malformed', 'unreachable'] as const) {
        const words = messageFor(new S3Error(kind, 'words', 400, code));
        expect(words).to.match(/^[\w .,:()]{1,200}$/);
        if (/\W/.test(code)) expect(words).not.to.include(code);
      }
    expect(() => rootOf('<a><b></c>\u0007 <i>shown</i>')).to.throw(/^not XML$/);
  });

  for (const fault of EVERY)
    it(`reports a failure, and not a missing file, when the response is: ${fault}`, async () => {
      const { blobId } = await write(small);
      failing('GetObject', fault);
      await failureOf(collected(blobs.read(blobId)));
      await failureOf(collected(blobs.read(blobId, { first: 1, last: 9 })));
    });

  for (const fault of ['cut', 'stalled'] as const)
    it(`resumes where a body was ${fault}, and abandons the read when it always is`, async () => {
      const { blobId } = await write(big);
      failing('GetObject', fault, 2);
      expect((await collected(blobs.read(blobId))).equals(big)).to.equal(true);
      failing('GetObject', fault, 2);
      const range = { first: 7, last: PART + 8 };
      expect(
        (await collected(blobs.read(blobId, range))).equals(big.subarray(7, PART + 9)),
      ).to.equal(true);
      const { blobId: other } = await write(small);
      failing('GetObject', fault);
      await failureOf(collected(blobs.read(other)));
    });

  it('waits for a slow body that makes progress, but not beyond the timeout of the exchange', async () => {
    const { blobId } = await write(small);
    failing('GetObject', 'slow');
    expect((await collected(blobs.read(blobId))).equals(small)).to.equal(true);
    const hasty = storeAt(service.place, { totalMs: 100, tries: 1 });
    await failureOf(collected(hasty.read(blobId)));
    await hasty.close();
  });

  it('rejects a list that cannot be read completely, and returns a complete one without gaps', async () => {
    await write(small);
    for (const fault of [...EVERY, 'cut', 'stalled'] as const) {
      failing('ListObjectsV2', fault);
      await failureOf(idsOf(blobs));
      await failureOf(blobs.check(200));
    }
    service.injectFault();
    expect(await idsOf(blobs)).to.have.length(1);
    await blobs.check(200);
  });

  it('rejects a document that is truncated, nested too deeply, or ignored by the SDK', async () => {
    const nested = `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`;
    const root = (content: string) => `<ListBucketResult>${content}</ListBucketResult>`;
    for (const text of [
      '<ListBucketResult><IsTruncated>false</IsTruncated>',
      root('<Contents><Key>a</Key>'),
      root(nested),
      root('<Contents><Key>a</Key><LastModified>yesterday</LastModified></Contents>'),
      root('<Contents><Key>a</Key><Key>b</Key></Contents>'),
      '<!DOCTYPE a><!DOCTYPE b><ListBucketResult/>',
      `<Error><Code>${'x'.repeat(80)}</Code></Error>`,
      '<Error><Code>a</Code><Code>b</Code></Error>',
      '<Error>',
    ]) {
      const site = await startLocalServer((_, response) =>
        response.writeHead(200, { 'content-type': 'application/xml' }).end(text),
      );
      stores.push(blobs);
      blobs = storeAt({ ...service.place, endpoint: site.origin }, { tries: 1 });
      const { cause } = await failureOf(idsOf(blobs)).finally(() => site.close());
      const kind = text.startsWith('<Error><') ? 'throttled' : 'malformed';
      expect((cause as S3Error).kind, text.slice(0, 60)).to.equal(kind);
      expect((cause as S3Error).message).not.to.include('yesterday');
    }
  });

  it('releases the connection of a response that it rejects unread', async () => {
    const { blobId } = await write(big);
    let open = 0;
    const connect = buildConnector({});
    stores.push(blobs);
    blobs = storeAt(service.place, {
      tries: 1,
      connector: () => (options, callback) =>
        connect(options, (...[error, socket]) => {
          if (error) return callback(error, null);
          open++;
          socket.on('close', () => open--);
          callback(null, socket);
        }),
    });
    failing('GetObject', 'overlong');
    for (let n = 0; n < 12; n++)
      await failureOf(collected(blobs.read(blobId, { first: 7, last: 2 * PART - 100 })));
    for (let n = 0; open > 2 && n < 200; n++) await new Promise((wake) => setTimeout(wake, 10));
    expect(open).to.be.at.most(2);
  });

  it('reports a missing file only for an S3 error document', async () => {
    const { blobId } = await write(small);
    await blobs.remove(blobId);
    const why = await collected(blobs.read(blobId)).catch((error: unknown) => error);
    expect(why).to.be.instanceOf(BlobNotFoundError);
    const elsewhere = storeAt({ ...service.place, bucket: 'nowhere' });
    await failureOf(collected(elsewhere.read(blobId)));
    await failureOf(elsewhere.remove(blobId));
    await elsewhere.close();
  });

  it('reports a failed removal', async () => {
    const { blobId } = await write(small);
    for (const fault of ['error', 'forbidden', 'page', 'unknown', 'silent', 'dropped'] as const) {
      failing('DeleteObject', fault);
      await failureOf(blobs.remove(blobId));
      expect(service.objects.size).to.equal(1);
    }
    failing('DeleteObject', 'lost', 1);
    await blobs.remove(blobId);
    expect(service.objects.size).to.equal(0);
  });

  it('rejects wrong credentials without showing them', async () => {
    const stranger = storeAt({ ...service.place, secretAccessKey: `${SECRET}!` });
    const { cause } = await failureOf(stranger.write('x', large));
    expect(String(cause)).to.include('SignatureDoesNotMatch');
    await failureOf(stranger.check(500));
    await stranger.close();
    nothingLies();
  });

  it('connects only to destinations that the connector allows', async () => {
    const guarded = storeAt(service.place, {
      connector: (ms) => createSsrfSafeConnector({ allowed: [] }, ms),
    });
    await failureOf(guarded.write('x', large));
    await guarded.close();
    expect(service.asked).to.deep.equal([]);
  });

  it('removes the uploaded parts of a source that breaks off or is too large', async () => {
    async function* breaking() {
      yield* flowing(big);
      throw new RangeError('the client went away');
    }
    const broke = await blobs.write(breaking(), large).catch((error: unknown) => error);
    expect(broke).to.be.instanceOf(RangeError);
    const tooLarge = await blobs
      .write(flowing(big), { maxBytes: big.length - 1 })
      .catch((error: unknown) => error);
    expect(tooLarge).to.be.instanceOf(BlobTooLargeError);
    expect(service.asked.some(({ operation }) => operation === 'UploadPart')).to.equal(true);
    nothingLies();
  });

  it('removes nothing while the server is unavailable, and finds the leftovers later', async () => {
    async function* abandoned() {
      yield* flowing(big);
      await service.goOffline();
      throw new RangeError('everything went away');
    }
    const broke = await blobs.write(abandoned(), large).catch((error: unknown) => error);
    expect(broke).to.be.instanceOf(RangeError);
    expect(service.uploads.size).to.equal(1);
    await service.goOnline();
    const [[id, upload] = []] = service.uploads;
    if (!id || !upload) throw new Error('nothing was begun');
    for (let n = 0; n < 230; n++)
      service.uploads.set(`${id}-${n}`, {
        ...upload,
        key: upload.key,
      });
    service.uploads.set('other', { ...upload, key: 'elsewhere/blobs/x' });
    await blobs.removeAbandoned(upload.at.getTime() - 60_000);
    expect(service.uploads.size).to.equal(232);
    await blobs.removeAbandoned(Date.now() + 1);
    expect([...service.uploads.keys()]).to.deep.equal(['other']);
  });

  it('later finds the parts of a failed upload whose abort failed as well', async () => {
    service.injectFault(({ operation, query }) =>
      operation === 'AbortMultipartUpload' ||
      (operation === 'UploadPart' && query.get('partNumber') === '2')
        ? 'error'
        : undefined,
    );
    const { cause } = await failureOf(write(big));
    expect((cause as S3Error).code).to.equal('InternalError');
    expect([...service.uploads.values()].map(({ parts }) => [...parts.keys()])).to.deep.equal([
      [1],
    ]);
    await failureOf(blobs.removeAbandoned(Date.now() + 1));
    expect(service.uploads.size).to.equal(1);
    service.injectFault();
    await blobs.removeAbandoned(Date.now() + 1);
    nothingLies();
  });

  it('reads at most two unconfirmed parts ahead from a source', async () => {
    let given = 0;
    let ahead = 0;
    const letters = Buffer.alloc(65_536, 'a');
    async function* endless() {
      for (; given < 5 * PART; given += letters.length) {
        await new Promise(setImmediate);
        ahead = Math.max(ahead, given - service.received());
        yield letters;
      }
    }
    // The server is slower than the source.
    service.injectFault(({ operation }) => (operation === 'UploadPart' ? 'slow' : undefined));
    const { size } = await blobs.write(endless(), large);
    expect(size).to.equal(given);
    expect(ahead).to.be.at.most(2 * PART + letters.length);
  });

  it('sends a file that fits into one part in a single request', async () => {
    stores.push(blobs);
    blobs = storeAt(service.place, { readBack: { first: 0, oneIn: 2, random: () => 0.5 } });
    await write(big.subarray(0, PART));
    const created = service.asked.map(({ operation }) => operation);
    expect(created).to.deep.equal(['PutObject', 'HeadObject']);
  });

  it('lists only its own blobs', async () => {
    const { blobId } = await write(small);
    const [[key, stored] = []] = service.objects;
    if (!key || !stored) throw new Error('nothing was written');
    expect(key).to.equal(`office/blobs/${blobId.slice(-2)}/${blobId}`);
    for (const other of ['office/blobs/readme.txt', `office/blobs/zz/${blobId}`, 'blobs/aa/b'])
      service.objects.set(other, stored);
    expect(await idsOf(blobs)).to.deep.equal([blobId]);
  });

  it('returns the mark of the installation that claimed the bucket first', async () => {
    expect(await blobs.claimBucket('ours')).to.equal('ours');
    expect(await blobs.claimBucket('theirs')).to.equal('ours');
    expect(await idsOf(blobs)).to.deep.equal([]);
    failing('GetObject', 'error');
    await failureOf(blobs.claimBucket('ours'));
  });

  it('treats a new blob as new, even if the clock of the server is slow', async () => {
    const from = Date.now();
    await write(small);
    const [[key, stored] = []] = service.objects;
    if (!key || !stored) throw new Error('nothing was written');
    service.objects.set(key, { ...stored, modifiedAt: new Date(0) });
    for await (const { modifiedAt } of blobs.list()) expect(modifiedAt).to.be.at.least(from);
  });
});
