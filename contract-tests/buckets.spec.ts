import { S3Client as AwsClient, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { startFauxqs } from 'fauxqs';
import { MemoryBuckets } from '../adapters/memory/buckets.ts';
import { createSsrfSafeConnector } from '../adapters/outbound/ssrf-guard.ts';
import { privateNetworks } from '../adapters/outbound/destination-policy.ts';
import { S3BlobStore, type S3Options } from '../adapters/s3/blob-store.ts';
import { S3Buckets } from '../adapters/s3/buckets.ts';
import type { BucketAddress } from '../ports/buckets.ts';
import { openS3Service, type Fault, type S3Service } from './fake-s3.ts';
import { startLocalServer } from './local-server.ts';
import { blobStoreContract } from './suites/blob-store.ts';
import { bucketsContract } from './suites/buckets.ts';

const near = (ms: number) => createSsrfSafeConnector({ allowed: privateNetworks() }, ms);
const s3Buckets = (options: Partial<S3Options> = {}) =>
  new S3Buckets(async () => ({ connector: near, pauseMs: 2, ...options }));

const IMAGINED: BucketAddress = {
  endpoint: null,
  region: 'eu-west-9',
  bucket: 'papers',
  prefix: '',
  forcePathStyle: false,
  accessKeyId: 'AKID',
  secretAccessKey: 'open sesame',
};

const addressOf = (service: S3Service): BucketAddress => {
  const { pathStyle, prefix, ...rest } = service.place;
  return { ...rest, prefix: prefix.replace(/\/$/, ''), forcePathStyle: pathStyle };
};

/** A closed port. */
async function deserted(): Promise<string> {
  const site = await startLocalServer(() => undefined);
  await site.close();
  return site.origin;
}

describe('buckets in memory: Buckets', () =>
  bucketsContract(() => {
    const address = IMAGINED;
    const buckets = new MemoryBuckets(({ bucket, secretAccessKey }) =>
      bucket === 'missing'
        ? 'There is no such bucket.'
        : bucket === 'away'
          ? 'The server is away.'
          : secretAccessKey === address.secretAccessKey
            ? undefined
            : 'The secret is wrong.',
    );
    return Promise.resolve({
      buckets,
      address,
      wrongSecret: { ...address, secretAccessKey: 'guessed it' },
      missing: { ...address, bucket: 'missing' },
      away: { ...address, bucket: 'away' },
      lying: async () => {
        let number = 0;
        for await (const entry of buckets.at(address).list()) number += entry.blobId ? 1 : 0;
        return number;
      },
      close: () => buckets.close(),
    });
  }));

describe('buckets on a server that verifies signatures: Buckets', () =>
  bucketsContract(async () => {
    const service = await openS3Service();
    const buckets = s3Buckets();
    const address = addressOf(service);
    return {
      buckets,
      address,
      wrongSecret: { ...address, secretAccessKey: `${address.secretAccessKey}!` },
      missing: { ...address, bucket: 'elsewhere' },
      away: { ...address, endpoint: await deserted() },
      lying: () => Promise.resolve(service.objects.size),
      close: async () => {
        await buckets.close();
        await service.close();
      },
    };
  }));

describe('a bucket in memory: BlobStore', () =>
  blobStoreContract(() => {
    const buckets = new MemoryBuckets();
    return Promise.resolve({
      blobs: buckets.open(IMAGINED),
      leftovers: () => Promise.resolve(0),
      close: () => buckets.close(),
    });
  }));

describe('a bucket on a server that verifies signatures: BlobStore', () =>
  blobStoreContract(async () => {
    const service = await openS3Service();
    const buckets = s3Buckets();
    return {
      blobs: buckets.open(addressOf(service)),
      leftovers: () => Promise.resolve(service.uploads.size),
      close: async () => {
        await buckets.close();
        await service.close();
      },
    };
  }));

describe('buckets on an independent server: Buckets', () =>
  bucketsContract(async () => {
    const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    const { bucketName } = server.createBucket('papers');
    const buckets = s3Buckets();
    const endpoint = `http://127.0.0.1:${server.port}`;
    const address = {
      endpoint,
      region: 'us-east-1',
      bucket: bucketName,
      prefix: 'deep/down',
      forcePathStyle: true,
      accessKeyId: 'test',
      secretAccessKey: 'test secret',
    };
    const aws = new AwsClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      forcePathStyle: true,
    });
    return {
      buckets,
      address,
      missing: { ...address, bucket: 'elsewhere' },
      away: { ...address, endpoint: await deserted() },
      lying: async () =>
        (await aws.send(new ListObjectsV2Command({ Bucket: bucketName }))).KeyCount ?? 0,
      close: async () => {
        aws.destroy();
        await buckets.close();
        await server.stop();
      },
    };
  }));

