import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { join } from 'node:path';
import { profiles, startService, type Answer, type Service } from './harness.ts';
import { openRelay } from './raw-connection.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

if (profiles.includes('standalone'))
  describe('standalone: a database locked by another process', function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => {
      service = await startService('standalone', { LOG_LEVEL: 'fatal' });
    });
    after(() => service.dispose());

    it('serves reads while another process holds the lock; writes wait, or get Retry-After', async () => {
      const { id } = (await service.upload('read.txt', 'Read me meanwhile.')).json.items[0];
      await service.settled(id);
      const other = new BetterSqlite3(join(service.dataDir, 'workspace.db'));
      other.exec('begin immediate');
      const note = (content: string) =>
        service.call('POST', '/v1/objects/notes', { body: { content } });
      let held = true;
      const refused = note('too long').finally(() => (held = false));
      let readsMeanwhile = 0;
      let patient: Promise<Answer> | undefined;
      const began = performance.now();
      try {
        while (held) {
          const answers = await Promise.all([
            service.call('GET', '/health', { token: null }),
            service.call('GET', '/v1/objects'),
            service.call('GET', `/v1/objects/${id}/text`),
            service.call('GET', '/v1/search?q=meanwhile'),
          ]);
          for (const { status } of answers) expect(status).to.equal(200);
          readsMeanwhile++;
          if (performance.now() - began > 5_000) patient ??= note('just in time');
          await pause(20);
        }
      } finally {
        other.exec('rollback');
        other.close();
      }
      const { status, json, headers } = await refused;
      expect([status, json.code]).to.deep.equal([503, 'unavailable']);
      expect(Number(headers.get('retry-after'))).to.be.at.least(1);
      expect((await patient)?.status).to.equal(200);
      expect((await note('afterwards')).status).to.equal(200);
      expect(readsMeanwhile).to.be.above(5);
    });
  });

if (profiles.includes('team'))
  describe('team: an unavailable database', function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => {
      service = await startService('team', { LOG_LEVEL: 'fatal' });
    });
    after(() => service.dispose());

    it('responds with Retry-After while Postgres is down or hangs, and recovers automatically', async () => {
      const url = new URL(service.databaseUrl ?? '');
      const far = { hostname: url.hostname, port: Number(url.port) || 5432 };
      const postgres = await openRelay(far);
      url.host = postgres.address;
      const other = await service.beside({ DATABASE_URL: url.href });
      const ask = () =>
        Promise.all([
          other.call('GET', '/v1/objects'),
          other.call('POST', '/v1/objects/notes', { body: { content: 'x' } }),
        ]);
      try {
        for (const mode of ['cut', 'hang'] as const) {
          postgres.become(mode);
          for (const { status, json, headers } of await ask()) {
            expect(status, mode).to.equal(503);
            expect(Object.keys(json)).to.have.members(['detail', 'code']);
            expect(json.code).to.equal('unavailable');
            expect(json.detail).not.to.match(/postgres|sql|127\.|timeout/i);
            expect(Number(headers.get('retry-after'))).to.be.at.least(1);
          }
          expect((await other.call('GET', '/health', { token: null })).status).to.equal(200);
        }
        postgres.become('pass');
        const deadline = Date.now() + 10_000;
        while ((await ask()).some(({ status }) => status !== 200) && Date.now() < deadline)
          await pause(50);
        for (const { status } of await ask()) expect(status).to.equal(200);
      } finally {
        await other.stop('SIGKILL');
        postgres.close();
      }
    });
  });
