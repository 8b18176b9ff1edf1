import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type {
  ChangeCursors,
  ChangeFeed,
  ChangeListener,
  ChangeSubscription,
  OwnerChange,
} from '../../ports/changes.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { ChangeChannels } from './change-channels.ts';
import { PendingChanges } from './pending-changes.ts';

/** A cursor that was not moved for so long is forgotten: a client that resumes there loads everything again. */
const KEPT_SECONDS = 30 * 86_400;
/** An unresponsive connection is closed after this time. */
const SILENCE_MS = 2_000;
const DISCONNECT_MS = 200;
const READY_MS = 1_000;
/** How long pending changes may delay the end of the process. */
const FLUSH_MS = 500;
const RETRY_MS = 1_000;
const PING_INTERVAL_MS = 10_000;
const MAX_BATCH_SIZE = 32;

/**
 * Moves the cursors and publishes the change in one step, so that cursors arrive in order. A cursor is a counter behind a
 * random name, both lost together. KEYS: cursor of `visible`, of `any`. ARGV: two names in case there are none, how far to
 * move each, the expiry in seconds, and if the change is to be published the channel and the change.
 */
const MOVE = `local cursors = {}
for i = 1, 2 do
  local isNew = redis.call('hsetnx', KEYS[i], 'name', ARGV[i]) == 1
  local by = tonumber(ARGV[i + 2])
  local count = redis.call('hincrby', KEYS[i], 'count', by)
  if isNew or by > 0 then redis.call('expire', KEYS[i], ARGV[5]) end
  cursors[i] = redis.call('hget', KEYS[i], 'name') .. '.' .. count
end
if ARGV[6] then
  redis.call('publish', ARGV[6], cursors[1] .. ' ' .. cursors[2] .. ' ' .. ARGV[7])
end
return cursors`;

type MovingRedis = Redis & {
  move(keys: number, ...keysAndValues: (string | number)[]): Promise<readonly [string, string]>;
};

export interface RedisChangeFeedOptions {
  readonly url: string;
  readonly prefix: string;
  /** Subscribed connections receive nothing for hours: only this detects an unresponsive Redis. */
  readonly pingIntervalMs?: number;
  /** Called at the start of an outage. */
  onOutage(error: unknown): void;
}

/**
 * Changes of all processes over one Redis. A lost connection ends the subscriptions of this process, since messages may
 * have been lost with it. Changes that cannot be published remain pending, merged by owner.
 */
export class RedisChangeFeed implements ChangeFeed {
  readonly #options: RedisChangeFeedOptions;
  readonly #redis: MovingRedis;
  readonly #receiver: Redis;
  readonly #channels: ChangeChannels;
  readonly #pending = new PendingChanges();
  readonly #ping: NodeJS.Timeout;
  #flushing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #status: 'open' | 'ending' | 'closed' = 'open';

  constructor(options: RedisChangeFeedOptions) {
    this.#options = options;
    this.#redis = connect(options.url) as MovingRedis;
    this.#receiver = connect(options.url);
    this.#channels = new ChangeChannels(this.#receiver, options.prefix);
    this.#redis.on('ready', () => this.#flush());
    // A failed ping closes the connection, which ends the subscriptions.
    const ping = () => void this.#receiver.ping().catch(() => undefined);
    this.#ping = setInterval(ping, options.pingIntervalMs ?? PING_INTERVAL_MS).unref();
  }

  publish(ownerId: string, change: OwnerChange): void {
    if (this.#status === 'closed') return;
    this.#pending.add(ownerId, change);
    this.#flush();
  }

  async subscribe(ownerId: string, listener: ChangeListener): Promise<ChangeSubscription> {
    if (this.#status !== 'open')
      throw new UnavailableError('changes', 'The process is shutting down.');
    let close: (() => void) | undefined;
    try {
      await Promise.all([ready(this.#redis), ready(this.#receiver)]);
      const entry = await this.#channels.add(ownerId, listener);
      close = entry.close;
      const start = await this.#move(ownerId);
      // The shutdown may have begun meanwhile.
      if (!entry.begin(start)) throw new Error('The subscription was ended.');
      return { start, close };
    } catch (error) {
      close?.();
      throw new UnavailableError('changes', 'Redis did not respond.', error);
    }
  }

  endSubscriptions(): void {
    if (this.#status === 'open') this.#status = 'ending';
    this.#channels.endAll();
  }

  async close(): Promise<void> {
    if (this.#status === 'closed') return;
    this.endSubscriptions();
    this.#status = 'closed';
    clearInterval(this.#ping);
    if (this.#pending.size > 0 || this.#flushing) {
      this.#flush();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      await Promise.race([this.#flushing, late]);
      clearTimeout(timer);
    }
    clearTimeout(this.#retry);
    this.#redis.disconnect();
    this.#receiver.disconnect();
  }

  /** Sends pending changes, batch after batch, until there are none or Redis fails. */
  #flush(): void {
    if (this.#flushing || this.#pending.size === 0) return;
    this.#flushing = this.#send()
      .catch((error: unknown) => {
        this.#options.onOutage(error);
        if (this.#status !== 'closed')
          this.#retry = setTimeout(() => this.#flush(), RETRY_MS).unref();
      })
      .finally(() => (this.#flushing = undefined));
  }

  async #send(): Promise<void> {
    while (this.#pending.size > 0) {
      // Changes of one event-loop tick are merged.
      await new Promise((resolve) => setImmediate(resolve));
      await ready(this.#redis);
      const batch = this.#pending.take(MAX_BATCH_SIZE);
      const sent = await Promise.allSettled(
        batch.map(([ownerId, change]) => this.#move(ownerId, change)),
      );
      let failure: Error | undefined;
      sent.forEach((result, n) => {
        const [ownerId, change] = batch[n] ?? [];
        if (result.status === 'fulfilled' || ownerId === undefined || !change) return;
        failure = result.reason as Error;
        this.#pending.add(ownerId, change);
      });
      if (failure) throw failure;
    }
  }

  /** Without a change the cursors are read. */
  async #move(ownerId: string, change?: OwnerChange): Promise<ChangeCursors> {
    const movesVisible = change !== undefined && change.visible.length > 0;
    const movesAny = movesVisible || (change !== undefined && change.hidden.length > 0);
    const { prefix } = this.#options;
    const [visible, any] = await this.#redis.move(
      2,
      ...[`${prefix}:visible:${ownerId}`, `${prefix}:any:${ownerId}`],
      ...[randomName(), randomName(), movesVisible ? 1 : 0, movesAny ? 1 : 0, KEPT_SECONDS],
      ...(change ? [this.#channels.nameOf(ownerId), JSON.stringify(change)] : []),
    );
    return { visible, any };
  }
}

const randomName = (): string => randomBytes(9).toString('base64url');

function connect(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    disconnectTimeout: DISCONNECT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    // A lost connection has ended its subscriptions.
    autoResubscribe: false,
    scripts: { move: { lua: MOVE } },
  });
  // Each failed command reports the error; without a listener the library would print it to the console.
  redis.on('error', () => undefined);
  return redis;
}

/** Waits until the connection can be used, with a limit. */
async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const found = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      redis.off('ready', found);
      reject(new Error('There is no connection to Redis.'));
    }, READY_MS);
    redis.once('ready', found);
  });
}
