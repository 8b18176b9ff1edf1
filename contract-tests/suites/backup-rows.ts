import { expect } from 'chai';
import { knexBackupSource } from '../../adapters/knex/operations/backup-source.ts';
import { knexRestoreTarget } from '../../adapters/knex/operations/restore-target.ts';
import { tablesOfSchema } from '../../adapters/knex/schema/catalogue.ts';
import { migrate } from '../../adapters/knex/schema/migrate.ts';
import { MIGRATIONS } from '../../adapters/knex/schema/migrations.ts';
import {
  RestoreSupersededError,
  type RowSnapshot,
  type RestoreTarget,
  type TableRow,
  type TableShape,
} from '../../ports/backup.ts';
import type { SecurityEvent } from '../../ports/security-events.ts';
import { ROW_CHECKS } from '../../ports/integrity.ts';
import type { Bare } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from '../core/core-fixture.ts';
import { LATER_MIGRATIONS } from '../later-migrations.ts';
import { aSecurityEvent } from '../sign-in-samples.ts';
import { aTask, aToken, newId } from '../samples.ts';

const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;

type Rows = Readonly<Record<string, readonly TableRow[]>>;

async function drawn(snapshot: RowSnapshot): Promise<Rows> {
  const all: Record<string, TableRow[]> = {};
  for (const { name } of snapshot.tables) {
    const rows = (all[name] = [] as TableRow[]);
    for await (const page of snapshot.rows(name)) rows.push(...page);
  }
  return all;
}

/** Rows for every table of a schema version, with texts that are easily corrupted. */
async function fabricated(schema: number, isTransient = false): Promise<Rows> {
  const all = (await tablesOfSchema(schema)) ?? [];
  const tables = all.filter((table) => table.isTransient === isTransient);
  const rows = (columns: (typeof tables)[number]['columns']) =>
    [1, 2].map((n) =>
      columns.map(([, type]) => (type === 'text' ? `{"${n}":"é 😀 \\"'?\\n\u2028"}\n` : n)),
    );
  return Object.fromEntries(tables.map(({ name, columns }) => [name, rows(columns)]));
}

const from = (rows: Rows) =>
  async function* ({ name }: TableShape) {
    for (const row of rows[name] ?? []) yield [row];
  };

const followUp = (last: SecurityEvent | undefined): SecurityEvent =>
  aSecurityEvent({
    kind: 'restored',
    seq: (last?.seq ?? 0) + 1,
    previousDigest: last?.digest ?? '',
  });

const tokenFollowUp = (last: SecurityEvent, tokenId: string): SecurityEvent => ({
  ...followUp(last),
  kind: 'token_created',
  subject: tokenId,
});

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).constructor,
  );

