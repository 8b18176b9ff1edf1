import { expect } from 'chai';
import fc from 'fast-check';
import type { EventEdit, EventView, Occurrence, TimeInput } from '../../core/calendar/index.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** `2026-03-01T09:00` in the current zone; with an ending `Z` in UTC. */
const at = (text: string): TimeInput => ({
  local: Date.parse(text.endsWith('Z') ? text : `${text}Z`),
  offsetMinutes: text.endsWith('Z') ? 0 : null,
});
const instant = (ms: number): TimeInput => ({ local: ms, offsetMinutes: 0 });
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

for (const [name, open] of backends)
  describe(`${name}: the calendar`, () => {
    let world: CoreFixture;
    const opened: Backend[] = [];
    const fresh = async (): Promise<CoreFixture> => {
      const backend = await open();
      opened.push(backend);
      return openCoreFixture(backend);
    };
    beforeEach(async () => (world = await fresh()));
    afterEach(async () => {
      for (const backend of opened.splice(0)) await backend.close();
    });

    const create = (
      title: string,
      from: string,
      to: string,
      more: Omit<EventEdit, 'title' | 'startsAt' | 'endsAt'> = {},
    ): Promise<EventView> =>
      world.core.calendar.createEvent(world.caller, {
        title,
        startsAt: at(from),
        endsAt: at(to),
        tz: 'Europe/Berlin',
        ...more,
      });
    const look = (from: string, to: string, limit = 500) =>
      world.core.calendar.agenda(world.caller, { from: at(from), to: at(to), limit });
    const starts = async (from: string, to: string) =>
      (await look(from, to)).items.map(({ span, details }) => `${iso(span.from)} ${details.title}`);

    it('preserves a local time of 09:00 across both daylight saving changes', async () => {
      await create('Tea', '2026-03-28T09:00', '2026-03-28T10:00', { rrule: 'FREQ=DAILY;COUNT=3' });
      await create('Tea', '2026-10-24T09:00', '2026-10-24T10:00', { rrule: 'FREQ=DAILY;COUNT=3' });
      expect(await starts('2026-01-01T00:00Z', '2026-12-31T00:00Z')).to.deep.equal([
        '2026-03-28T08:00 Tea',
        '2026-03-29T07:00 Tea',
        '2026-03-30T07:00 Tea',
        '2026-10-24T07:00 Tea',
        '2026-10-25T08:00 Tea',
        '2026-10-26T08:00 Tea',
      ]);
    });

    it('moves a start out of a gap, uses the first of two ambiguous instants, and preserves an exact instant', async () => {
      const gap = await create('Gap', '2026-03-29T02:30', '2026-03-29T04:00');
      expect(iso(gap.span.from)).to.equal('2026-03-29T01:30');
      expect(gap.span.until - gap.span.from).to.equal(HOUR / 2);
      const first = await create('Twice', '2026-10-25T02:30', '2026-10-25T02:45');
      expect(iso(first.span.from)).to.equal('2026-10-25T00:30');
      const second = await create('Twice', '2026-10-25T01:30Z', '2026-10-25T02:30Z');
      expect([iso(second.span.from), iso(second.span.until)]).to.deep.equal([
        '2026-10-25T01:30',
        '2026-10-25T02:30',
      ]);
      const [, shown] = (await look('2026-10-25T00:00Z', '2026-10-26T00:00Z')).items;
      expect(shown?.originalAt).to.equal(Date.parse('2026-10-25T01:30Z'));
    });

    it('makes an all-day event last from midnight to midnight, however long the day', async () => {
      const { span } = await create('Day', '2026-03-29T10:00', '2026-03-29T12:00', {
        allDay: true,
      });
      expect([iso(span.from), iso(span.until)]).to.deep.equal([
        '2026-03-28T23:00',
        '2026-03-29T22:00',
      ]);
      const two = await create('Two', '2026-10-24T00:00', '2026-10-26T00:00', { allDay: true });
      expect(two.span.until - two.span.from).to.equal(2 * DAY + HOUR);
      const same = await create('Same', '2026-05-01T00:00', '2026-05-01T00:00', { allDay: true });
      expect(same.span.until - same.span.from).to.equal(DAY);
    });

    it('numbers events 1, 2, 3 and never reuses a number', async () => {
      const first = await create('a', '2026-01-01T09:00', '2026-01-01T10:00');
      const second = await create('b', '2026-01-01T09:00', '2026-01-01T10:00');
      await world.core.calendar.deleteEvent(world.caller, second.event.id);
      const third = await create('c', '2026-01-01T09:00', '2026-01-01T10:00');
      expect([first, second, third].map(({ event }) => event.number)).to.deep.equal([1, 2, 3]);
    });

    it('returns exactly the events that overlap a half-open window', async () => {
      await create('before', '2026-01-10T08:00Z', '2026-01-10T09:00Z');
      await create('into', '2026-01-10T08:00Z', '2026-01-10T09:01Z');
      await create('within', '2026-01-10T09:30Z', '2026-01-10T09:40Z');
      await create('around', '2026-01-01T00:00Z', '2026-02-01T00:00Z');
      await create('out of', '2026-01-10T09:59Z', '2026-01-10T12:00Z');
      await create('after', '2026-01-10T10:00Z', '2026-01-10T11:00Z');
      await create('moment', '2026-01-10T09:00Z', '2026-01-10T09:00Z');
      await create('last moment', '2026-01-10T10:00Z', '2026-01-10T10:00Z');
      const { items, total } = await look('2026-01-10T09:00Z', '2026-01-10T10:00Z');
      expect(items.map(({ details }) => details.title)).to.deep.equal([
        'around',
        'into',
        'moment',
        'within',
        'out of',
      ]);
      expect(total).to.equal(5);
      const cut = await look('2026-01-10T09:00Z', '2026-01-10T10:00Z', 2);
      expect([cut.items.length, cut.total]).to.deep.equal([2, 5]);
    });

    it('shows a moved occurrence at its new time only, and finds it by its start by the rule', async () => {
      const { event } = await create('Run', '2026-06-01T07:00', '2026-06-01T08:00', {
        rrule: 'FREQ=DAILY;COUNT=5',
      });
      const change = (original: string, draft: EventEdit) =>
        world.core.calendar.changeOccurrence(world.caller, event.id, at(original), draft);
      await change('2026-06-03T05:00Z', {
        startsAt: at('2026-08-01T07:00'),
        endsAt: at('2026-08-01T07:30'),
      });
      await change('2026-06-03T05:00Z', { title: 'Swim' });
      expect(await starts('2026-06-01T00:00Z', '2026-06-30T00:00Z')).to.have.length(4);
      const [moved] = (await look('2026-08-01T00:00Z', '2026-08-02T00:00Z')).items;
      expect(
        moved && [
          moved.details.title,
          iso(moved.span.from),
          iso(moved.originalAt),
          moved.overridden,
        ],
      ).to.deep.equal(['Swim', '2026-08-01T05:00', '2026-06-03T05:00', true]);
      await world.core.calendar.excludeOccurrence(world.caller, event.id, at('2026-06-03T05:00Z'));
      expect(await starts('2026-08-01T00:00Z', '2026-08-02T00:00Z')).to.deep.equal([]);
      const again = world.core.calendar.excludeOccurrence(
        world.caller,
        event.id,
        at('2026-06-03T05:00Z'),
      );
      expect(await code(again)).to.equal('not_found');
      expect(await code(change('2026-06-02T06:00Z', { title: 'x' }))).to.equal('not_found');
    });

    it('lets unmodified fields of an occurrence follow the series, also to another time of day', async () => {
      const { event } = await create('Run', '2026-06-01T07:00', '2026-06-01T08:00', {
        rrule: 'FREQ=DAILY;COUNT=5',
      });
      const { core, caller } = world;
      await core.calendar.changeOccurrence(caller, event.id, at('2026-06-03T05:00Z'), {
        location: 'Park',
      });
      await core.calendar.excludeOccurrence(caller, event.id, at('2026-06-04T05:00Z'));
      await core.calendar.editEvent(caller, event.id, {
        title: 'Jog',
        startsAt: at('2026-06-01T09:00'),
      });
      const { items } = await look('2026-06-01T00:00Z', '2026-06-30T00:00Z');
      expect(
        items.map(({ span, details }) =>
          `${iso(span.from)} ${details.title} ${details.location}`.trim(),
        ),
      ).to.deep.equal([
        '2026-06-01T07:00 Jog',
        '2026-06-02T07:00 Jog',
        '2026-06-03T07:00 Jog Park',
        '2026-06-05T07:00 Jog',
      ]);
      expect(items.every(({ span }) => span.until - span.from === HOUR)).to.equal(true);
      await core.calendar.editEvent(caller, event.id, { rrule: '' });
      expect(await starts('2026-06-01T00:00Z', '2026-06-30T00:00Z')).to.deep.equal([
        '2026-06-01T07:00 Jog',
      ]);
    });

    it('reverts an occurrence that no longer differs to the series', async () => {
      const { event } = await create('Run', '2026-06-01T07:00', '2026-06-01T08:00', {
        rrule: 'FREQ=DAILY;COUNT=5',
      });
      const { core, caller } = world;
      const change = (title: string) =>
        core.calendar.changeOccurrence(caller, event.id, at('2026-06-03T07:00'), { title });
      expect((await change('Walk')).overridden).to.equal(true);
      expect((await change('Run')).overridden).to.equal(false);
      await change('Walk');
      await core.calendar.editEvent(caller, event.id, { title: 'Walk' });
      const { items } = await look('2026-06-01T00:00Z', '2026-06-30T00:00Z');
      expect(items.map(({ overridden }) => overridden)).to.deep.equal(items.map(() => false));
      expect(items).to.have.length(5);
    });

    it('makes moved occurrences all-day when their series becomes all-day', async () => {
      const { event } = await create('Run', '2026-06-01T07:00', '2026-06-01T08:00', {
        rrule: 'FREQ=DAILY;COUNT=3',
      });
      const { core, caller } = world;
      await core.calendar.changeOccurrence(caller, event.id, at('2026-06-02T07:00'), {
        startsAt: at('2026-06-05T15:00'),
        endsAt: at('2026-06-06T01:00'),
      });
      await core.calendar.editEvent(caller, event.id, { allDay: true });
      const { items } = await look('2026-06-01T00:00Z', '2026-06-30T00:00Z');
      expect(
        items.map(({ span }) => `${iso(span.from)} ${(span.until - span.from) / DAY}`),
      ).to.deep.equal(['2026-05-31T22:00 1', '2026-06-02T22:00 1', '2026-06-04T22:00 2']);
    });

    it('moves a single event out of a gap permanently', async () => {
      const { event } = await create('Once', '2026-03-29T02:30', '2026-03-29T04:00');
      expect(event.start).to.equal(Date.parse('2026-03-29T03:30Z'));
      const series = await create('Often', '2026-03-01T09:00', '2026-03-01T10:00', {
        rrule: 'FREQ=DAILY',
      });
      const moved = await world.core.calendar.changeOccurrence(
        world.caller,
        series.event.id,
        at('2026-03-29T09:00'),
        { startsAt: at('2026-03-29T02:30') },
      );
      expect(moved.details.start).to.equal(Date.parse('2026-03-29T03:30Z'));
      expect(moved.span.until - moved.span.from).to.equal(HOUR);
    });

    it('treats a single event as its only occurrence', async () => {
      const { event } = await create('Once', '2026-06-01T07:00', '2026-06-01T08:00');
      const changed = await world.core.calendar.changeOccurrence(
        world.caller,
        event.id,
        at('2026-06-01T05:00Z'),
        { title: 'Only' },
      );
      expect(changed.overridden).to.equal(false);
      expect(await starts('2026-06-01T00:00Z', '2026-06-02T00:00Z')).to.deep.equal([
        '2026-06-01T05:00 Only',
      ]);
      await world.core.calendar.excludeOccurrence(world.caller, event.id, at('2026-06-01T05:00Z'));
      expect(await code(world.core.calendar.getEvent(world.caller, event.id))).to.equal(
        'not_found',
      );
    });

    it('rejects invalid events and changes nothing', async () => {
      const refused: readonly [EventEdit, string][] = [
        [{ endsAt: at('2026-01-01T08:00') }, 'ends_at'],
        [{ startsAt: at('1899-12-31T08:00') }, 'starts_at'],
        [{ startsAt: at('2201-01-01T08:00') }, 'starts_at'],
        [{ endsAt: at('2201-01-01T08:00') }, 'ends_at'],
        [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'rrule'],
        [{ rrule: 'FREQ=HOURLY', endsAt: at('2028-01-01T08:00') }, 'ends_at'],
      ];
      const { event } = await create('Stays', '2026-01-01T09:00', '2026-01-01T10:00');
      for (const [edit, field] of refused) {
        const error = await world.core.calendar.editEvent(world.caller, event.id, edit).then(
          () => undefined,
          (thrown: unknown) => thrown as { field?: string },
        );
        expect(error?.field, JSON.stringify(edit)).to.equal(field);
      }
      expect((await world.core.calendar.getEvent(world.caller, event.id)).event).to.deep.equal(
        event,
      );
    });

    it('returns the same for two adjacent windows as for both together', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.tuple(rules(), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 50 })),
            {
              minLength: 1,
              maxLength: 5,
            },
          ),
          fc.integer({ min: 0, max: 120 }),
          fc.integer({ min: 1, max: 120 }),
          async (created, from, length) => {
            world = await fresh();
            const start = Date.parse('2026-02-20T09:30Z');
            for (const [rrule, day, hours] of created) {
              const begins = start + day * DAY;
              await create('e', iso(begins), iso(begins + hours * HOUR), {
                rrule,
                tz: 'America/New_York',
              });
            }
            const [a, b] = [start + from * DAY, start + (from + length) * DAY];
            const middle = (a + b) / 2;
            const agenda = async (low: number, high: number) =>
              (
                await world.core.calendar.agenda(world.caller, {
                  from: instant(low),
                  to: instant(high),
                  limit: 2_000,
                })
              ).items;
            const key = ({ event, originalAt }: Occurrence) => `${event.id} ${originalAt}`;
            const all = (await agenda(a, b)).map(key);
            const parts = [...(await agenda(a, middle)), ...(await agenda(middle, b))].map(key);
            expect(new Set(parts)).to.deep.equal(new Set(all));
            expect(new Set(all).size).to.equal(all.length);
          },
        ),
        { numRuns: 15 },
      ));

    it('has the same occurrences, with their modifications, after a series was split anywhere', () =>
      fc.assert(
        fc.asyncProperty(
          rules(),
          fc.nat(12),
          fc.nat(12),
          fc.nat(12),
          async (rrule, cut, changed, left) => {
            world = await fresh();
            const { core, caller } = world;
            const { event } = await create('e', '2026-02-20T09:30', '2026-02-20T10:30', { rrule });
            const window = [at('2026-02-01T00:00Z'), at('2027-02-01T00:00Z')] as const;
            const agenda = async () =>
              (
                await core.calendar.agenda(caller, { from: window[0], to: window[1], limit: 2_000 })
              ).items.map(({ span, details, overridden }) => [
                span.from,
                span.until,
                details.title,
                overridden,
              ]);
            const pick = async (n: number) => {
              const { items } = await core.calendar.agenda(caller, {
                from: window[0],
                to: window[1],
                limit: 2_000,
              });
              const found = items.filter((it) => it.event.id === event.id);
              return instant(found[n % Math.max(1, found.length)]?.originalAt ?? 0);
            };
            await core.calendar.changeOccurrence(caller, event.id, await pick(changed), {
              title: 'other',
            });
            await core.calendar.excludeOccurrence(caller, event.id, await pick(left));
            const before = await agenda();
            if (before.length === 0) return;
            await core.calendar.splitEvent(caller, event.id, await pick(cut), {});
            expect(await agenda()).to.deep.equal(before);
          },
        ),
        { numRuns: 25 },
      ));

    it('changes an occurrence and all that follow with a split, and none before', async () => {
      const { event } = await create('Old', '2026-06-01T07:00', '2026-06-01T08:00', {
        rrule: 'FREQ=DAILY;COUNT=5',
      });
      const view = await world.core.calendar.splitEvent(
        world.caller,
        event.id,
        at('2026-06-03T05:00Z'),
        {
          title: 'New',
          startsAt: at('2026-06-03T12:00'),
        },
      );
      expect([view.event.number, view.event.rrule]).to.deep.equal([2, 'FREQ=DAILY;COUNT=3']);
      expect(await starts('2026-06-01T00:00Z', '2026-06-30T00:00Z')).to.deep.equal([
        '2026-06-01T05:00 Old',
        '2026-06-02T05:00 Old',
        '2026-06-03T10:00 New',
        '2026-06-04T10:00 New',
        '2026-06-05T10:00 New',
      ]);
      const whole = await world.core.calendar.splitEvent(
        world.caller,
        view.event.id,
        at('2026-06-03T10:00Z'),
        {
          title: 'Newer',
        },
      );
      expect(whole.event.id).to.equal(view.event.id);
      expect(await starts('2026-06-03T00:00Z', '2026-06-04T00:00Z')).to.deep.equal([
        '2026-06-03T10:00 Newer',
      ]);
    });

    it('sends each reminder of each occurrence once, under any concurrency', () =>
      fc.assert(
        fc.asyncProperty(
          rules(),
          fc.uniqueArray(fc.constantFrom(0, 5, 60, 1440), { minLength: 1 }),
          fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 40 }),
          async (rrule, reminders, steps) => {
            world = await fresh();
            world.now = Date.parse('2026-02-20T09:00Z');
            await create('e', '2026-02-20T09:30Z', '2026-02-20T10:30Z', {
              rrule,
              reminders,
              tz: 'UTC',
            });
            const began = world.now;
            const all = (await look('2026-02-01T00:00Z', '2027-01-31T00:00Z', 2_000)).items;
            const due = all.flatMap(({ span }) => reminders.map((m) => span.from - m * MINUTE));
            // Polling every twenty seconds would be too slow, so each step goes to the next due moment.
            for (const step of steps) {
              const next = Math.min(...due.filter((moment) => moment > world.now));
              world.now = next === Infinity ? world.now + HOUR : next;
              for (let i = 0; i < step; i++) await world.core.background.sendDueReminders();
            }
            const expected = due.filter((moment) => moment > began && moment <= world.now);
            const given = await notices(world);
            expect(given.length).to.equal(expected.length);
            expect(new Set(given).size).to.equal(given.length);
          },
        ),
        { numRuns: 20 },
      ));

    it('sends only the latest of missed reminders, and none for an event created in the past', async () => {
      world.now = Date.parse('2026-02-20T09:00Z');
      await create('Missed', '2026-02-20T09:30Z', '2026-02-20T10:30Z', {
        rrule: 'FREQ=HOURLY',
        reminders: [0, 10],
      });
      await create('Past', '2026-02-20T08:30Z', '2026-02-20T08:40Z', { reminders: [0] });
      await create('Off', '2026-02-20T09:30Z', '2026-02-20T08:40Z'.replace('08', '10'), {
        reminders: [0],
        status: 'cancelled',
      });
      world.now = Date.parse('2026-03-02T12:00Z');
      await world.core.background.sendDueReminders();
      await world.core.background.sendDueReminders();
      expect(await notices(world)).to.deep.equal(['2026-03-02T11:30:00.000Z 0']);
      world.now = Date.parse('2026-03-02T12:20:05Z');
      await world.core.background.sendDueReminders();
      expect(await notices(world)).to.include('2026-03-02T12:30:00.000Z 10');
    });

    it('sends no missed reminder if another is due now', async () => {
      world.now = Date.parse('2026-02-20T09:00Z');
      await create('Soon', '2026-02-20T09:30Z', '2026-02-20T10:30Z', { reminders: [0, 1, 2] });
      world.now = Date.parse('2026-02-20T09:30:05Z');
      await world.core.background.sendDueReminders();
      expect(await notices(world)).to.deep.equal(['2026-02-20T09:30:00.000Z 0']);
    });

    it('does not lose a due reminder when the event is changed before it is sent', async () => {
      const { core, caller } = world;
      const from = { startsAt: at('2026-02-20T09:30Z') };
      for (const change of [
        (id: string) => core.calendar.editEvent(caller, id, { title: 'x' }),
        (id: string) =>
          core.calendar.changeOccurrence(caller, id, at('2026-02-22T09:30Z'), { title: 'x' }),
        (id: string) => core.calendar.excludeOccurrence(caller, id, at('2026-02-22T09:30Z')),
        (id: string) => core.calendar.splitEvent(caller, id, from.startsAt, { title: 'x' }),
        (id: string) => core.calendar.splitEvent(caller, id, at('2026-02-21T09:30Z'), {}),
      ]) {
        world.now = Date.parse('2026-02-20T09:00Z');
        const { event } = await create('Soon', '2026-02-19T09:30Z', '2026-02-19T10:30Z', {
          reminders: [0],
          rrule: 'FREQ=DAILY;COUNT=5',
          tz: 'UTC',
        });
        world.now = Date.parse('2026-02-20T09:30:01Z');
        const before = (await notices(world)).length;
        await change(event.id);
        await core.background.sendDueReminders();
        await core.background.sendDueReminders();
        expect((await notices(world)).length - before, String(change)).to.equal(1);
      }
    });

    it('reminds of a modified occurrence at its new time, and of no excluded one', async () => {
      world.now = Date.parse('2026-02-20T09:00Z');
      const { event } = await create('Daily', '2026-02-21T09:00Z', '2026-02-21T10:00Z', {
        rrule: 'FREQ=DAILY;COUNT=3',
        reminders: [30],
        tz: 'UTC',
      });
      const { core, caller } = world;
      await core.calendar.excludeOccurrence(caller, event.id, at('2026-02-21T09:00Z'));
      await core.calendar.changeOccurrence(caller, event.id, at('2026-02-22T09:00Z'), {
        startsAt: at('2026-02-25T18:00Z'),
        endsAt: at('2026-02-25T19:00Z'),
        reminders: [5],
      });
      for (let hour = 0; hour < 200; hour++) {
        world.now += HOUR / 2;
        await core.background.sendDueReminders();
      }
      expect(await notices(world)).to.have.members(['2026-02-23T09:00:00.000Z 30']);
      for (; world.now < Date.parse('2026-02-25T19:00Z'); world.now += 5 * MINUTE)
        await core.background.sendDueReminders();
      expect(await notices(world)).to.have.members([
        '2026-02-23T09:00:00.000Z 30',
        '2026-02-25T18:00:00.000Z 5',
      ]);
    });
  });

/** Few occurrences and many, finite and infinite. */
const rules = () =>
  fc.constantFrom(
    'FREQ=DAILY',
    'FREQ=DAILY;COUNT=9',
    'FREQ=DAILY;INTERVAL=3;UNTIL=20260601T000000Z',
    'FREQ=WEEKLY;BYDAY=MO,WE,FR',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=7',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4',
    'FREQ=YEARLY',
    'FREQ=HOURLY;INTERVAL=7;COUNT=50',
  );

async function notices({ core, caller }: CoreFixture): Promise<string[]> {
  const { items } = await core.notifications.listNotifications(caller, {
    unreadOnly: false,
    limit: 200,
    offset: 0,
  });
  return items.map(
    ({ payload }) => `${String(payload['starts_at'])} ${String(payload['minutes'])}`,
  );
}

const code = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
