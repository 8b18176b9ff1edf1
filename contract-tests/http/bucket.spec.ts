import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REDIS_URL } from '../backends-env.ts';
import { openS3Service, type S3Service } from '../fake-s3.ts';
import { CLI, eventually, profiles, startService, type Service } from './harness.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

for (const profile of profiles)
  describe(`${profile}: files in a bucket`, function () {
    this.timeout(120_000);
    let bucket: S3Service;
    let service: Service;
    before(async () => {
      bucket = await openS3Service();
      service = await startService(profile, { BLOB_S3_URL: bucket.url, LOG_LEVEL: 'warn' });
    });
    after(async () => {
      await service.dispose();
      await bucket.close();
    });
    afterEach(() => bucket.injectFault());

    const fetched = (path: string, headers = {}) =>
      fetch(service.base + path, {
        headers: { authorization: `Bearer ${service.token}`, ...headers },
      });
    const added = async (name: string, bytes: Uint8Array | string): Promise<string> => {
      const { status, json, text } = await service.upload(name, bytes);
      expect(status, text).to.equal(200);
      await service.settled(json.items[0].id);
      return json.items[0].id;
    };
    const doctor = (
      ...words: string[]
    ): Promise<{ code: number; stdout: string; stderr: string }> =>
      new Promise((resolve) => {
        const env = {
          PATH: process.env['PATH'],
          PROFILE: profile,
          DATA_DIR: service.dataDir,
          BLOB_S3_URL: bucket.url,
          ...(service.databaseUrl && { DATABASE_URL: service.databaseUrl, REDIS_URL }),
        };
        const args = [CLI, 'doctor', '--json', ...words];
        execFile(process.execPath, args, { env, cwd: service.dataDir }, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
        );
      });
    const storage = async () =>
      (await service.call('GET', '/health/deep')).json.checks.find(
        ({ name }: { name: string }) => name === 'storage',
      );
    /** A result is shown to all for ten seconds. */
    const storageOnce = (requested: string) =>
      eventually(storage, ({ status }) => status === requested, 20_000);
    const total = async () => (await service.call('GET', '/v1/objects')).json.total;

    it('stores, returns, ranges, archives and deletes them, and stores no part on disk', async () => {
      const small = 'The lamp of the lighthouse was lit at nine.';
      const large = randomBytes(12 * 2 ** 20 + 5);
      const text = await added('lamp.txt', small);
      const file = await added('large.bin', large);
      expect(existsSync(join(service.dataDir, 'blobs'))).to.equal(false);
      expect([...bucket.objects.keys()]).to.satisfy((keys: string[]) =>
        keys.every((key) => /^office\/(installation|blobs\/[\da-f]{2}\/[\da-f-]{36})$/.test(key)),
      );
      const whole = await fetched(`/v1/objects/${file}/content`);
      expect(sha256(new Uint8Array(await whole.arrayBuffer()))).to.equal(sha256(large));
      const range = { range: `bytes=${6 * 2 ** 20}-${6 * 2 ** 20 + 99}` };
      const part = await fetched(`/v1/objects/${file}/content`, range);
      expect(part.status).to.equal(206);
      expect(Buffer.from(await part.arrayBuffer())).to.deep.equal(
        large.subarray(6 * 2 ** 20, 6 * 2 ** 20 + 100),
      );
      const found = await service.call('GET', '/v1/search?q=lighthouse');
      expect(found.json.items[0].object.id).to.equal(text);
      const zip = await fetched('/v1/export');
      expect(zip.status).to.equal(200);
      const packed = Buffer.from(await zip.arrayBuffer());
      expect(packed.length).to.be.greaterThan(large.length);
      expect(packed.includes(large.subarray(0, 1_000))).to.equal(true);

      const sound = await doctor('--verify');
      expect(sound.stderr).to.equal('');
      expect(JSON.parse(sound.stdout).ok).to.equal(true);
      for (const id of [text, file]) {
        expect((await service.call('DELETE', `/v1/objects/${id}`)).status).to.equal(200);
        await service.call('DELETE', `/v1/objects/${id}?permanent=true`);
      }
      await eventually(
        async () => bucket.objects.size,
        (size) => size === 1,
      );
      expect([...bucket.objects.keys()]).to.deep.equal(['office/installation']);
      expect(bucket.uploads.size).to.equal(0);
    });

    it('reports missing, damaged and surplus blobs by the doctor', async () => {
      const kept = await added('kept.txt', 'Kept as it was.');
      const damaged = await added('damaged.txt', 'About to be damaged.');
      const entry = (text: string) => {
        const found = [...bucket.objects].find(([, { bytes }]) => bytes.toString() === text);
        if (!found) throw new Error(`${text} is not there`);
        return found;
      };
      const [key, stored] = entry('About to be damaged.');
      bucket.objects.set(key, { ...stored, bytes: Buffer.from('About to be damagéd') });
      const [lost] = entry('Kept as it was.');
      bucket.objects.delete(lost);
      // Both its id and the server date it to the past.
      const left = key.replace(/..\/[^/]+$/, 'aa/00000000-0000-7000-8000-0000000000aa');
      bucket.objects.set(left, { ...stored, modifiedAt: new Date(0) });
      const { code, stdout } = await doctor('--verify');
      expect(code).to.equal(1);
      const found = Object.fromEntries(
        JSON.parse(stdout).checks.map((it: { name: string; count: number }) => [it.name, it.count]),
      );
      expect(found).to.deep.include({
        rows_without_blob: 1,
        damaged_blobs: 1,
        blobs_without_row: 1,
      });
      bucket.objects.delete(left);
      for (const id of [kept, damaged])
        await service.call('DELETE', `/v1/objects/${id}?permanent=true`);
    });

    it('rejects uploads while the bucket is unavailable, still lists objects, and recovers', async () => {
      const id = await added('before.txt', 'It was there before.');
      const before = await total();
      expect(await storageOnce('ok')).to.deep.include({ status: 'ok' });
      const objects = bucket.objects.size;
      await bucket.goOffline();
      const refused = await service.upload('during.txt', 'It was not to be.');
      expect(refused.status, refused.text).to.equal(503);
      expect(refused.json.code).to.equal('unavailable');
      const note = { body: { content: 'Nor was this.' } };
      expect((await service.call('POST', '/v1/objects/notes', note)).status).to.equal(503);
      expect((await service.call('GET', '/v1/objects')).status).to.equal(200);
      expect((await service.call('GET', '/v1/search?q=before')).status).to.equal(200);
      expect((await fetched(`/v1/objects/${id}/content`)).status).to.equal(503);
      expect(await storageOnce('failed')).to.deep.include({ status: 'failed' });
      expect(await total()).to.equal(before);
      await bucket.goOnline();
      expect(await total()).to.equal(before);
      expect(bucket.objects.size).to.equal(objects);
      expect(await (await fetched(`/v1/objects/${id}/content`)).text()).to.equal(
        'It was there before.',
      );
      await added('after.txt', 'It goes on.');
      expect(await storageOnce('ok')).to.deep.include({ status: 'ok' });
    });

    it('stores no partial object when the bucket acknowledges bytes and loses them', async () => {
      const [before, objects] = [await total(), bucket.objects.size];
      const large = randomBytes(6 * 2 ** 20);
      for (const fault of ['page', 'altered', 'forbidden'] as const) {
        bucket.injectFault(({ operation }) => (/Put|Part/.test(operation) ? fault : undefined));
        for (const bytes of ['A few words.', large])
          expect((await service.upload('half.bin', bytes)).status).to.equal(503);
        bucket.injectFault();
      }
      expect(await total()).to.equal(before);
      expect(bucket.objects.size).to.equal(objects);
      expect(bucket.uploads.size).to.equal(0);
    });

    it('deletes bytes and parts left by an earlier process, and nothing else', async () => {
      const id = await added('mine.txt', 'This is mine.');
      const [, stored] = [...bucket.objects].at(-1) ?? [];
      if (!stored) throw new Error('nothing is stored');
      const old = new Date(Date.now() - 48 * 3_600_000);
      const hex = old.getTime().toString(16).padStart(12, '0');
      const blobId = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-0000000000aa`;
      const key = `office/blobs/aa/${blobId}`;
      bucket.objects.set(key, { ...stored, modifiedAt: old });
      bucket.uploads.set('left', { key, type: '', at: old, parts: new Map() });
      service = await service.restart();
      await eventually(
        async () => bucket.objects.has(key) || bucket.uploads.size > 0,
        (left) => !left,
      );
      expect(bucket.objects.has(key)).to.equal(false);
      expect(bucket.uploads.size).to.equal(0);
      expect((await fetched(`/v1/objects/${id}/content`)).status).to.equal(200);
    });

    it('deletes nothing in the bucket of another installation', async () => {
      const mark = bucket.objects.get('office/installation');
      if (!mark) throw new Error('the bucket has no mark');
      bucket.objects.set('office/installation', { ...mark, bytes: Buffer.from('another\n') });
      const [, stored = mark] = [...bucket.objects].find(([name]) => /blobs/.test(name)) ?? [];
      const key = 'office/blobs/bb/01900000-0000-7000-8000-0000000000bb';
      bucket.objects.set(key, { ...stored, modifiedAt: new Date(0) });
      bucket.asked.length = 0;
      service = await service.restart();
      await eventually(
        async () => service.logged(),
        (log) => log.split('garbage collection is disabled').length > 2,
      );
      expect(service.logged().split('garbage collection is disabled')).to.have.length.greaterThan(
        2,
      );
      expect(bucket.asked.filter(({ operation }) => /^List/.test(operation))).to.have.length(1);
      expect(bucket.objects.has(key)).to.equal(true);
      bucket.objects.set('office/installation', mark);
      service = await service.restart();
      await eventually(
        async () => bucket.objects.has(key),
        (there) => !there,
      );
      expect(bucket.objects.has(key)).to.equal(false);
    });

    it('reports unused files in the data folder, and starts while the bucket is unavailable', async () => {
      await mkdir(join(service.dataDir, 'blobs', 'aa'), { recursive: true });
      await writeFile(join(service.dataDir, 'blobs', 'aa', 'x'), 'x');
      service = await service.restart();
      expect(service.logged()).to.include('are ignored');
      await bucket.goOffline();
      service = await service.restart();
      expect((await service.call('GET', '/v1/objects')).status).to.equal(200);
      expect(service.logged()).to.include('is not responding');
      await bucket.goOnline();
      await added('again.txt', 'There again.');
    });

    it('killed during uploads it has every acknowledged one, and stores no other', async () => {
      const acknowledged = new Map<string, string>();
      let gone = false;
      const uploading = async (size: number) => {
        while (!gone) {
          const bytes = randomBytes(size);
          await service.upload(`${size}.bin`, bytes).then(
            ({ json }) => acknowledged.set(json.items[0].id, sha256(bytes)),
            () => (gone = true),
          );
        }
      };
      const all = Promise.all([3_000, 200_000, 7_000_000].map(uploading));
      await eventually(
        async () => acknowledged.size,
        (size) => size >= 5,
      );
      service = await service.restart('SIGKILL');
      await all;
      expect(acknowledged.size).to.be.at.least(5);
      for (const [id, hash] of acknowledged) {
        const bytes = await (await fetched(`/v1/objects/${id}/content`)).arrayBuffer();
        expect(sha256(new Uint8Array(bytes))).to.equal(hash);
        await service.settled(id);
      }
      // The leftovers are younger than a day. With several processes they are deleted later; a single process deletes
      // them at once.
      if (profile === 'standalone')
        await eventually(
          async () => bucket.uploads.size,
          (size) => size === 0,
        ).then((size) => expect(size).to.equal(0));
      const { stdout } = await doctor('--verify');
      expect(JSON.parse(stdout).ok).to.equal(true);
    });

    if (profile === 'team')
      it('is shared by processes that have no folder in common', async () => {
        const other = await service.beside({ DATA_DIR: join(service.dataDir, 'elsewhere') });
        const { json } = await other.upload('shared.txt', 'Written there, read here.');
        const read = await fetched(`/v1/objects/${json.items[0].id}/content`);
        expect(await read.text()).to.equal('Written there, read here.');
        expect(await other.stop()).to.equal(0);
      });

    it('does not start with a key, secret or bucket that the server rejects, and shows none of them', async () => {
      const secret = new URL(bucket.url).password;
      const folder = join(service.dataDir, 'another');
      for (const [wrong, code] of [
        [bucket.url.replace(secret, 'sesame'), 'SignatureDoesNotMatch'],
        [bucket.url.replace('AKIDTEST', 'AKIDWRONG'), 'InvalidAccessKeyId'],
        [bucket.url.replace('/papers/', '/nowhere/'), 'NoSuchBucket'],
      ] as const) {
        const { stderr } = await new Promise<{ stderr: string }>((resolve) => {
          const env = {
            PATH: process.env['PATH'],
            PROFILE: profile,
            PORT: '0',
            DATA_DIR: folder,
            BLOB_S3_URL: wrong,
            ...(service.databaseUrl && { DATABASE_URL: service.databaseUrl, REDIS_URL }),
          };
          execFile(
            process.execPath,
            [CLI, 'serve'],
            { env, timeout: 30_000 },
            (_error, _stdout, said) => resolve({ stderr: said }),
          );
        });
        expect(stderr).to.match(/^owner-workspace: BLOB_S3_URL: [^\n]*\n$/);
        expect(stderr).to.include(code);
        expect(stderr).not.to.include('sesame').and.not.include('AKID');
      }
    });
  });