/** The contract of every BackupSource and RestoreTarget: a backup of one database can be restored into the other. */
export function backupRowsContract(
  openTarget: () => Promise<Bare>,
  openSource: () => Promise<Bare>,
): void {
  const opened: Bare[] = [];
  const bare = async (open: () => Promise<Bare>): Promise<Bare> => {
    const place = await open();
    opened.push(place);
    return place;
  };
  afterEach(async () => {
    for (const place of opened.splice(0)) await place.close();
  });

  const allOf = async ({ database }: Bare, migrations = MIGRATIONS): Promise<Rows> => {
    const snapshot = await knexBackupSource(database, migrations).open();
    try {
      expect(snapshot.schema).to.equal(migrations.length);
      return await drawn(snapshot);
    } finally {
      await snapshot.close();
    }
  };
  /** A workspace with a visible, a hidden and a trashed file. */
  const lived = async (): Promise<{ place: Bare; world: CoreFixture; gone: string }> => {
    const place = await openSource();
    await migrate(place.database);
    const world = await openCoreFixture(place.backend);
    const { objects } = world.core;
    const words = Array.from({ length: 400 }, (_, n) => `Lantern number ${n}.`).join('\n\n');
    const [, hidden, trashed] = await objects.addFiles(
      world.caller,
      [
        await world.file('long.txt', words),
        await world.file('hidden.txt', 'A hidden beacon.'),
        await world.file('gone.txt', 'A beacon in the trash.'),
      ],
      {},
    );
    await world.runPendingTasks();
    await objects.editObject(world.caller, hidden!.object.id, { isHidden: true });
    await objects.deleteObject(world.caller, trashed!.object.id, false);
    await world.runPendingTasks();
    return { place, world, gone: trashed!.object.id };
  };
  // Shared by all tests: rows added by one are copied by the next.
  let shared: Awaited<ReturnType<typeof lived>>;
  before(async () => (shared = await lived()));
  after(() => shared.place.close());
  const filledFrom = async (place: Bare, into: Bare): Promise<RestoreTarget> => {
    const target = knexRestoreTarget(into.database);
    const snapshot = await knexBackupSource(place.database).open();
    await target.begin('a');
    await target.fill('a', snapshot.schema, ({ name }) => snapshot.rows(name));
    await snapshot.close();
    return target;
  };

  it('A snapshot returns the rows of one moment, regardless of concurrent writes', async () => {
    const { place, world } = shared;
    const before = await allOf(place);
    const snapshot = await knexBackupSource(place.database).open();
    await world.core.library.createTheme(world.caller, { name: 'Later' });
    await world.core.objects.addNote(world.caller, { content: 'Later.' });
    expect(await drawn(snapshot)).to.deep.equal(before);
    await snapshot.close();
    expect((await allOf(place))['themes']).to.have.length(1);
  });

  it('A snapshot returns the sealed secrets and the blobs of its moment', async () => {
    const { place, world, gone } = shared;
    await place.backend.uow.write(world.caller.scope, ({ integrations }) =>
      integrations.put({
        kind: 'llm',
        config: {},
        sealedSecret: 'sealed lamp',
        secretHint: 'lamp',
        enabled: true,
        health: 'ok',
        checkedAt: 0,
        lastError: '',
        habits: [],
        updatedAt: 0,
      }),
    );
    const expected = await place.backend.integrity.blobReferences(null, 10);
    const snapshot = await knexBackupSource(place.database).open();
    await world.core.objects.deleteObject(world.caller, gone, true);
    expect(await snapshot.sealed()).to.deep.equal(['sealed lamp']);
    expect(await snapshot.blobReferences(null, 10)).to.deep.equal(expected);
    expect(await snapshot.blobReferences(expected[0]!.blobId, 1)).to.deep.equal([expected[1]]);
    await snapshot.close();
    expect(await place.backend.integrity.blobReferences(null, 10)).to.have.length(
      expected.length - 1,
    );
  });

  it('A snapshot of a filled target returns the same rows, and the database passes the same checks', async () => {
    const { place, world } = shared;
    const into = await bare(openTarget);
    await filledFrom(place, into);
    expect(await allOf(into)).to.deep.equal(await allOf(place));
    for (const check of ROW_CHECKS)
      expect((await into.backend.integrity.examine(check)).count, check).to.equal(0);
    const terms = (of: Bare) =>
      of.backend.uow.read(world.caller.scope, ({ search }) =>
        search.occurrences([{ terms: ['lantern'], prefix: false }], 'any'),
      );
    expect(await terms(into)).to.deep.equal(await terms(place));
    expect((await terms(into)).length).to.be.greaterThan(5);

    const every = await bare(openTarget);
    const rows = await fabricated(NEWEST);
    await knexRestoreTarget(every.database).begin('b');
    await knexRestoreTarget(every.database).fill('b', NEWEST, from(rows));
    const back = await allOf(every);
    expect(Object.keys(back).length).to.be.greaterThan(40);
    expect(back).to.deep.equal(rows);
  });

  it('Generated sequence numbers continue after the restored ones', async () => {
    const { place, world } = shared;
    const into = await bare(openTarget);
    await filledFrom(place, into);
    const before = (await allOf(into))['search_entries']!.length;
    const later = await openCoreFixture(into.backend, 'later');
    await later.core.objects.addNote(later.caller, { content: 'A beacon.' });
    await later.runPendingTasks();
    const after = await allOf(into);
    expect(after['search_entries']).to.have.length(before + 1);
    expect(after['search_owners']).to.have.length(2);
    expect(new Set(after['search_entries']!.map(([number]) => number)).size).to.equal(before + 1);
    expect(world.caller.scope).not.to.deep.equal(later.caller.scope);
  });

  it('Tasks that were running in the snapshot are due at once', async () => {
    const { place, world } = shared;
    const task = { ...aTask(), state: 'running' as const, leaseUntil: 9e12 };
    await place.backend.uow.write(world.caller.scope, ({ tasks }) => tasks.save(task));
    const into = await bare(openTarget);
    await filledFrom(place, into);
    expect((await into.backend.directory.dueTasks(1, 10)).map(({ id }) => id)).to.include(task.id);
  });

  it('A target is empty, begun or used, and reports its state. Only the process that called `begin` last may fill it', async () => {
    const into = await bare(openTarget);
    const target = knexRestoreTarget(into.database);
    const rows = from(await fabricated(NEWEST));
    expect(await target.state()).to.equal('empty');
    await target.begin('first');
    expect(await target.state()).to.equal('begun');
    await target.begin('second');
    expect(await outcome(target.fill('first', NEWEST, rows))).to.equal(RestoreSupersededError);
    expect(await target.state()).to.equal('begun');
    await target.fill('second', NEWEST, rows);
    expect(await target.state()).to.equal('used');
    expect(await outcome(target.fill('second', NEWEST, rows))).to.equal(RestoreSupersededError);
    const served = await bare(openTarget);
    await migrate(served.database);
    expect(await knexRestoreTarget(served.database).state()).to.equal('used');
  });

  it('A failed restore leaves no row behind and can be started again', async () => {
    const into = await bare(openTarget);
    const target = knexRestoreTarget(into.database);
    const rows = await fabricated(NEWEST);
    await target.begin('a');
    const cut = async function* (table: TableShape) {
      if (table.name === 'versions') throw new RangeError('the archive broke off');
      yield* from(rows)(table);
    };
    expect(await outcome(target.fill('a', NEWEST, cut))).to.equal(RangeError);
    expect(await target.state()).to.equal('begun');
    await target.begin('b');
    await target.fill('b', NEWEST, from(rows));
    expect(await allOf(into)).to.deep.equal(rows);
  });

  it('Rows of transient tables are dropped', async () => {
    const into = await bare(openTarget);
    const target = knexRestoreTarget(into.database);
    const transient = await fabricated(NEWEST, true);
    expect(Object.keys(transient)).to.have.members([
      'agent_confirmations',
      'idempotency_records',
      'one_time_secrets',
      'sessions',
      'share_accesses',
      'sign_in_attempts',
      'unlock_tokens',
    ]);
    await target.begin('a');
    await target.fill('a', NEWEST, from(transient));
    for (const name of Object.keys(transient)) {
      const rows = await into.database.queryOnce((sql) => sql.all(`select * from ${name}`));
      expect(rows, name).to.deep.equal([]);
    }
    expect(Object.keys(await allOf(into))).to.not.include.members(Object.keys(transient));
  });

  it('With an access reset, tokens, share links, feeds and link codes are revoked in the same transaction', async () => {
    const into = await bare(openTarget);
    const target = knexRestoreTarget(into.database);
    const rows = await fabricated(NEWEST);
    const token = aToken();
    const reset = {
      at: 1_000,
      maxTokens: 1,
      newToken: () => token,
      newLinkCode: newId,
    };
    await target.begin('a');
    const broken = { ...reset, maxTokens: 2 };
    const closing = { reset, restoredEvent: followUp, tokenEvent: tokenFollowUp };
    expect(
      await outcome(target.fill('a', NEWEST, from(rows), { ...closing, reset: broken })),
      'a prefix twice',
    ).to.equal(Error);
    expect(await target.state()).to.equal('begun');
    const ended = await target.fill('a', NEWEST, from(rows), closing);
    expect(ended).to.include({ tokens: 2, shares: 2, feeds: 2, linkCodes: 2, owners: 2 });
    expect(ended?.issued).to.deep.equal([
      { ownerId: ended?.issued[0]?.ownerId, name: ended?.issued[0]?.name, tokenId: token.id },
    ]);
    const column = async (table: string, name: string) =>
      (
        await into.database.queryOnce((sql) =>
          sql.all<Record<string, unknown>>(`select ${name} from ${table}`),
        )
      ).map((row) => row[name]);
    expect(await column('tokens', 'id')).to.deep.equal([token.id]);
    const [last] = await into.database.queryOnce((sql) =>
      sql.all<{ subject: string; n: number }>(
        `select subject, seq - (select max(seq) from security_events r
           where r.owner_id = e.owner_id and r.kind = 'restored') as n
         from security_events e where kind = 'token_created' and subject = '${token.id}'`,
      ),
    );
    expect({ ...last }, 'recorded').to.deep.equal({ subject: token.id, n: 1 });
    const old = rows['shares']!.flat();
    for (const digest of await column('shares', 'digest')) {
      expect(old).to.not.include(digest);
      expect(digest).to.not.match(/^[0-9a-f]{64}$/);
    }
    expect(new Set(await column('shares', 'digest')).size).to.equal(2);
    expect(await column('calendars', 'feed')).to.deep.equal([null, null]);
    const codes = await column('bots', 'link_code');
    expect(rows['bots']!.flat()).to.not.include.members(codes as string[]);
  });

  it('The restore, and a token that the reset issued, are recorded as the next security events of an owner, in the same transaction', async () => {
    const { place, world } = shared;
    const other = await openCoreFixture(place.backend, 'recorded');
    const chain = await place.backend.uow.write(world.caller.scope, async ({ securityEvents }) => {
      await securityEvents.append(followUp(await securityEvents.last()));
      return securityEvents.chain(0, 99);
    });
    const into = await bare(openTarget);
    const target = knexRestoreTarget(into.database);
    const rows = await allOf(place);
    await target.begin('a');
    const broken = () => {
      throw new RangeError('no event');
    };
    const closing = { restoredEvent: broken, tokenEvent: tokenFollowUp };
    expect(await outcome(target.fill('a', NEWEST, from(rows), closing))).to.equal(RangeError);
    expect(await target.state()).to.equal('begun');
    await target.begin('b');
    await target.fill('b', NEWEST, from(rows), {
      restoredEvent: followUp,
      tokenEvent: tokenFollowUp,
    });
    const chainOf = ({ caller }: CoreFixture) =>
      into.backend.uow.read(caller.scope, ({ securityEvents }) => securityEvents.chain(0, 99));
    const restored = await chainOf(world);
    expect(restored.slice(0, -1)).to.deep.equal(chain);
    expect(restored.at(-1)).to.include({
      kind: 'restored',
      seq: chain.length + 1,
      previousDigest: chain.at(-1)?.digest,
    });
    const first = await chainOf(other);
    expect(first.at(-1)).to.include({ kind: 'restored', seq: first.length });
    expect(await allOf(into))
      .to.have.property('owners')
      .with.length(rows['owners']?.length ?? 0);
  });

  it('Rows of an earlier schema are migrated to the current one. An unknown schema version has no tables', async () => {
    const into = await bare(openTarget);
    expect(await knexRestoreTarget(into.database).tablesOf(NEWEST + 1)).to.equal(undefined);
    const target = knexRestoreTarget(into.database, LATER_MIGRATIONS);
    const rows = await fabricated(NEWEST);
    const shapes = (await target.tablesOf(NEWEST)) ?? [];
    const stored = shapes.filter(({ isTransient }) => !isTransient);
    expect(stored.map(({ name }) => name)).to.have.members(Object.keys(rows));
    expect(shapes.slice(0, 2).map(({ name }) => name)).to.deep.equal(['tenants', 'owners']);
    await target.begin('a');
    await target.fill('a', NEWEST, from(rows));
    const today = await allOf(into, LATER_MIGRATIONS);
    expect(today['tenants']).to.deep.equal(rows['tenants']);
    expect(today['text_corrections']!.map((row) => row.at(-1))).to.deep.equal(['owner', 'owner']);
    expect(today['themes']!.map((row) => row.at(-1))).to.deep.equal([null, null]);
    expect(today['guests']).to.deep.equal([]);
  });
}
