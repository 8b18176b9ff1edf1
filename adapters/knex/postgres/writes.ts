import { createHash } from 'node:crypto';
import { PortFailure } from '../../../ports/failures.ts';
import type { WriteSize } from '../../../ports/unit-of-work.ts';
import { translated } from '../errors.ts';
import { PostgresSql } from './statements.ts';
import type { Bundle, Command } from './pipeline-batch.ts';
import type { Connections } from './idle-connections.ts';
import type { Wire } from './connection.ts';
import type { Sql } from '../sql.ts';
import { withSql } from '../pool.ts';
import { WriteQueue } from '../write-queue.ts';

const BEGIN: Command = [{ name: 'ow_begin', text: 'begin' }];
// READ COMMITTED loses updates; writes of one owner take turns instead.
const LOCK = { name: 'ow_lock', text: 'select pg_advisory_xact_lock($1)' };
const ROLLBACK: Command = [{ name: 'ow_rollback', text: 'rollback' }];
const COMMIT = { name: 'ow_commit', text: 'commit' };
const SAVEPOINT: Command = [{ name: 'ow_savepoint', text: 'savepoint unit' }];
const RELEASE: Command = [{ name: 'ow_release', text: 'release unit' }];
const ROLLBACK_TO: Command = [{ name: 'ow_rollback_to', text: 'rollback to unit' }];

/** Units that share a commit, and for how long another one may begin in it. */
const MOST_TOGETHER = 32;
const MAX_GROUP_MS = 5;

type Outcome = 'keep' | 'undo';

/** The right to write under one name, which one unit has at a time. */
interface Turn {
  readonly sql: PostgresSql;
  /** To be called once: what the unit wrote is kept or taken back, and the next one begins. */
  end(outcome: Outcome): void;
  /** Resolves when everything of the group is durable. */
  readonly committed: Promise<void>;
}

/**
 * The writes of one process to Postgres. Those that name the same turn follow one another, and those that wait already
 * are done in one transaction, on one connection: nobody waits for the commit of the one before, nor for its changes, which
 * travel with the first statements of the next. Each but the first has a savepoint of its own. A change that is refused
 * takes back its unit, and what had travelled behind it is asked once more.
 *
 * Nobody is answered before the commit, not even with a refusal, which may speak of what another one has written.
 */
export class PostgresWrites {
  readonly #connections: Connections;
  readonly #queues = new Map<string, WriteQueue<Turn>>();

  readonly #maxGroupMs: number;

  constructor(connections: Connections, maxGroupMs = MAX_GROUP_MS) {
    this.#connections = connections;
    this.#maxGroupMs = maxGroupMs;
  }

  async write<T>(
    name: string,
    work: (sql: Sql) => Promise<T>,
    size: WriteSize = 'small',
  ): Promise<T> {
    const turn = await this.#queueOf(name).join(size);
    let result: T;
    try {
      result = await withSql(turn.sql, work);
    } catch (error) {
      turn.end('undo');
      await turn.committed;
      throw error;
    }
    turn.end('keep');
    await turn.committed;
    // By now it is known of all its changes.
    if (turn.sql.failure) throw turn.sql.failure.reason;
    return result;
  }

  #queueOf(name: string): WriteQueue<Turn> {
    const found = this.#queues.get(name);
    if (found) return found;
    const lock = lockNumber(name);
    const queue: WriteQueue<Turn> = new WriteQueue(
      () =>
        queue.forThose(() =>
          this.#connections.lend((wire) => together(queue, wire, lock, this.#maxGroupMs)),
        ),
      () => this.#queues.delete(name),
    );
    this.#queues.set(name, queue);
    return queue;
  }
}

/** Other processes that write under the same name wait for it: 64 bits of a digest. */
const lockNumber = (name: string): string =>
  createHash('sha256').update(name).digest().readBigInt64BE().toString();

/** Whatever goes wrong is told to those who took part. */
async function together(
  queue: WriteQueue<Turn>,
  wire: Wire,
  lock: string,
  maxGroupMs: number,
): Promise<void> {
  const until = performance.now() + maxGroupMs;
  const { promise: committed, resolve, reject } = Promise.withResolvers<void>();
  // Whoever takes part hears of it himself.
  committed.catch(() => undefined);
  const group = new Group(wire, lock);
  for (let begun = 0; begun < MOST_TOGETHER; begun++) {
    const next = queue.first();
    if (!next || (begun > 0 && (next.size === 'large' || performance.now() > until))) break;
    queue.take(next);
    const unit = group.unit();
    const outcome = await new Promise<Outcome>((end) =>
      next.begin({ sql: unit.sql, end, committed }),
    );
    if (!group.end(unit, outcome) || next.size === 'large') break;
  }
  await group.commit().then(resolve, reject);
}

interface GroupedUnit {
  readonly sql: PostgresSql;
  readonly bundle: Bundle;
  readonly first: boolean;
  /** The wire takes it back by itself. */
  fallen: boolean;
}

/** One transaction of several units. It begins with the first statement of the first that has one. */
class Group {
  readonly #wire: Wire;
  readonly #begin: readonly Command[];
  #firstUndo: readonly Command[] = [ROLLBACK];
  #open = false;
  #kept = 0;
  /** Why there is no transaction any more that anything could be kept in. */
  #broken: { readonly reason: unknown } | undefined;

  constructor(wire: Wire, lock: string) {
    this.#wire = wire;
    this.#begin = [BEGIN, [LOCK, lock]];
  }

  unit(): GroupedUnit {
    const first = !this.#open;
    // Should the first be refused while this one is on its way behind it.
    if (!first) this.#firstUndo = [ROLLBACK, ...this.#begin];
    const undo = () => (first ? this.#firstUndo : [ROLLBACK_TO, RELEASE]);
    const lost = (reason: unknown) => void (this.#broken ??= { reason: translated(reason) });
    const bundle: Bundle = { undo, lost, fell: () => void (unit.fallen = true) };
    const opening = first ? this.#begin : [SAVEPOINT];
    const sql = new PostgresSql(this.#wire, { opening, unopened: lost, bundle, deferring: true });
    const unit: GroupedUnit = { sql, bundle, first, fallen: false };
    return unit;
  }

  /** Whether another one may follow. */
  end({ sql, bundle, first, fallen }: GroupedUnit, outcome: Outcome): boolean {
    if (this.#broken) return false;
    if (!sql.begun) return true;
    this.#open = true;
    const keeps = outcome === 'keep' && !sql.failed;
    if (keeps) this.#kept += 1;
    if (first) return keeps;
    if (fallen) return true;
    if (!keeps) this.#wire.command(ROLLBACK_TO, bundle);
    this.#wire.command(RELEASE, bundle);
    return true;
  }

  /** On the same trip as the last changes, where nobody has waited for them. */
  async commit(): Promise<void> {
    if (!this.#open && !this.#broken) return;
    if (this.#kept === 0 && !this.#broken) return this.#wire.takeBack();
    try {
      if (this.#broken) throw this.#broken.reason;
      const { command } = await this.#wire.ask(COMMIT);
      // Postgres answers a commit after a failed statement with a rollback and no error.
      if (command !== 'COMMIT')
        throw new PortFailure('database', 'The server took back what was to be committed.');
    } catch (error) {
      await this.#wire.takeBack();
      // By now it is known what went wrong first.
      throw this.#broken ? this.#broken.reason : translated(error);
    }
  }
}
