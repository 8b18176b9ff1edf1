import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { newDataFolder } from '../backends-env.ts';
import { CLI, eventually, profiles, startService, type Service } from './harness.ts';
import { openRawConnection } from './raw-connection.ts';

const STRAY = join(import.meta.dirname, '../../drill/stray-errors.ts');
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\n';

interface Logged {
  readonly level: number;
  readonly msg: string;
  readonly kind?: string;
  readonly requestId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly underWay?: readonly { readonly requestId: string; readonly route: string }[];
  readonly err?: { readonly message: string; readonly stack: string };
}

const uncaughtIn = (service: Service): readonly Logged[] =>
  service
    .logged()
    .split('\n')
    .flatMap((line) => (line.includes('an uncaught error') ? [JSON.parse(line) as Logged] : []))
    .filter(({ level }) => level === 60);

for (const profile of profiles)
  describe(`${profile}: an uncaught error`, function () {
    this.timeout(60_000);
    let service: Service;
    beforeEach(async () => {
      service = await startService(profile, {
        NODE_OPTIONS: `--import=${STRAY}`,
        LOG_LEVEL: 'fatal',
      });
    });
    afterEach(() => service.dispose());

    const note = (content: string, headers: Record<string, string> = {}) =>
      service.call('POST', '/v1/objects/notes', { body: { content }, headers });

    for (const kind of ['timer', 'promise', 'stream'])
      it(`is logged with its request, without secrets (${kind})`, async () => {
        const exit = once(service.process, 'exit');
        const id = `stray-${kind}`;
        await note('Kept before.');
        const { json } = await service.call('GET', '/v1/objects');
        const path = `/v1/objects/${json.items[0].id}?token=owt_sesame`;
        const headers = { 'x-request-id': id, 'x-stray-error': kind };
        const { status } = await service.call('GET', path, { headers });
        expect(status).to.equal(200);
        await exit;
        const [entry, ...more] = uncaughtIn(service);
        expect(more).to.deep.equal([]);
        expect(entry).to.deep.include({
          requestId: id,
          method: 'GET',
          route: '/v1/objects/:object_id',
        });
        expect(entry?.err?.message).to.equal(`a stray error (${kind})`);
        expect(entry?.err?.stack).to.include('stray-errors');
        for (const secret of ['sesame', service.token, 'Kept before'])
          expect(service.logged()).not.to.include(secret);
      });

    it('ends the process with status 70, after the requests in flight are answered', async () => {
      const acknowledged = await note('Kept before.');
      const body = `${PART}${'the rest comes late '.repeat(2_000)}\r\n--b--\r\n`;
      const open = await openRawConnection(service.base);
      open.send(
        [
          'POST /v1/uploads HTTP/1.1',
          'Host: x',
          'X-Request-Id: under-way',
          `Authorization: Bearer ${service.token}`,
          'Content-Type: multipart/form-data; boundary=b',
          `Content-Length: ${body.length}`,
          `\r\n${body.slice(0, 10_000)}`,
        ].join('\r\n'),
      );
      await service.call('GET', '/v1/me');
      const exit = once(service.process, 'exit');
      service.process.kill('SIGUSR2');
      const refused = () =>
        fetch(`${service.base}/health`).then(
          () => false,
          () => true,
        );
      expect(await eventually(refused, (it) => it)).to.equal(true);
      open.send(body.slice(10_000));
      const { status, body: text } = await open.answer();
      expect(status, text).to.equal(200);
      expect(await exit).to.deep.equal([70, null]);
      const [entry] = uncaughtIn(service);
      expect(entry?.requestId).to.equal(undefined);
      expect(entry?.underWay).to.deep.equal([
        { requestId: 'under-way', method: 'POST', route: '/v1/uploads' },
      ]);
      service = await service.restart();
      for (const { id } of [JSON.parse(text).items[0], acknowledged.json])
        expect((await service.settled(id)).status).to.equal('ready');
    });

    it('returns tasks to the queue, so that another process runs them', async () => {
      const notes = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => note(`Written just before, ${nth}.`)),
      );
      const exit = once(service.process, 'exit');
      service.process.kill('SIGUSR2');
      expect(await exit).to.deep.equal([70, null]);
      service = await service.restart();
      for (const { json } of notes)
        expect((await service.settled(json.id)).status).to.equal('ready');
    });

    const besides = profile === 'team' ? it : undefined;
    besides?.('ends a worker in the same way', async () => {
      const worker = await service.worker();
      const exit = once(worker.process, 'exit');
      worker.process.kill('SIGUSR2');
      expect(await exit).to.deep.equal([70, null]);
      expect((await service.call('GET', '/v1/me')).status).to.equal(200);
    });
  });

describe('a service whose output can not be written', function () {
  this.timeout(60_000);
  let dataDir: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    dataDir = await newDataFolder();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('continues when its log is on a full disk, and shuts down gracefully when its output is closed', async () => {
    const full = openSync('/dev/full', 'w');
    const serving = spawn(process.execPath, [CLI, 'serve', '--json'], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'trace' },
      stdio: ['ignore', 'pipe', full],
    });
    child = serving;
    closeSync(full);
    const exit = once(serving, 'exit');
    const [line] = (await once(createInterface({ input: serving.stdout as Readable }), 'line')) as [
      string,
    ];
    serving.stdout?.destroy();
    const { listening } = JSON.parse(line) as { listening: string };
    for (let times = 0; times < 5; times++) {
      expect((await fetch(`${listening}/v1/me`)).status).to.equal(401);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    serving.kill('SIGTERM');
    expect(await exit).to.deep.equal([0, null]);
  });
});
