import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { InProcessChangeFeed } from '../adapters/inprocess/change-feed.ts';
import { RedisChangeFeed } from '../adapters/redis/change-feed.ts';
import type { ChangeKind, PublishedChange } from '../ports/changes.ts';
import { UnavailableError } from '../ports/errors.ts';
import { REDIS_URL, selectedBackends } from './backends-env.ts';
import { hasRedisServer, startRedis } from './redis-server.ts';
import { changeFeedContract } from './suites/change-feed.ts';

describe('in-process: ChangeFeed', () => {
  changeFeedContract(async () => {
    const feed = new InProcessChangeFeed(randomUUID());
    return { feed, another: async () => feed };
  });

  it('knows no cursor of another start of the process', async () => {
    const starts = await Promise.all(
      ['one', 'two'].map((name) =>
        new InProcessChangeFeed(name).subscribe('owner', {
          changed: () => undefined,
          ended: () => undefined,
        }),
      ),
    );
    expect(new Set(starts.flatMap(({ start }) => Object.values(start))).size).to.equal(4);
  });
});

const overRedis = (url: string, prefix: string) =>
  new RedisChangeFeed({ url, prefix, pingIntervalMs: 50, onOutage: () => undefined });

if (selectedBackends().includes('redis'))
  describe('redis: ChangeFeed', () =>
    changeFeedContract(async () => {
      const prefix = `ow-test:${randomUUID()}`;
      return {
        feed: overRedis(REDIS_URL, prefix),
        another: async () => overRedis(REDIS_URL, prefix),
      };
    }));

if (hasRedisServer)
  describe('redis: ChangeFeed while Redis is unavailable', function () {
    this.timeout(60_000);

    /** Subscribes as soon as Redis is reachable again. */
    async function subscribe(feed: RedisChangeFeed) {
      const changes: PublishedChange[] = [];
      const ended = Promise.withResolvers<void>();
      const listener = {
        changed: (change: PublishedChange) => void changes.push(change),
        ended: ended.resolve,
      };
      for (;;)
        try {
          const { start } = await feed.subscribe('owner', listener);
          return { start, changes, ended: ended.promise };
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error;
          await pause(20);
        }
    }

    const visible = (...kinds: readonly ChangeKind[]) => ({
      visible: kinds,
      hidden: [],
      access: false,
    });

    it('ends the subscriptions, and publishes the changes of the outage afterwards', async () => {
      const redis = await startRedis();
      const feed = overRedis(redis.url, 'outage');
      const other = overRedis(redis.url, 'outage');
      try {
        const before = await subscribe(feed);
        await redis.kill();
        await before.ended;
        const rejected = await feed
          .subscribe('owner', { changed: () => undefined, ended: () => undefined })
          .catch((error: unknown) => error);
        expect(rejected).to.be.instanceOf(UnavailableError);
        feed.publish('owner', visible('objects'));
        feed.publish('owner', visible('chats'));
        await redis.start();
        // Redis has lost all cursors: a count of 1 is that of the two changes, merged.
        let cursor: string;
        do cursor = (await subscribe(other)).start.visible;
        while (!cursor.endsWith('.1'));
        expect(cursor).not.to.equal(before.start.visible);
        expect(before.changes).to.deep.equal([]);
      } finally {
        await Promise.all([feed.close(), other.close()]);
        await redis.kill();
      }
    });

    it('ends the subscriptions to a Redis that does not respond any more', async () => {
      const redis = await startRedis();
      const feed = overRedis(redis.url, 'silent');
      try {
        const { ended } = await subscribe(feed);
        redis.signal('SIGSTOP');
        await ended;
      } finally {
        redis.signal('SIGCONT');
        await feed.close();
        await redis.kill();
      }
    });
  });
