import { expect } from 'chai';
import { LANE_CONCURRENCY } from '../../core/processing/index.ts';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasRedisServer, startRedis, type RedisServer } from '../redis-server.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const REPLY = {
  title: 'A lamp',
  description: 'About a lamp.',
  summary: 'It tells of a lamp.',
  keywords: ['lamp'],
  doc_type: 'note',
  language: 'en',
  entities: {},
};
/** One connection for counting, two for queries and notifications, two for changes, one for each lane and for tasks without a lane. */
const CONNECTIONS = 5 + Object.keys(LANE_CONCURRENCY).length;

if (profiles.includes('team') && hasRedisServer)
  describe('team: two servers, one worker, and an intermittent Redis', function () {
    this.timeout(120_000);
    let redis: RedisServer;
    let model: ModelService;
    let one: Service;
    let two: Service;
    let worker: Awaited<ReturnType<Service['worker']>>;
    before(async () => {
      redis = await startRedis();
      model = await openModelService();
      model.plays({ pieces: [JSON.stringify(REPLY)] });
      one = await startService('team', {
        REDIS_URL: redis.url,
        RATE_COUNTER_MS: '1000',
        LOG_LEVEL: 'fatal',
        LLM_URL: `${model.origin}/v1`,
        LLM_MODEL: 'house-9b',
      });
      [two, worker] = await Promise.all([one.beside(), one.worker()]);
    });
    after(async () => {
      redis.signal('SIGCONT');
      await Promise.all([worker.stop('SIGKILL'), two.stop('SIGKILL')]);
      await one.dispose();
      await model.close();
      await redis.kill();
    });

    const checks = async (service: Service): Promise<Record<string, string>> => {
      const { json } = await service.call('GET', '/health/deep');
      return Object.fromEntries(
        json.checks.map(({ name, status }: { name: string; status: string }) => [name, status]),
      );
    };
    const shared = (state: string) => (found: Record<string, string>) =>
      found['queue'] === state && found['counters'] === state;
    const connections = async () =>
      String(await redis.ask('client', 'list')).match(/name=/g)?.length ?? 0;

    it('has a Redis connection for each lane in workers, and reports a shared queue', async () => {
      for (const service of [one, two])
        expect(await eventually(() => checks(service), shared('ok'))).to.include({ queue: 'ok' });
      // One more for queries.
      const expected = 3 * CONNECTIONS + 1;
      expect(await eventually(connections, (count) => count === expected)).to.equal(expected);
    });

    it('processes every acknowledged upload exactly once, in any state of Redis', async () => {
      const sent: string[] = [];
      let broken = 0;
      const upload = async (count: number) => {
        for (let n = 0; n < count; n++) {
          const at = sent.length + broken;
          const service = at % 2 ? one : two;
          const answer =
            at % 4 === 3
              ? await service.upload(`broken-${at}.pdf`, `%PDF-1.7 not one ${at}`)
              : await service.upload(`lamp-${at}.txt`, `Lamp number ${at} is lit at dusk.`);
          expect(answer.status).to.equal(200);
          if (at % 4 === 3) broken++;
          else sent.push(answer.json.items[0].id);
        }
      };
      await upload(4);
      await redis.kill();
      await upload(6);
      expect(await eventually(() => checks(one), shared('failed'))).to.include({
        queue: 'failed',
        counters: 'failed',
        database: 'ok',
      });
      // Work continues while Redis is unavailable.
      for (const id of sent) expect((await one.settled(id)).status).to.equal('ready');
      await redis.start();
      await upload(2);
      for (const service of [one, two])
        expect(await eventually(() => checks(service), shared('ok'))).to.include({ queue: 'ok' });
      await upload(4);
      redis.signal('SIGSTOP');
      await upload(4);
      redis.signal('SIGCONT');

      for (const id of sent)
        expect(await two.settled(id)).to.deep.include({ status: 'ready', version: 1 });
      const count = async (path: string) => (await one.call('GET', path)).json;
      const { items } = await count('/v1/usage');
      const paid = items.find(({ metric }: { metric: string }) => metric === 'enrichments');
      expect(paid.used).to.equal(sent.length);
      const event = await eventually(
        async () => (await count('/v1/notifications?limit=100')).items,
        (reported) => reported.length >= sent.length + broken,
      );
      const subjects = event.map(
        (item: { payload: { object_id: string } }) => item.payload.object_id,
      );
      expect(subjects).to.have.length(sent.length + broken);
      expect(new Set(subjects).size).to.equal(subjects.length);
      const { items: found } = await count('/v1/search?q=dusk&limit=100');
      expect(found).to.have.length(sent.length);
    });

    it('stops in time while Redis does not respond', async () => {
      redis.signal('SIGSTOP');
      expect(await Promise.all([worker.stop(), two.stop()])).to.deep.equal([0, 0]);
    });
  });
