import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openS3Service, type Fault, type S3Service } from '../fake-s3.ts';
import { profiles, startService, type Service } from './harness.ts';

const WAIT_MS = 20_000;

interface Raw {
  readonly status: number;
  readonly announced: number;
  readonly body: Buffer;
  /** Bytes received behind the announced length. */
  readonly beyond: Buffer;
  /** The service has ended the connection. */
  readonly ended: boolean;
}

/** One GET on a keep-alive connection, read until no more bytes arrive. */
const rawGet = (base: string, path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<Raw>((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => socket.destroy(new Error('no end in time')), WAIT_MS);
    const read = (ended: boolean): Raw | undefined => {
      const all = Buffer.concat(chunks);
      const at = all.indexOf('\r\n\r\n');
      if (at < 0) return undefined;
      const head = all.subarray(0, at).toString();
      const announced = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
      const rest = all.subarray(at + 4);
      return {
        status: Number(head.split(' ')[1]),
        announced,
        body: rest.subarray(0, announced),
        beyond: rest.subarray(announced),
        ended,
      };
    };
    const finish = (ended: boolean) => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      const raw = read(ended);
      if (raw) resolve(raw);
      else reject(new Error('no response'));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const raw = read(false);
      if (!raw || raw.body.length < raw.announced) return;
      // Surplus bytes would arrive immediately.
      clearTimeout(quiet);
      quiet = setTimeout(() => finish(false), 200);
    });
    socket.on('error', reject).on('end', () => finish(true));
    const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  });

/** Nothing beyond the announced length, and never a complete response with wrong bytes. */
function expectHonest(raw: Raw, right: Buffer, label: string): void {
  expect(raw.beyond.length, label).to.equal(0);
  if (raw.status >= 400) return;
  expect(raw.announced, label).to.equal(right.length);
  const isWhole = raw.body.length === raw.announced;
  if (isWhole) expect(raw.body.equals(right), label).to.equal(true);
  else expect(raw.ended, label).to.equal(true);
}

for (const profile of profiles)
  describe(`${profile}: contents with corrupt stored bytes`, function () {
    this.timeout(120_000);
    let service: Service;
    let bucket: S3Service;
    before(async () => {
      bucket = await openS3Service();
      service = await startService(profile, {
        LOG_LEVEL: 'fatal',
        OUTBOUND_ALLOW: `127.0.0.1:${bucket.port}`,
      });
    });
    after(async () => {
      await service.dispose();
      await bucket.close();
    });
    afterEach(() => bucket.injectFault());

    const files = [randomBytes(3_000), randomBytes(400_001)];
    const added = async (token: string) => {
      const ids: string[] = [];
      for (const [n, bytes] of files.entries()) {
        const { status, json, text } = await service.uploadAll(
          [[`f${n}.bin`, bytes]],
          {},
          { token },
        );
        expect(status, text).to.equal(200);
        ids.push(json.items[0].id);
        await service.settled(json.items[0].id, { token });
      }
      return ids;
    };
    const expectAllHonest = async (
      ids: readonly string[],
      token: string,
      label: string,
      mayRange = true,
    ) => {
      const share = async (id: string) =>
        (
          await service.call('POST', '/v1/shares', {
            token,
            body: { kind: 'file', resource_id: id },
          })
        ).json;
      for (const [n, id] of ids.entries()) {
        const right = files[n]!;
        const { token: link } = await share(id);
        expect(link, 'share token').to.be.a('string');
        for (const path of [
          `/v1/objects/${id}/content`,
          `/v1/objects/${id}/content?version=1`,
          `/v1/public/shares/${link}/objects/${id}/content`,
        ]) {
          const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br' };
          const whole = await rawGet(service.base, path, headers);
          expectHonest(whole, right, `${label} ${n} ${path}`);
          expect(whole.status === 404, path).to.equal(false);
          const [first, last] = [right.length - 40, right.length - 11];
          const range = `bytes=${first}-${last}`;
          const part = await rawGet(service.base, path, { ...headers, range });
          // Of a range the length alone can be judged.
          if (mayRange)
            expectHonest(part, right.subarray(first, last + 1), `${label} ${n} ${range}`);
          else expect(part.beyond.length).to.equal(0);
          if (part.status === 206) expect(part.announced).to.equal(30);
        }
        const head = await fetch(`${service.base}/v1/objects/${id}/content`, {
          method: 'HEAD',
          headers: { authorization: `Bearer ${token}` },
        });
        expect(head.headers.get('content-length')).to.equal(String(right.length));
      }
    };

    it('never complete a response, nor exceed it, when a bucket sends other bytes', async () => {
      const { token } = await service.newOwner();
      const { endpoint, region, accessKeyId, secretAccessKey } = bucket.place;
      const connected = await service.call('PUT', '/v1/integrations/s3', {
        token,
        body: {
          config: { endpoint, region, bucket: bucket.place.bucket, access_key_id: accessKeyId },
          secret: secretAccessKey,
        },
      });
      expect(connected.json.status, connected.text).to.equal('ok');
      const ids = await added(token);
      for (const fault of ['longer', 'shorter', 'swapped', 'unranged', 'overlong'] as Fault[]) {
        bucket.injectFault(({ operation }) => (operation === 'GetObject' ? fault : undefined));
        await expectAllHonest(ids, token, fault, fault !== 'swapped');
      }
      bucket.injectFault();
      const again = await rawGet(service.base, `/v1/objects/${ids[1]}/content`, {
        authorization: `Bearer ${token}`,
      });
      expect(again.body.equals(files[1]!)).to.equal(true);
      expect((await service.call('GET', '/v1/objects', { token })).status).to.equal(200);
    });

    it('never complete a response, nor exceed it, when files on disk are damaged', async function () {
      if ((await service.blobs()) === 0 && (process.env['BLOB_S3_URL'] ?? '') !== '') return;
      const { token } = await service.newOwner();
      const ids = await added(token);
      const folder = join(service.dataDir, 'blobs');
      const paths: string[] = [];
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) {
          const path = join(entry.parentPath, entry.name);
          const bytes = await readFile(path);
          if (files.some((file) => file.equals(bytes))) paths.push(path);
        }
      // If the service stores its files in a bucket, none are on disk.
      if (paths.length === 0) return;
      expect(paths.length).to.equal(2);
      const changes: readonly (readonly [
        string,
        (path: string, right: Buffer) => Promise<void>,
        boolean,
      ])[] = [
        ['longer', (path) => appendFile(path, 'more than there was'), true],
        ['shorter', (path, right) => truncate(path, right.length - 15), true],
        [
          'swapped',
          (path, right) => writeFile(path, Buffer.from(right.map((byte) => byte ^ 1))),
          false,
        ],
        ['empty', (path) => truncate(path, 0), true],
      ];
      for (const [label, change, mayRange] of changes) {
        const before = await Promise.all(paths.map((path) => readFile(path)));
        for (const [n, path] of paths.entries()) await change(path, before[n]!);
        await expectAllHonest(ids, token, label, mayRange);
        for (const [n, path] of paths.entries()) await writeFile(path, before[n]!);
      }
    });
  });
