import { expect } from 'chai';
import { join } from 'node:path';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

for (const profile of profiles)
  describe(`${profile}: the trash`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => (service = await startService(profile, { TRASH_DAYS: '3' })));
    after(() => service.dispose());

    const created = async (names: readonly string[]): Promise<string[]> => {
      const files = names.map((name) => [name, `The bytes of ${name}.`] as const);
      const { json } = await service.uploadAll(files);
      return json.items.map(({ id }: { id: string }) => id);
    };
    const bulk = async (ids: readonly string[], action: string) => {
      const { json } = await service.call('POST', '/v1/objects/bulk', { body: { ids, action } });
      expect(json.done).to.deep.equal(ids);
    };
    const total = async (query: string): Promise<number> =>
      (await service.call('GET', `/v1/objects?${query}`)).json.total;
    const status = async (id: string) => (await service.call('GET', `/v1/objects/${id}`)).status;
    /** As if they had been moved to the trash so long ago. */
    const age = async (ids: readonly string[], ms: number) => {
      const { owner } = (await service.call('GET', '/v1/me')).json;
      const database = service.databaseUrl
        ? openPostgres(service.databaseUrl)
        : openSqlite(join(service.dataDir, 'workspace.db'));
      try {
        // In the owner's critical section, so that no concurrent task undoes the change.
        await database.write(owner.id, async (sql) => {
          for (const id of ids)
            await sql.run('update objects set deleted_at = deleted_at - ? where id = ?', [ms, id]);
        });
      } finally {
        await database.close();
      }
    };
    const counts = async (): Promise<Record<string, number>> => {
      // Exit status 1 would reject.
      const { ok, checks } = await service.cli('doctor', '--verify');
      expect(ok).to.equal(true);
      return Object.fromEntries(
        checks
          .filter(({ count }: { count: number }) => count > 0)
          .map(({ name, count }: { name: string; count: number }) => [name, count]),
      );
    };
    const cleared = () => eventually(counts, (found) => Object.keys(found).length === 0, 20_000);

    it('is purged of exactly the objects past their retention, hidden or not', async () => {
      const [stays] = await created(['stays.txt']);
      const [past, hidden, nearly, fresh, restored] = (await created([
        'past.txt',
        'hidden.txt',
        'nearly.txt',
        'fresh.txt',
        'restored.txt',
      ])) as [string, string, string, string, string];
      await bulk([hidden], 'hide');
      await bulk([past, hidden, nearly, fresh, restored], 'trash');
      await age([past, hidden, restored], 3 * DAY_MS + MINUTE_MS);
      await age([nearly], 3 * DAY_MS - 10 * MINUTE_MS);
      await bulk([restored], 'restore');
      await service.call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      service = await service.restart();
      expect(
        await eventually(
          () => status(past),
          (code) => code === 404,
        ),
      ).to.equal(404);
      const unlocked = await service.call('POST', '/v1/hidden-pin/unlock', {
        body: { pin: '8642' },
      });
      const headers = { 'x-hidden-token': unlocked.json.token };
      const gone = await eventually(
        async () => (await service.call('GET', `/v1/objects/${hidden}`, { headers })).status,
        (code) => code === 404,
      );
      expect(gone).to.equal(404);
      expect(await cleared()).to.deep.equal({});
      for (const id of [stays ?? '', nearly, fresh, restored])
        expect(await status(id)).to.equal(200);
      expect([await total('trashed=1'), await total('')]).to.deep.equal([2, 2]);
    });

    it('is purged completely in one run, with any number of objects', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 3; i++)
        ids.push(...(await created(Array.from({ length: 90 }, (_, n) => `${i}-${n}.txt`))));
      await bulk(ids, 'trash');
      await age(ids, 4 * DAY_MS);
      service = await service.restart();
      const left = await eventually(
        () => total('trashed=1'),
        (count) => count === 2,
        30_000,
      );
      expect(left).to.equal(2);
      expect(await cleared()).to.deep.equal({});
    });
  });