describe('S3 buckets', function () {
  this.timeout(30_000);
  let service: S3Service;
  let buckets: S3Buckets;
  beforeEach(async () => {
    service = await openS3Service();
    buckets = s3Buckets({ idleMs: 300 });
  });
  afterEach(async () => {
    await buckets.close();
    await service.close();
  });

  /** The result of the check when the operation fails in this way. */
  const messageOf = async (operation: string, fault: Fault, timeoutMs = 1_000): Promise<string> => {
    service.injectFault((requested) => (requested.operation === operation ? fault : undefined));
    const found = await buckets.check(addressOf(service), timeoutMs);
    return found.ok ? 'ok' : found.reason;
  };

  it('report errors, and leave no probe where it can be removed', async () => {
    for (const [operation, fault, reported] of [
      ['PutObject', 'page', /not an S3 server: a web page/],
      ['PutObject', 'nothing', /not an S3 server: no ETag/],
      ['PutObject', 'forbidden', /not have permission/],
      ['PutObject', 'error', /temporarily unavailable: status 500 \(InternalError\)/],
      ['PutObject', 'silent', /not answer in time/],
      ['PutObject', 'deaf', /not answer in time/],
      ['PutObject', 'lost', /cannot be reached, or the connection was lost/],
      ['PutObject', 'altered', /other bytes/],
      ['GetObject', 'forbidden', /not have permission/],
      ['GetObject', 'page', /not an S3 server/],
      ['GetObject', 'stalled', /not answer in time/],
      ['GetObject', 'cut', /connection was lost/],
      ['GetObject', 'unknown', /not an S3 server/],
    ] as const) {
      expect(await messageOf(operation, fault), `${operation} ${fault}`).to.match(reported);
      expect(service.objects.size, `${operation} ${fault}`).to.equal(0);
    }
    expect(await messageOf('DeleteObject', 'forbidden')).to.match(/not have permission/);
    expect(await messageOf('DeleteObject', 'silent')).to.match(/not answer in time/);
  });

  it('report a bucket in another region or behind a redirect, and follow no redirect', async () => {
    const address = addressOf(service);
    const elsewhere = await buckets.check({ ...address, region: 'other' }, 1_000);
    expect(elsewhere).to.deep.include({
      reason: 'The bucket is in another region or at another address.',
    });
    const site = await startLocalServer((_request, response) => {
      response.writeHead(307, { location: `${service.place.endpoint}/papers/x` }).end();
    });
    const before = service.asked.length;
    const redirected = await buckets.check({ ...address, endpoint: site.origin }, 1_000);
    expect(redirected).to.deep.equal(elsewhere);
    expect(service.asked).to.have.length(before);
    await site.close();
  });

  it("show only error codes of a server's response", async () => {
    const site = await startLocalServer((_request, response) => {
      const text = '<Error><Code>Give me the secret, please</Code></Error>';
      response.writeHead(400, { 'content-type': 'application/xml' }).end(text);
    });
    const found = await buckets.check({ ...addressOf(service), endpoint: site.origin }, 1_000);
    expect(found).to.deep.equal({
      ok: false,
      reason: 'The server rejected the request: status 400.',
    });
    await site.close();
  });

  it('connect only to destinations that the policy allows', async () => {
    const guarded = new S3Buckets(async () => ({
      connector: (ms) => createSsrfSafeConnector({ allowed: [] }, ms),
    }));
    const found = await guarded.check(addressOf(service), 1_000);
    expect(found.ok ? '' : found.reason).to.match(/not one that this service connects to/);
    expect(service.asked).to.deep.equal([]);
    await guarded.close();
  });

  it('that hang are not used for a while, until they respond', async () => {
    const address = addressOf(service);
    const hasty = s3Buckets({ idleMs: 1_000, tries: 1 });
    const blobs = hasty.open(address);
    service.injectFault(() => 'silent');
    const write = () =>
      blobs.write('x', { maxBytes: 9 }).then(
        () => 'written',
        (error: unknown) => (error as Error).message,
      );
    expect(await write()).to.equal('The server did not answer in time.');
    service.injectFault();
    const requested = service.asked.length;
    expect(await write()).to.equal('The server did not answer in time.');
    expect(service.asked).to.have.length(requested);
    expect(await hasty.check(address, 1_000)).to.deep.equal({ ok: true });
    expect(await write()).to.equal('written');
    await hasty.close();
  });

  it("are separate from the service's storage in the same bucket, whose sweep removes unknown keys", async () => {
    const blobs = buckets.open(addressOf(service));
    const { blobId } = await blobs.write('a lantern', { maxBytes: 9 });
    const own = new S3BlobStore(service.place, { connector: near });
    try {
      const [stored, known]: [string[], string[]] = [[], []];
      for await (const entry of own.list()) known.push(entry.blobId);
      for await (const entry of blobs.list()) stored.push(entry.blobId);
      expect(known).to.deep.equal([]);
      expect(stored).to.include(blobId);
    } finally {
      await own.close();
      await blobs.remove(blobId);
    }
  });

  it('are cached in a limited number, however often a secret changes', async () => {
    const address = addressOf(service);
    for (let n = 0; n < 70; n++)
      await buckets
        .open({ ...address, secretAccessKey: `secret ${n}` })
        .remove('ffffffff-0000-7000-8000-000000000000')
        .catch(() => undefined);
    expect(buckets.clients).to.be.at.most(50);
  });
});
