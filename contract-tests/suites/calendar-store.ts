import { expect } from 'chai';
import fc from 'fast-check';
import type { CalendarEvent, CalendarStore, EventException } from '../../ports/calendar.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anEvent, storedEvents, storedExceptions } from '../calendar-samples.ts';
import { newId, newScope } from '../samples.ts';

/** The contract of every CalendarStore. */
export function calendarStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const write = <T>(scope: OwnerScope, work: (calendar: CalendarStore) => Promise<T>) =>
    backend.uow.write(scope, ({ calendar }) => work(calendar));
  const look = <T>(scope: OwnerScope, work: (calendar: CalendarStore) => Promise<T>) =>
    backend.uow.read(scope, ({ calendar }) => work(calendar));
  const filled = async (
    events: readonly CalendarEvent[],
    exceptions: readonly EventException[] = [],
  ) => {
    const scope = newScope();
    await write(scope, async (calendar) => {
      for (const event of events) await calendar.save(event);
      for (const exception of exceptions) await calendar.saveException(exception);
    });
    return scope;
  };

  it('`save` inserts or replaces an event. `find`, `findMany` and `findByUids` return what was saved, field for field; the latter two skip missing events and promise no order', () =>
    fc.assert(
      fc.asyncProperty(storedEvents(), storedEvents(), async (event, other) => {
        const scope = await filled([event]);
        const both = () =>
          look(scope, async (it) => [
            await it.find(event.id),
            await it.findMany([newId(), event.id, event.id]),
            await it.findByUids([`${event.uid}?`, event.uid, event.uid]),
          ]);
        expect(await both()).to.deep.equal([event, [event], [event]]);
        const next = { ...other, id: event.id, uid: event.uid };
        await write(scope, (it) => it.save(next));
        expect(await both()).to.deep.equal([next, [next], [next]]);
        expect(await look(scope, (it) => it.find(newId()))).to.equal(undefined);
      }),
      { numRuns: 30 },
    ));

  it('finds hundreds of events in one call', async () => {
    const events = Array.from({ length: 600 }, (_, i) => anEvent({ number: i + 1 }));
    const scope = await filled(events);
    const some = events.filter((_, i) => i % 2 === 0);
    const found = await look(scope, async (it) => [
      await it.findMany(some.map(({ id }) => id)),
      await it.findByUids(some.map(({ uid }) => uid)),
      await it.findMany([]),
    ]);
    for (const half of found.slice(0, 2)) expect(half).to.have.deep.members(some);
    expect(found[2]).to.deep.equal([]);
  });

  it('`remove` removes an event with its exceptions. Removing a missing one changes nothing', async () => {
    const [gone, stored] = [anEvent(), anEvent()];
    const of = (eventId: string): EventException => ({
      eventId,
      original: 1,
      changes: null,
      span: null,
    });
    const scope = await filled([gone, stored], [of(gone.id), of(stored.id)]);
    await write(scope, (it) => it.remove(gone.id));
    const before = await look(scope, (it) => it.version());
    await write(scope, (it) => it.remove(gone.id));
    await look(scope, async (it) => {
      expect(await it.version()).to.equal(before);
      expect(await it.find(gone.id)).to.equal(undefined);
      expect(await it.find(stored.id)).to.deep.equal(stored);
      expect(await it.exceptions(gone.id)).to.deep.equal([]);
      expect(await it.exceptions(stored.id)).to.deep.equal([of(stored.id)]);
    });
  });

  it('`nextNumber` returns 1, 2, 3 … and never a number twice, even after removals. `skipTo` continues after a number', async () => {
    const scope = newScope();
    const take = () => write(scope, (it) => it.nextNumber());
    expect([await take(), await take()]).to.deep.equal([1, 2]);
    const event = anEvent({ number: 2 });
    await write(scope, (it) => it.save(event));
    await write(scope, (it) => it.remove(event.id));
    expect(await take()).to.equal(3);
    const all = await Promise.all(Array.from({ length: 8 }, take));
    expect(all.sort((a, b) => a - b)).to.deep.equal([4, 5, 6, 7, 8, 9, 10, 11]);
    await write(scope, (it) => it.skipTo(20));
    await write(scope, (it) => it.skipTo(15));
    expect(await take()).to.equal(21);
    const failed = write(scope, async (it) => {
      await it.nextNumber();
      throw new Error('no');
    });
    await failed.catch(() => undefined);
    expect(await take()).to.equal(22);
  });

  it('`page` returns events by number, descending, with the number of matches. A search matches any part of title, description or location, ignoring case', async () => {
    const events = [
      anEvent({ number: 1, title: 'Zahnarzt — ÄRZTEHAUS', location: 'Bahnhofstr. 5' }),
      anEvent({ number: 2, title: 'Standup', description: 'daily 100%_sure \\ meeting' }),
      anEvent({ number: 10, title: 'Встреча', location: "O'Hara's" }),
    ];
    const scope = await filled(events);
    const found = async (search: string, limit = 10, offset = 0) => {
      const { items, total } = await look(scope, (it) => it.page({ search, limit, offset }));
      return [total, ...items.map(({ number }) => number)];
    };
    expect(await found('')).to.deep.equal([3, 10, 2, 1]);
    expect(await found('', 1, 1)).to.deep.equal([3, 2]);
    expect(await found('', 5, 3)).to.deep.equal([3]);
    expect(await found('ärztehaus')).to.deep.equal([1, 1]);
    expect(await found('ВСТРЕЧА')).to.deep.equal([1, 10]);
    expect(await found("o'hara")).to.deep.equal([1, 10]);
    expect(await found('100%_SURE \\')).to.deep.equal([1, 2]);
    expect(await found('1_0%')).to.deep.equal([0]);
    expect(await found('a', 1)).to.deep.equal([3, 10]);
  });

  it('`reaching` returns the events whose range overlaps the half-open window, by the end of their range and their id, after the cursor and at most `limit`', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 5 })), {
          maxLength: 12,
        }),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (reaches, from, length, limit) => {
          const events = reaches.map(([start, long]) =>
            anEvent({ reach: { from: start, until: start + long } }),
          );
          const scope = await filled(events);
          const window = { from, to: from + length };
          const expected = events
            .filter(({ reach }) => reach.from < window.to && reach.until > from)
            .sort((a, b) => a.reach.until - b.reach.until || (a.id < b.id ? -1 : 1));
          const paged: CalendarEvent[] = [];
          for (;;) {
            const last = paged.at(-1);
            const after = last ? { until: last.reach.until, id: last.id } : null;
            const page = await look(scope, (it) => it.reaching(window, after, limit));
            expect(page.length).to.be.at.most(limit);
            if (page.length === 0) break;
            paged.push(...page);
          }
          expect(paged).to.deep.equal(expected);
        },
      ),
      { numRuns: 30 },
    ));

  it('`saveException` inserts or replaces. `exceptions` returns those of one event by their original start', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(storedExceptions('e1'), { selector: (it) => it.original, maxLength: 6 }),
        storedExceptions('e1'),
        storedExceptions('e2'),
        async (created, replacing, foreign) => {
          const scope = await filled([], [...created, foreign]);
          const [first, ...rest] = created;
          const next = first && { ...replacing, original: first.original };
          if (next) await write(scope, (it) => it.saveException(next));
          const expected = (next ? [next, ...rest] : []).sort((a, b) => a.original - b.original);
          expect(await look(scope, (it) => it.exceptions('e1'))).to.deep.equal(expected);
          expect(await look(scope, (it) => it.exceptions('e2'))).to.deep.equal([foreign]);
        },
      ),
      { numRuns: 20 },
    ));

  it('`exceptionsAround` returns exceptions of any event whose original start is in the half-open range of local times, or whose span overlaps the half-open window', async () => {
    const at = (
      eventId: string,
      original: number,
      span: readonly [number, number] | null,
    ): EventException => ({
      eventId,
      original,
      changes: span && { title: 'moved' },
      span: span && { from: span[0], until: span[1] },
    });
    const created = [
      at('before', 9, null),
      at('first', 10, null),
      at('last', 19, [900, 901]),
      at('after', 20, [900, 901]),
      at('ends-at-from', 50, [90, 100]),
      at('reaches-in', 51, [90, 101]),
      at('starts-at-to', 52, [200, 210]),
      at('both', 15, [150, 160]),
    ];
    const scope = await filled([], created);
    const found = await look(scope, (it) =>
      it.exceptionsAround({ from: 10, to: 20 }, { from: 100, to: 200 }),
    );
    expect(found.map(({ eventId }) => eventId)).to.have.members([
      'first',
      'last',
      'reaches-in',
      'both',
    ]);
    expect(found.find(({ eventId }) => eventId === 'both')).to.deep.equal(created.at(-1));
  });

  it('`removeException` removes one, `removeExceptions` all of an event', async () => {
    const of = (eventId: string, original: number): EventException => ({
      eventId,
      original,
      changes: null,
      span: null,
    });
    const scope = await filled([], [of('a', 1), of('a', 2), of('a', 3), of('b', 1)]);
    const left = async () => [
      ...(await look(scope, (it) => it.exceptions('a'))).map(({ original }) => original),
      ...(await look(scope, (it) => it.exceptions('b'))).map(({ original }) => `b${original}`),
    ];
    await write(scope, (it) => it.removeException('a', 2));
    expect(await left()).to.deep.equal([1, 3, 'b1']);
    await write(scope, (it) => it.removeException('a', 2));
    await write(scope, (it) => it.removeExceptions('a'));
    expect(await left()).to.deep.equal(['b1']);
  });

  it('`remindAt` sets only the next reminder of an event, and does not increase `version`', async () => {
    const event = anEvent({ nextReminderAt: 5 });
    const scope = await filled([event]);
    const before = await look(scope, (it) => it.version());
    for (const nextReminderAt of [77, null]) {
      await write(scope, (it) => it.remindAt(event.id, nextReminderAt));
      expect(await look(scope, (it) => it.find(event.id))).to.deep.equal({
        ...event,
        nextReminderAt,
      });
    }
    await write(scope, (it) => it.remindAt(newId(), 3));
    expect(await look(scope, (it) => it.version())).to.equal(before);
  });

  it('Every unit of work that changes the calendar increases `version`, which is 0 at first', async () => {
    const scope = newScope();
    const version = () => look(scope, (it) => it.version());
    expect(await version()).to.equal(0);
    const event = anEvent();
    const exception: EventException = { eventId: event.id, original: 1, changes: null, span: null };
    const changes: ((calendar: CalendarStore) => Promise<unknown>)[] = [
      (it) => it.save(event),
      (it) => it.save({ ...event, title: 'Other' }),
      (it) => it.saveException(exception),
      (it) => it.removeException(event.id, 1),
      (it) => it.saveException(exception),
      (it) => it.removeExceptions(event.id),
      (it) => it.remove(event.id),
    ];
    for (const change of changes) {
      const before = await version();
      await write(scope, change);
      expect(await version()).to.be.above(before);
    }
    const before = await version();
    await look(scope, (it) => it.page({ search: '', limit: 1, offset: 0 }));
    expect(await version()).to.equal(before);
  });

  it('`feed` returns the last digest stored, and nothing after null was stored', async () => {
    const scope = newScope();
    const feed = () => look(scope, (it) => it.feed());
    expect(await feed()).to.equal(undefined);
    const [first, next] = [newId(), newId()];
    for (const digest of [first, next]) {
      await write(scope, (it) => it.putFeed(digest));
      expect(await feed()).to.equal(digest);
    }
    await write(scope, (it) => it.putFeed(null));
    expect(await feed()).to.equal(undefined);
  });

  it("Another owner's calendar is out of reach", async () => {
    const event = anEvent();
    const exception: EventException = {
      eventId: event.id,
      original: 1,
      changes: null,
      span: { from: 0, until: 5 },
    };
    const scope = await filled([event], [exception]);
    const other = newScope();
    await write(other, async (it) => {
      expect(await it.find(event.id)).to.equal(undefined);
      expect(await it.findMany([event.id])).to.deep.equal([]);
      expect(await it.findByUids([event.uid])).to.deep.equal([]);
      expect(await it.exceptions(event.id)).to.deep.equal([]);
      expect(await it.reaching({ from: 0, to: 10 }, null, 10)).to.deep.equal([]);
      expect(await it.exceptionsAround({ from: 0, to: 9 }, { from: 0, to: 9 })).to.deep.equal([]);
      expect((await it.page({ search: '', limit: 10, offset: 0 })).total).to.equal(0);
      expect(await it.version()).to.equal(0);
      await it.save({ ...event, title: 'Theirs' });
      await it.remindAt(event.id, 1);
      await it.removeExceptions(event.id);
      await it.remove(event.id);
      await it.nextNumber();
      await it.putFeed(newId());
    });
    await look(scope, async (it) => {
      expect(await it.find(event.id)).to.deep.equal(event);
      expect(await it.exceptions(event.id)).to.deep.equal([exception]);
      expect(await it.feed()).to.equal(undefined);
    });
    expect(await write(scope, (it) => it.nextNumber())).to.equal(1);
  });
}
