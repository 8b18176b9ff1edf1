import { expect } from 'chai';
import fc from 'fast-check';
import { UnavailableError } from '../../ports/errors.ts';
import type { ObjectStore } from '../../ports/objects.ts';
import { objectNumberOf } from '../../ports/search.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aCollection, anObject, aReceipt, aSession, aTask, newScope } from '../samples.ts';

const ALL = { visibility: 'any', trashed: false } as const;

/** A gate on which one side waits until the other opens it. */
function gate(): { readonly passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    () => 'refused',
  );

/** The contract of every UnitOfWork. */
export function unitOfWorkContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const filenameOf = async (uow: UnitOfWork, scope: OwnerScope, id: string) =>
    (await uow.read(scope, (s) => s.objects.find(id)))?.filename;

  /** Reads a number, yields, and writes the next one: loses updates wherever they can be lost. */
  const increment = (uow: UnitOfWork, scope: OwnerScope, id: string) =>
    uow.write(scope, async ({ objects }) => {
      const object = await objects.find(id);
      if (!object) throw new Error('The number has gone.');
      await new Promise((resolve) => setImmediate(resolve));
      await objects.save({ ...object, filename: String(Number(object.filename) + 1) });
    });

  it('`write` commits when `work` resolves and leaves no trace when it rejects', async () => {
    const scope = newScope();
    const stored = anObject();
    const answer = await backend.uow.write(scope, async ({ objects }) => {
      await objects.save(stored);
      return 'written';
    });
    expect(answer).to.equal('written');
    const error = new Error('halfway');
    const [object, folder, chat, task, receipt] = [
      anObject(),
      aCollection(),
      aSession(),
      aTask(),
      aReceipt(),
    ];
    const failed = await backend.uow
      .write(scope, async (s) => {
        await s.objects.save(object);
        await s.objects.remove(stored.id);
        await s.contents.retain({ sha256: 'a'.repeat(64), size: 9, blobId: object.id });
        await s.collections.save(folder);
        await s.chats.save(chat);
        await s.tasks.save(task);
        await s.idempotency.save(receipt);
        throw error;
      })
      .catch((caught: unknown) => caught);
    expect(failed).to.equal(error);
    const left = await backend.uow.read(scope, async (s) => [
      (await s.objects.page(ALL, { limit: 9, offset: 0 })).items.map(({ id }) => id),
      await s.objects.count(ALL),
      await s.contents.usedBytes(),
      (await s.collections.page({}, { limit: 9, offset: 0 })).total,
      (await s.chats.page({}, { limit: 9, offset: 0 })).total,
      await s.tasks.find(task.id),
      await s.idempotency.find(receipt.key),
    ]);
    expect(left).to.deep.equal([[stored.id], 1, 0, 0, 0, undefined, undefined]);
  });

  it('Two overlapping writes of one owner end as if one had run after the other', async () => {
    const scope = newScope();
    const { id } = anObject();
    await backend.uow.write(scope, (s) => s.objects.save(anObject({ id, filename: '0' })));
    const other = await backend.another();
    try {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => increment(i % 2 ? backend.uow : other.uow, scope, id)),
      );
    } finally {
      await other.close();
    }
    expect(await filenameOf(backend.uow, scope, id)).to.equal('20');
  });

  it('lets the writes of several owners overlap', async () => {
    const scopes = Array.from({ length: 12 }, newScope);
    const { id } = anObject();
    await Promise.all(
      scopes.map((scope) =>
        backend.uow.write(scope, (s) => s.objects.save(anObject({ id, filename: '0' }))),
      ),
    );
    await Promise.all([...scopes, ...scopes].map((scope) => increment(backend.uow, scope, id)));
    for (const scope of scopes) expect(await filenameOf(backend.uow, scope, id)).to.equal('2');
  });

  it('continues after a write that rejected', async () => {
    const scope = newScope();
    const { id } = anObject();
    await backend.uow.write(scope, (s) => s.objects.save(anObject({ id, filename: '0' })));
    const broken = backend.uow.write(scope, () => Promise.reject(new Error('no')));
    const after = increment(backend.uow, scope, id);
    expect(await outcomeOf(broken)).to.equal('refused');
    await after;
    expect(await filenameOf(backend.uow, scope, id)).to.equal('1');
  });

  it('Under any overlap, the acknowledged writes are present in their order, and no others', async () => {
    const unit = fc.record({
      id: fc.integer({ min: 0, max: 2 }),
      pauses: fc.integer({ min: 0, max: 2 }),
      fails: fc.boolean(),
      size: fc.constantFrom('small' as const, 'large' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 12 }), async (units) => {
        const scope = newScope();
        const ids = [newScope().ownerId, newScope().ownerId, newScope().ownerId];
        const rename = ({ id: n, pauses, fails, size }: (typeof units)[number], i: number) =>
          backend.uow.write(
            scope,
            async ({ objects, search }) => {
              const id = ids[n] ?? '';
              const object = (await objects.find(id)) ?? anObject({ id, filename: '' });
              const { kind, docType, collectionId, createdAt } = object;
              await objects.save({ ...object, filename: `${object.filename} ${i}` });
              for (let left = pauses; left > 0; left--)
                await new Promise((resolve) => setImmediate(resolve));
              const entry = { objectId: id, kind, docType, collectionId, createdAt };
              await search.place({ ...entry, zone: 'visible', head: [`name${i}`] });
              if (fails) throw new Error('no');
            },
            size,
          );
        const reported = await Promise.all(units.map((each, i) => outcomeOf(rename(each, i))));
        expect(reported).to.deep.equal(units.map(({ fails }) => (fails ? 'refused' : 'done')));
        const names = ids.map((_, n) =>
          units.map(({ id, fails }, i) => (id === n && !fails ? ` ${i}` : '')).join(''),
        );
        const left = await backend.uow.read(scope, async ({ objects, search }) => {
          const found = [];
          for (const [i] of units.entries()) {
            const numbers = await search.occurrences(
              [{ terms: [`name${i}`], prefix: false }],
              'visible',
            );
            const placed = await search.identify(numbers.map(objectNumberOf));
            found.push(placed.map(({ objectId }) => ids.indexOf(objectId)));
          }
          return {
            names: await Promise.all(ids.map(async (id) => (await objects.find(id))?.filename)),
            found,
          };
        });
        const lasts = ids.map((_, n) => units.findLastIndex(({ id, fails }) => id === n && !fails));
        expect(left).to.deep.equal({
          names: names.map((name) => name || undefined),
          found: units.map((_, i) => (lasts.includes(i) ? [lasts.indexOf(i)] : [])),
        });
      }),
      { numRuns: 25 },
    );
  });

  it('A read sees one state from start to end, and never an uncommitted write', async () => {
    const scope = newScope();
    const { id } = anObject();
    const save = (filename: string) =>
      backend.uow.write(scope, (s) => s.objects.save(anObject({ id, filename })));
    await save('old');
    const [looked, overwritten] = [gate(), gate()];
    const reading = backend.uow.read(scope, async ({ objects }) => {
      const first = (await objects.find(id))?.filename;
      looked.open();
      await overwritten.passed;
      const listed = await objects.page(ALL, { limit: 9, offset: 0 });
      return [first, (await objects.find(id))?.filename, listed.items[0]?.filename, listed.total];
    });
    await looked.passed;
    await save('new');
    await backend.uow.write(scope, (s) => s.objects.save(anObject()));
    overwritten.open();
    expect(await reading).to.deep.equal(['old', 'old', 'old', 1]);

    const [saved, seen] = [gate(), gate()];
    const writing = backend.uow.write(scope, async ({ objects }) => {
      await objects.save(anObject({ id, filename: 'newest' }));
      saved.open();
      await seen.passed;
    });
    await saved.passed;
    expect(await filenameOf(backend.uow, scope, id)).to.equal('new');
    seen.open();
    await writing;
    expect(await filenameOf(backend.uow, scope, id)).to.equal('newest');
  });

  it('Stores are valid only until `work` settles. Later use rejects', async () => {
    const scope = newScope();
    for (const how of ['read', 'write'] as const) {
      const stored: ObjectStore[] = [];
      await backend.uow[how](scope, async (s) => void stored.push(s.objects));
      await outcomeOf(
        backend.uow[how](scope, (s) => {
          stored.push(s.objects);
          return Promise.reject(new Error('no'));
        }),
      );
      expect(stored).to.have.length(2);
      for (const store of stored) {
        expect(await outcomeOf(store.find('x'))).to.equal('refused');
        expect(await outcomeOf(store.save(anObject()))).to.equal('refused');
      }
    }
    expect(await backend.uow.read(scope, (s) => s.objects.count(ALL))).to.equal(0);
  });

  it('rejects writes in a read-only unit of work', async () => {
    const scope = newScope();
    const attempt = backend.uow.read(scope, (s) => s.objects.save(anObject()));
    expect(await outcomeOf(attempt)).to.equal('refused');
    expect(await backend.uow.read(scope, (s) => s.objects.count(ALL))).to.equal(0);
  });

  it('A nested unit of work is rejected immediately', async () => {
    const scope = newScope();
    const ran: string[] = [];
    for (const outer of ['read', 'write'] as const)
      for (const inner of ['read', 'write'] as const) {
        const nested = backend.uow[outer](scope, () =>
          backend.uow[inner](newScope(), async () => void ran.push(`${inner} in ${outer}`)),
        );
        expect(await outcomeOf(nested)).to.equal('refused');
      }
    expect(ran).to.deep.equal([]);
    expect(await backend.uow.read(scope, async () => 'free again')).to.equal('free again');
  });

  it('allows detached work to open a unit of work after the one that started it has ended', async () => {
    const scope = newScope();
    const ended = gate();
    const started = await backend.uow.write(scope, async () => {
      const later = ended.passed.then(() => backend.uow.read(scope, async () => 'ran'));
      return { later };
    });
    ended.open();
    expect(await started.later).to.equal('ran');
  });

  it('An outage of the database rejects with UnavailableError', async () => {
    const uow = await backend.outage();
    for (const how of ['read', 'write'] as const) {
      const error = await uow[how](newScope(), (s) => s.objects.find('x')).catch(
        (caught: unknown) => caught,
      );
      expect(error).to.be.instanceOf(UnavailableError);
    }
  });
}
