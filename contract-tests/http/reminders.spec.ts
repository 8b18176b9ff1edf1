import { expect } from 'chai';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** After this a reminder counts as missed, and only one of an event is sent. */
const MISSED_MS = 11_000;
/** Time in which a process checks twice for due reminders. */
const LOOKED_TWICE_MS = 5_000;

interface Notice {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly payload: {
    readonly event_id: string;
    readonly starts_at: string;
    readonly minutes: number;
  };
}

for (const profile of profiles)
  describe(`${profile}: reminders`, function () {
    this.timeout(240_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
      await service.cli('tenant', 'create', 'calendars');
    });
    after(() => service.dispose());

    /** An owner, and the requests made as that owner, to the process that currently serves. */
    async function owner() {
      const { token } = await service.newOwner(undefined, 'calendars');
      const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
        service.call(method, `/v1${path}`, { token, ...(body !== undefined && { body }) });
      /** An event that begins so many milliseconds from now, in whole seconds. */
      const create = async (inMs: number, more: object): Promise<Answer['json']> => {
        const start = Math.ceil((Date.now() + inMs) / 1_000) * 1_000;
        const { status, json } = await call('POST', '/calendar/events', {
          title: 'Dentist',
          starts_at: new Date(start).toISOString(),
          ends_at: new Date(start + MINUTE).toISOString(),
          ...more,
        });
        expect(status, JSON.stringify(json)).to.equal(200);
        return json;
      };
      const notices = async (): Promise<readonly Notice[]> =>
        (await call('GET', '/notifications?limit=200')).json.items;
      const reported = (count: number) =>
        eventually(notices, (items) => items.length >= count, 20_000);
      return { call, create, notices, told: reported };
    }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

    it('are sent once, across kill -9 and downtime, late ones once each, and none for past or cancelled events', async () => {
      const [soon, missed, none, series] = [
        await owner(),
        await owner(),
        await owner(),
        await owner(),
      ];
      const event = await soon.create(2_000, { reminders: [0], location: 'Room 1' });
      // Today's occurrence, and the one of tomorrow, brought forward to three seconds later: both will be missed.
      const late = await missed.create(12_000 - DAY, { reminders: [0], rrule: 'FREQ=DAILY' });
      const at = (days: number, ms = 0) =>
        new Date(Date.parse(late.starts_at as string) + days * DAY + ms).toISOString();
      const latest = at(1, 3_000);
      const { status } = await missed.call(
        'PUT',
        `/calendar/events/${late.id}/occurrences/${at(2)}`,
        {
          starts_at: latest,
        },
      );
      expect(status).to.equal(200);
      await none.create(-3_000, { reminders: [0] });
      await none.create(3_000, { reminders: [0], status: 'cancelled' });
      await none.create(3_000, { reminders: [] });
      const daily = await series.create(3_000 - DAY, {
        reminders: [0],
        rrule: 'FREQ=DAILY',
      });

      const [first] = await soon.told(1);
      expect(first).to.deep.include({
        kind: 'calendar.reminder',
        title: 'Dentist',
        payload: { event_id: event.id, starts_at: event.starts_at, minutes: 0 },
      });
      expect(first?.body).to.include('Room 1');
      expect((await series.told(1)).map(({ payload }) => payload)).to.deep.equal([
        {
          event_id: daily.id,
          starts_at: new Date(Date.parse(daily.starts_at as string) + DAY).toISOString(),
          minutes: 0,
        },
      ]);

      expect(await missed.notices()).to.deep.equal([]);
      await service.stop('SIGKILL');
      await pause(Math.max(0, Date.parse(latest) + MISSED_MS - Date.now()));
      service = await service.restart('SIGKILL');
      await missed.told(1);
      service = await service.restart('SIGKILL');
      await pause(LOOKED_TWICE_MS);
      expect((await missed.notices()).map(({ payload }) => payload)).to.deep.equal([
        { event_id: late.id, starts_at: latest, minutes: 0 },
      ]);
      expect(await soon.notices()).to.have.length(1);
      expect(await series.notices()).to.have.length(1);
      expect(await none.notices()).to.deep.equal([]);
    });

    // Only the team profile has two processes on one workspace.
    if (profile !== 'team') return;

    it('are sent once with two processes, and after a concurrent change', async () => {
      const beside = await service.beside();
      try {
        const many = await owner();
        for (let i = 0; i < 10; i++) await many.create(4_000, { reminders: [0], title: `n${i}` });
        const moved = await many.create(3_000, { reminders: [0], title: 'moved' });
        await many.call('PATCH', `/calendar/events/${moved.id}`, {
          starts_at: new Date(Date.parse(moved.starts_at as string) + 4_000).toISOString(),
        });
        const gone = await many.create(4_000, { reminders: [0], title: 'gone' });
        await many.call('DELETE', `/calendar/events/${gone.id}`);
        await many.told(11);
        await pause(LOOKED_TWICE_MS);
        expect((await many.notices()).map(({ title }) => title).sort()).to.deep.equal(
          [...Array.from({ length: 10 }, (_, i) => `n${i}`), 'moved'].sort(),
        );
      } finally {
        await beside.stop();
      }
    });
  });
