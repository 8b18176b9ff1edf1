import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FsBlobStore } from '../adapters/blobs-fs/blob-store.ts';
import { failFastRateCounter } from '../adapters/guards/rate-counter.ts';
import { InProcessJobQueue } from '../adapters/inprocess/job-queue.ts';
import { MemoryBlobStore } from '../adapters/memory/blob-store.ts';
import { MemoryRateCounter } from '../adapters/memory/rate-counter.ts';
import { argon2Hasher } from '../adapters/node/password-hasher.ts';
import { hmacKeyedDigest } from '../adapters/node/keyed-digest.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { sealedHasher } from '../adapters/node/sealed-hasher.ts';
import { RedisRateCounter } from '../adapters/redis/rate-counter.ts';
import { UnavailableError } from '../ports/errors.ts';
import type { RateCounter } from '../ports/rate-counter.ts';
import { REDIS_URL, selectedBackends } from './backends-env.ts';
import { blobStoreContract } from './suites/blob-store.ts';
import { jobQueueContract } from './suites/job-queue.ts';
import { passwordHasherContract } from './suites/password-hasher.ts';
import { rateCounterContract } from './suites/rate-counter.ts';
import { keyedDigestContract } from './suites/keyed-digest.ts';
import { sealerContract } from './suites/sealer.ts';

describe('memory: BlobStore', () =>
  blobStoreContract(async () => ({
    blobs: new MemoryBlobStore(),
    leftovers: async () => 0,
    close: async () => undefined,
  })));

describe('files: BlobStore', () =>
  blobStoreContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ow-blobs-'));
    return {
      blobs: await FsBlobStore.open(folder),
      leftovers: async () => (await readdir(join(folder, 'incoming'))).length,
      close: () => rm(folder, { recursive: true }),
    };
  }));

describe('files: folders that another program has deleted', () => {
  let folder: string;
  let blobs: FsBlobStore;
  const write = (blobId: string) => blobs.write('text', { maxBytes: 10, blobId });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-blobs-'));
    blobs = await FsBlobStore.open(folder);
    await write('first-ab');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const deleted of ['blobs/ab', 'blobs', 'incoming'])
    it(`are made again: ${deleted}`, async () => {
      await rm(join(folder, deleted), { recursive: true });
      for (const blobId of ['second-ab', 'third-ab', 'fourth-cd']) {
        await write(blobId);
        expect(await readFile(join(folder, 'blobs', blobId.slice(-2), blobId), 'utf8')).to.equal(
          'text',
        );
      }
      expect(await readdir(join(folder, 'incoming'))).to.deep.equal([]);
    });

  it('are not made in a volume that is no longer mounted', async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    const failure = await write('second-ab').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(UnavailableError);
    expect(await readdir(folder)).to.deep.equal([]);
  });
});

describe('in-process: JobQueue', () =>
  jobQueueContract((bounds) =>
    Promise.resolve(new InProcessJobQueue({ ...bounds, onFailure: () => undefined })),
  ));

describe('sealed: PasswordHasher', () => {
  const sealer = aesSealer('k'.repeat(40));
  const hasher = argon2Hasher();
  const sealed = sealedHasher(hasher, sealer);
  passwordHasherContract(() => sealed);

  it('seals every hash with the key', async () => {
    const stored = await sealed.hash('1234');
    expect(stored).not.to.include('$');
    expect(sealer.open(stored)).to.match(/^\$argon2id\$/);
  });

  it('accepts a hash from before hashes were sealed', async () => {
    const stored = await hasher.hash('1234');
    expect(await sealed.matches('1234', stored)).to.equal(true);
    expect(await sealed.matches('12345', stored)).to.equal(false);
  });

  it('matches nothing that is sealed with another key, changed or no hash at all', async () => {
    const foreign = await sealedHasher(hasher, aesSealer('o'.repeat(40))).hash('1234');
    const stored = await sealed.hash('1234');
    for (const other of [foreign, `${stored}A`, stored.slice(0, -4), '1234', ''])
      expect(await sealed.matches('1234', other), other).to.equal(false);
  });
});

describe('argon2: PasswordHasher', () => {
  passwordHasherContract(argon2Hasher);

  it('serves an owner while most guesses in the queue of visitors still wait', async () => {
    const visitors = argon2Hasher({ maxRunning: 1, maxWaiting: 64 });
    const owners = argon2Hasher();
    const hash = await owners.hash('1234');
    let answered = 0;
    const guesses = Array.from({ length: 1_000 }, () =>
      visitors.matches('wrong', hash).then(
        () => ++answered,
        (error: unknown) => error,
      ),
    );
    expect(await owners.matches('1234', hash)).to.equal(true);
    expect(answered).to.be.below(33);
    const ended = await Promise.all(guesses);
    expect(ended.filter((each) => typeof each === 'number')).to.have.length(65);
    expect(ended.filter((each) => each instanceof UnavailableError)).to.have.length(935);
  });

  it('rejects a hash that does not begin in time, and frees its slot', async () => {
    const passwords = argon2Hasher({ maxRunning: 1, maxWaiting: 8, maxWaitMs: 1 });
    const ends = await Promise.all(
      Array.from({ length: 9 }, () =>
        passwords.hash('1234').then(
          () => 'hashed',
          (error: unknown) => (error instanceof UnavailableError ? error.message : 'other'),
        ),
      ),
    );
    expect(ends[0]).to.equal('hashed');
    expect(ends).to.include('A password check did not begin in time.');
    expect(await passwords.matches('1234', await passwords.hash('1234'))).to.equal(true);
  });
});
describe('AES-256-GCM: Sealer', () => sealerContract(aesSealer));
describe('HMAC-SHA256: KeyedDigest', () => keyedDigestContract(hmacKeyedDigest));

const away: RateCounter = { hit: () => Promise.reject(new UnavailableError('counters', 'away')) };
const silent: RateCounter = { hit: () => new Promise(() => undefined) };
const bounded = (rates: RateCounter) =>
  failFastRateCounter(rates, { timeoutMs: 150, pauseMs: 1_000, onOutage: () => undefined });

describe('memory: RateCounter', () =>
  rateCounterContract(async () => ({
    rates: new MemoryRateCounter(),
    broken: bounded(away),
    silent: bounded(silent),
    close: async () => undefined,
  })));

if (selectedBackends().includes('redis'))
  describe('redis: RateCounter', () =>
    rateCounterContract(async () => {
      const mute = await silentServer();
      const port = (mute.address() as AddressInfo).port;
      const rates = new RedisRateCounter(REDIS_URL, `ow_test_${process.pid}_${Date.now()}`);
      const broken = new RedisRateCounter('redis://127.0.0.1:1', 'ow_test');
      const speechless = new RedisRateCounter(`redis://127.0.0.1:${port}`, 'ow_test');
      await rates.ready();
      return {
        rates: bounded(rates),
        broken: bounded(broken),
        silent: bounded(speechless),
        close: async () => {
          for (const each of [rates, broken, speechless]) await each.close();
          mute.close();
        },
      };
    }));

/** Accepts connections and never responds. */
function silentServer(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.on('error', () => socket.destroy()).unref());
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
