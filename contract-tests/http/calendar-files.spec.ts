import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { profiles, startService, type Answer, type Service } from './harness.ts';

const DAY = 86_400_000;
const NOTHING = { created: 0, updated: 0, skipped: 0, errors: [] };

/** A calendar file of these lines. */
const ics = (lines: readonly string[], end = '\r\n') =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...lines, 'END:VCALENDAR', ''].join(end);
const vevent = (uid: string, ...lines: readonly string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VEVENT',
];
const simple = (uid: string, title: string, ...lines: readonly string[]) =>
  vevent(uid, 'DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z', `SUMMARY:${title}`, ...lines);

for (const profile of profiles)
  describe(`${profile}: calendar files`, function () {
    this.timeout(240_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
      await service.cli('tenant', 'create', 'calendars');
    });
    after(() => service.dispose());

    /** An owner, and the requests made as that owner. */
    async function owner(settings?: object) {
      const { token, id } = await service.newOwner(undefined, 'calendars');
      const call = (
        method: string,
        path: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<Answer> =>
        service.call(method, `/v1${path}`, {
          token,
          headers,
          ...(body !== undefined && { body }),
        });
      if (settings) await call('PUT', '/settings', settings);
      const send = (
        raw: string | Uint8Array<ArrayBuffer>,
        type = 'text/calendar',
        headers: Readonly<Record<string, string>> = {},
      ) =>
        service.call('POST', '/v1/calendar/import', {
          token,
          raw,
          headers: { 'content-type': type, ...headers },
        });
      const take = async (raw: string | Uint8Array<ArrayBuffer>): Promise<Answer['json']> => {
        const { status, json, text } = await send(raw);
        expect(status, text).to.equal(200);
        return json;
      };
      const file = async (): Promise<string> => (await call('GET', '/calendar/export')).text;
      const agenda = async (from: string, days = 365) => {
        const to = new Date(Date.parse(from) + days * DAY).toISOString();
        const path = `/calendar/agenda?from=${from}T00:00:00Z&to=${to}&limit=2000`;
        return (await call('GET', path)).json.items;
      };
      const events = async () => (await call('GET', '/calendar/events?limit=100')).json.items;
      const titles = async () => (await events()).map(({ title }: { title: string }) => title);
      return { id, token, call, send, take, file, agenda, events, titles };
    }
    type Owner = Awaited<ReturnType<typeof owner>>;

    const faultOf = ({ status, json }: Answer) => [status, json.detail[0].loc, json.detail[0].type];
    const withoutIds = (items: readonly Record<string, unknown>[]) =>
      items.map(({ event_id: _, id: __, ...rest }) => rest);

    /** Events of every kind, with changed, moved and cancelled occurrences. */
    async function fill({ call }: Owner): Promise<void> {
      const create = async (body: object): Promise<string> => {
        const { status, json } = await call('POST', '/calendar/events', body);
        expect(status, JSON.stringify(json)).to.equal(200);
        return json.id;
      };
      const at = (id: string, start: string) => `/calendar/events/${id}/occurrences/${start}`;
      await create({
        title: 'Commas, semicolons; back\\slashes "quoted" \u{1F4C5}',
        starts_at: '2026-01-05T09:00:30',
        ends_at: '2026-01-05T10:00:00',
        tz: 'America/St_Johns',
        description: `Line one\nLine two\n\n\tэто ${'long '.repeat(300)}\n`,
        location: 'Room: 1; floor, 2\\n',
        reminders: [40_320, 0, 15],
        status: 'tentative',
      });
      await create({
        title: 'No length',
        starts_at: '2026-01-05T09:00',
        ends_at: '2026-01-05T09:00',
      });
      await create({
        title: 'Days',
        starts_at: '2026-03-28',
        ends_at: '2026-03-31',
        all_day: true,
        tz: 'Europe/Berlin',
      });
      await create({
        title: 'Second of two',
        starts_at: '2026-11-01T06:30:00Z',
        ends_at: '2026-11-01T06:45:00Z',
        tz: 'America/New_York',
      });
      await create({
        title: 'In the gap',
        starts_at: '2026-03-29T02:30',
        ends_at: '2026-03-29T03:45',
        tz: 'Europe/Berlin',
      });
      await create({
        title: 'Cancelled',
        starts_at: '1950-06-01T09:00',
        ends_at: '1950-06-01T10:00',
        tz: 'Europe/London',
        status: 'cancelled',
      });
      const weekly = await create({
        title: 'Weekly',
        starts_at: '2026-01-05T09:00',
        ends_at: '2026-01-05T10:00',
        tz: 'Europe/Berlin',
        rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR',
        reminders: [10],
      });
      await call('PUT', at(weekly, '2026-01-07T09:00'), {
        title: 'Changed',
        starts_at: '2026-01-08T12:00',
        ends_at: '2026-01-08T14:00',
        reminders: [],
      });
      await call('PUT', at(weekly, '2026-01-12T09:00'), { status: 'cancelled' });
      await call('PUT', at(weekly, '2026-01-14T09:00'), { tz: 'Asia/Tokyo', location: 'Tokyo' });
      await call('PUT', at(weekly, '2026-01-19T09:00'), { all_day: true });
      await call('PUT', at(weekly, '2026-01-21T09:00'), { title: 'Weekly' });
      await call('DELETE', at(weekly, '2026-01-09T09:00'));
      await call('DELETE', at(weekly, '2026-04-01T09:00'));
      const days = await create({
        title: 'Birthday',
        starts_at: '2000-02-29',
        ends_at: '2000-03-01',
        all_day: true,
        tz: 'Asia/Tokyo',
        rrule: 'FREQ=YEARLY',
      });
      await call('DELETE', at(days, '2028-02-29'));
      const counted = await create({
        title: 'Counted',
        starts_at: '2026-03-25T02:30',
        ends_at: '2026-03-25T03:30',
        tz: 'Europe/Berlin',
        rrule: 'FREQ=DAILY;COUNT=10',
      });
      await call('PUT', at(counted, '2026-03-29T02:30'), { title: 'Out of the gap' });
      await call('POST', `/calendar/events/${counted}/split`, {
        from: '2026-03-31T02:30',
        title: 'Split',
      });
      await create({
        title: 'Until',
        starts_at: '2026-05-01T20:00',
        ends_at: '2026-05-02T04:00',
        tz: 'America/New_York',
        rrule: 'FREQ=DAILY;UNTIL=20260510T000000Z',
      });
    }

    describe('are imported', () => {
      it('as they were exported, for another owner, with the same agenda', async () => {
        const [mine, theirs] = [await owner({ timezone: 'Asia/Tokyo' }), await owner()];
        await fill(mine);
        const file = await mine.file();
        const [events, all] = [await mine.events(), (await mine.events()).length];
        expect(await theirs.take(file)).to.deep.equal({ ...NOTHING, created: all });
        // The order of numbers and reminders is that of the file.
        const reported = (items: Record<string, unknown>[]) =>
          withoutIds(items).map(({ reminders, ...rest }) => ({
            ...rest,
            reminders: [...(reminders as number[])].sort((a, b) => a - b),
          }));
        expect(reported(await theirs.events())).to.deep.equal(reported(events));
        expect(await theirs.file()).to.equal(file);
        for (const year of ['1950', '2026', '2027', '2028', '2076'])
          expect(withoutIds(await theirs.agenda(`${year}-01-01`)), year).to.deep.equal(
            withoutIds(await mine.agenda(`${year}-01-01`)),
          );
        expect(await theirs.take(file)).to.deep.equal({ ...NOTHING, skipped: all });
        expect(await mine.take(file)).to.deep.equal({ ...NOTHING, skipped: all });
      });

      it('also if a series includes the time of a modified occurrence', async () => {
        const [mine, theirs] = [await owner(), await owner()];
        const { json } = await mine.call('POST', '/calendar/events', {
          title: 'Series',
          starts_at: '2026-01-05T09:00',
          ends_at: '2026-01-05T10:00',
          rrule: 'FREQ=DAILY;COUNT=4',
        });
        const path = `/calendar/events/${json.id}`;
        await mine.call('PUT', `${path}/occurrences/2026-01-06T09:00`, {
          title: 'New',
          location: 'L',
        });
        await mine.call('PUT', `${path}/occurrences/2026-01-07T09:00`, { title: 'New' });
        await mine.call('PATCH', path, { title: 'New' });
        const file = await mine.file();
        expect(await mine.take(file)).to.deep.equal({ ...NOTHING, skipped: 1 });
        await theirs.take(file);
        expect(await theirs.file()).to.equal(file);
        expect(withoutIds(await theirs.agenda('2026-01-01'))).to.deep.equal(
          withoutIds(await mine.agenda('2026-01-01')),
        );
      });

      it('with further dates of a series, which remain when it is changed', async () => {
        const mine = await owner();
        await mine.take(
          ics(
            simple('r', 'R', 'RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260110T150000Z,20260111T090000Z'),
          ),
        );
        const starts = async () =>
          (await mine.agenda('2026-01-01')).map(({ starts_at: at }: { starts_at: string }) =>
            at.slice(8, 16),
          );
        const all = ['05T09:00', '06T09:00', '10T15:00', '11T09:00'];
        expect(await starts()).to.deep.equal(all);
        const [{ id }] = await mine.events();
        await mine.call('PATCH', `/calendar/events/${id}`, { title: 'Other' });
        expect(await starts()).to.deep.equal(all);
        const at = `/calendar/events/${id}/occurrences`;
        const changed = await mine.call('PUT', `${at}/2026-01-10T15:00Z`, { title: 'Extra' });
        expect([changed.status, changed.json.title]).to.deep.equal([200, 'Extra']);
        expect((await mine.call('DELETE', `${at}/2026-01-11T09:00Z`)).status).to.equal(200);
        expect(await starts()).to.deep.equal(all.slice(0, 3));
        const split = await mine.call('POST', `/calendar/events/${id}/split`, {
          from: '2026-01-10T15:00Z',
        });
        expect([split.status, split.json.code]).to.deep.equal([404, 'not_found']);
        const file = await mine.file();
        expect(await mine.take(file)).to.deep.equal({ ...NOTHING, skipped: 1 });
        await mine.call('PATCH', `/calendar/events/${id}`, { starts_at: '2026-01-05T10:00Z' });
        expect(await starts()).to.deep.equal(['05T10:00', '06T10:00', '10T16:00']);
      });

      it('as one file that every calendar can read', async () => {
        const mine = await owner();
        await fill(mine);
        const answer = await mine.call('GET', '/calendar/export');
        expect(answer.headers.get('content-type')).to.match(/^text\/calendar/);
        expect(answer.headers.get('content-disposition')).to.match(/\.ics/);
        expect(answer.text).to.match(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
        expect(answer.text).to.match(/END:VCALENDAR\r\n$/);
        for (const line of answer.text.split('\r\n')) {
          expect(Buffer.byteLength(line), line).to.be.at.most(75);
          expect(line).not.to.match(/[\r\n]/);
        }
        expect(answer.text).to.include('BEGIN:VTIMEZONE');
        const empty = await owner();
        expect(await empty.file()).to.match(/^BEGIN:VCALENDAR[^]*END:VCALENDAR\r\n$/);
      });
    });

    describe('are read', () => {
      it('by UID: created, skipped, updated, a series including its exceptions', async () => {
        const { take, titles, call, agenda } = await owner();
        const series = (title: string, changed: string) => [
          ...simple('s@x', title, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20260106T090000Z'),
          ...simple('s@x', changed, 'RECURRENCE-ID:20260107T090000Z'),
        ];
        const file = (title: string, changed: string) =>
          ics([...simple('a@x', 'A'), ...series(title, changed)]);
        expect(await take(file('S', 'T'))).to.deep.equal({ ...NOTHING, created: 2 });
        expect(await take(file('S', 'T'))).to.deep.equal({ ...NOTHING, skipped: 2 });
        expect(await take(file('S', 'U'))).to.deep.equal({ ...NOTHING, skipped: 1, updated: 1 });
        expect(await take(file('V', 'U'))).to.deep.equal({ ...NOTHING, skipped: 1, updated: 1 });
        expect(await titles()).to.deep.equal(['V', 'A']);
        expect(
          (await agenda('2026-01-01')).map((item: { title: string }) => item.title),
        ).to.deep.equal(['A', 'V', 'U', 'V']);
        const [{ id, number }] = (await call('GET', '/calendar/events?q=A')).json.items;
        await call('PATCH', `/calendar/events/${id}`, { title: 'Mine' });
        expect(await take(file('V', 'U'))).to.deep.equal({ ...NOTHING, skipped: 1, updated: 1 });
        const after = (await call('GET', `/calendar/events/${id}`)).json;
        expect([after.title, after.number]).to.deep.equal(['A', number]);
      });

      it('partially, with errors listed by line', async () => {
        const { take, titles } = await owner();
        const lines = [
          ...simple('good1', 'Good one'),
          ...vevent('nostart', 'SUMMARY:No start'),
          ...simple('badrule', 'Bad rule', 'RRULE:FREQ=SECONDLY'),
          ...vevent('backwards', 'DTSTART:20260105T090000Z', 'DTEND:20260105T080000Z', 'SUMMARY:B'),
          ...vevent('baddate', 'DTSTART:20261305T090000Z', 'SUMMARY:Bad date'),
          ...vevent('old', 'DTSTART:17000105T090000Z', 'SUMMARY:Old'),
          ...simple('never', 'Never', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
          ...simple('good2', 'Good two'),
        ];
        const text = ics(lines);
        const { created, errors } = await take(text);
        expect(created).to.equal(2);
        expect(await titles()).to.deep.equal(['Good two', 'Good one']);
        expect(errors.map(({ uid }: { uid: string }) => uid)).to.deep.equal(
          'nostart badrule backwards baddate old never'.split(' '),
        );
        const physical = text.split('\r\n');
        for (const { line, uid, reason } of errors) {
          expect(reason, uid).to.match(/^["A-Z].*[^.]\.$/);
          const begin = physical.lastIndexOf('BEGIN:VEVENT', line - 1);
          expect(physical[begin + 1], `${uid} ${line}`).to.equal(`UID:${uid}`);
        }
        const lineOf = (uid: string) =>
          physical[errors.find((error: { uid: string }) => error.uid === uid).line - 1];
        expect(lineOf('baddate')).to.equal('DTSTART:20261305T090000Z');
        expect(lineOf('backwards')).to.equal('DTEND:20260105T080000Z');
      });

      it('with any line breaks, folded or not, as form or as plain body, in upper or lower case', async () => {
        const text = ics(simple('f', `Folded ${'ж'.repeat(200)} end`));
        const folded = text.replace(/(.{30})(?=.)/gu, '$1\r\n ');
        const lower = text.replace('BEGIN:VEVENT', 'begin:vevent').replace('SUMMARY', 'summary');
        const spellings = [
          text,
          folded,
          folded.replaceAll('\r\n', '\n'),
          folded.replaceAll('\r\n', '\r'),
          folded.replaceAll('\r\n ', '\r\n\t'),
          `\ufeff${text}`,
          `${text}\r\n\r\n`,
          lower,
        ];
        const mine = await owner();
        for (const [i, spelling] of spellings.entries())
          expect(await mine.take(spelling), String(i)).to.deep.equal(
            i === 0 ? { ...NOTHING, created: 1 } : { ...NOTHING, skipped: 1 },
          );
        expect(await mine.titles()).to.deep.equal([`Folded ${'ж'.repeat(200)} end`]);
        const form = new FormData();
        form.append('file', new Blob([text], { type: 'text/calendar' }), 'a.ics');
        const sent = await service.call('POST', '/v1/calendar/import', {
          token: mine.token,
          raw: form,
        });
        expect([sent.status, sent.json]).to.deep.equal([200, { ...NOTHING, skipped: 1 }]);
        for (const type of ['text/calendar; charset=utf-8', 'TEXT/Calendar;method=PUBLISH'])
          expect((await mine.send(text, type)).json).to.deep.equal({ ...NOTHING, skipped: 1 });
      });

      it('even if they are not valid UTF-8', async () => {
        const mine = await owner();
        const bytes = Buffer.from(ics(simple('l', 'Caf\u00e9')), 'latin1');
        const { status, json } = await mine.send(new Uint8Array(bytes));
        expect([status, json.created]).to.deep.equal([200, 1]);
        expect(await mine.titles()).to.deep.equal(['Café']);
      });

      it('or rejected without any change', async () => {
        const mine = await owner();
        const { send, titles, token } = mine;
        const random = new Uint8Array(5_000).map((_, i) => (i * 7_919) % 251);
        for (const [what, raw] of [
          ['html', '<!doctype html><html><body>Sign in</body></html>'],
          ['json', '{"error": "no"}'],
          ['nothing', ''],
          ['blank', ' \r\n\r\n'],
          ['binary', random],
          ['NULs', '\0'.repeat(1_000)],
          ['an event without a calendar', simple('a', 'A').join('\r\n')],
        ] as const) {
          const answer = await send(raw);
          expect([answer.status, answer.json.code], what).to.deep.equal([400, 'not_a_calendar']);
        }
        for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
          const answer = await send(ics(simple('a', 'A')), type);
          expect(answer.status, type).to.equal(422);
          expect(answer.json.detail[0].loc[0]).to.equal('body');
        }
        const form = new FormData();
        form.append('other', 'x');
        const none = await service.call('POST', '/v1/calendar/import', { token, raw: form });
        expect(faultOf(none)).to.deep.equal([422, ['body', 'file'], 'missing']);
        const withoutFile = await service.call('POST', '/v1/calendar/import', { token });
        expect(faultOf(withoutFile)).to.deep.equal([422, ['body', 'file'], 'missing']);
        expect(await titles()).to.deep.equal([]);
      });

      it('up to a size', async () => {
        const mine = await owner();
        const big = ics([
          ...simple('first', 'First'),
          ...simple('x', 'X', `DESCRIPTION:${'d'.repeat(10 * 2 ** 20)}`),
        ]);
        const form = new FormData();
        form.append('file', new Blob([big]), 'a.ics');
        for (const answer of [
          await mine.send(big),
          await service.call('POST', '/v1/calendar/import', { token: mine.token, raw: form }),
        ])
          expect([answer.status, answer.json.code]).to.deep.equal([413, 'too_large']);
        expect(await mine.titles()).to.deep.equal([]);
      });

      it('once per idempotency key, and not with a read-only token', async () => {
        const mine = await owner();
        const key = { 'idempotency-key': 'k' };
        const text = ics(simple('a', 'A'));
        const first = await mine.send(text, 'text/calendar', key);
        const again = await mine.send(text, 'text/calendar', key);
        expect([again.status, again.json]).to.deep.equal([200, first.json]);
        const other = await mine.send(ics(simple('b', 'B')), 'text/calendar', key);
        expect([other.status, other.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
        const { token } = await service.cli(
          'token',
          'issue',
          '--owner',
          mine.id,
          '--access',
          'read',
        );
        const reader = await service.call('POST', '/v1/calendar/import', {
          token: token as string,
          raw: text,
          headers: { 'content-type': 'text/calendar' },
        });
        expect(reader.status).to.equal(403);
        expect(await mine.titles()).to.deep.equal(['A']);
      });

      it('without blocking the service, even if hostile', async () => {
        const mine = await owner();
        const dates = Array.from({ length: 20_000 }, (_, i) =>
          new Date(Date.UTC(2026, 0, 5, 9) + i * DAY).toISOString().replaceAll(/[-:]|\.000/g, ''),
        );
        const dense = [...Array(60).keys()].join(',');
        const nested = (n: number) => [
          ...Array.from({ length: n }, () => 'BEGIN:VALARM'),
          ...Array.from({ length: n }, () => 'END:VALARM'),
        ];
        for (const [what, lines] of [
          ['exceptions', simple('e', 'E', 'RRULE:FREQ=DAILY', `EXDATE:${dates.join(',')}`)],
          ['lines', simple('e', 'E', 'RRULE:FREQ=DAILY', ...dates.map((at) => `EXDATE:${at}`))],
          [
            'dense',
            simple('d', 'D', `RRULE:FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=${dense};BYSECOND=${dense}`),
          ],
          ['count', simple('c', 'C', 'RRULE:FREQ=DAILY;COUNT=1000000000')],
          ['interval', simple('i', 'I', 'RRULE:FREQ=DAILY;INTERVAL=0')],
          [
            'never',
            Array.from({ length: 500 }, (_, i) =>
              simple(`n${i}`, 'N', 'RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30'),
            ).flat(),
          ],
          ['nested', simple('t', 'T', ...nested(5_000))],
          ['calendars', Array.from({ length: 5_000 }, () => 'BEGIN:VCALENDAR')],
          ['a long line', simple('l', 'L', `X-LONG:${'x'.repeat(3_000_000)}`)],
          ['folds', simple('o', `O${'\r\n '.repeat(200_000)}o`)],
        ] as const) {
          const [answer, health] = await Promise.all([
            mine.send(ics(lines)),
            service.call('GET', '/health', { token: null }),
          ]);
          expect([200, 400], what).to.include(answer.status);
          expect(health.status, what).to.equal(200);
        }
        expect((await mine.events()).length).to.be.at.most(8);
      });

      it('with twenty thousand events, while /health responds', async () => {
        const mine = await owner();
        const text = ics(
          Array.from({ length: 20_000 }, (_, i) =>
            simple(`many-${i}`, `Event ${i}`, `DESCRIPTION:${'d'.repeat(230)}`),
          ).flat(),
        );
        expect(Buffer.byteLength(text)).to.be.within(6 * 2 ** 20, 8 * 2 ** 20);
        let done = false;
        const sent = mine.take(text).finally(() => (done = true));
        let requested = 0;
        while (!done) {
          expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
          requested++;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(await sent).to.deep.equal({ ...NOTHING, created: 20_000 });
        expect(requested).to.be.greaterThan(10);
        expect((await mine.call('GET', '/calendar/events?limit=1')).json.total).to.equal(20_000);
      });
    });

    describe('can be subscribed to', () => {
      const pathOf = (answer: Answer) => new URL(answer.json.url as string).pathname;
      const read = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
        service.call(method, path, { token: null, headers });

      it('at a secret URL, which a new one replaces and DELETE revokes', async () => {
        const mine = await owner();
        await fill(mine);
        const opened = await mine.call('POST', '/calendar/feed');
        expect([opened.status, Object.keys(opened.json)]).to.deep.equal([200, ['url']]);
        expect(opened.json.url).to.match(
          new RegExp(`^${service.base}/v1/calendar/feed/[A-Za-z0-9_-]{40,}\\.ics$`),
        );
        const first = pathOf(opened);
        const answer = await read(first);
        expect([answer.status, answer.text]).to.deep.equal([200, await mine.file()]);
        expect(answer.headers.get('content-type')).to.match(/^text\/calendar/);
        const second = pathOf(await mine.call('POST', '/calendar/feed'));
        expect(second).not.to.equal(first);
        const unknown = await read(`/v1/calendar/feed/${'x'.repeat(43)}.ics`);
        for (const path of [first, first.replace('.ics', 'x.ics')]) {
          const gone = await read(path);
          expect([gone.status, gone.text]).to.deep.equal([404, unknown.text]);
        }
        expect((await read(second)).status).to.equal(200);
        const ended = await mine.call('DELETE', '/calendar/feed');
        expect([ended.status, ended.json]).to.deep.equal([200, { deleted: true }]);
        expect((await read(second)).text).to.equal(unknown.text);
        expect((await mine.call('DELETE', '/calendar/feed')).status).to.equal(404);
      });

      it('at minimal cost, with an ETag that every change modifies', async () => {
        const mine = await owner();
        const { json } = await mine.call('POST', '/calendar/events', {
          title: 'x',
          starts_at: '2026-01-05T09:00',
          ends_at: '2026-01-05T10:00',
          rrule: 'FREQ=DAILY',
        });
        const path = pathOf(await mine.call('POST', '/calendar/feed'));
        const at = `/calendar/events/${json.id}`;
        let etag = (await read(path)).headers.get('etag') ?? '';
        expect(etag).to.match(/^(W\/)?".+"$/);
        for (const change of [
          () => mine.call('PATCH', at, { title: 'y' }),
          () => mine.call('PUT', `${at}/occurrences/2026-01-06T09:00`, { title: 'z' }),
          () => mine.call('DELETE', `${at}/occurrences/2026-01-07T09:00`),
          () => mine.call('POST', `${at}/split`, { from: '2026-01-08T09:00' }),
          () => mine.take(ics(simple('a', 'A'))),
          () => mine.call('DELETE', at),
        ]) {
          for (const method of ['GET', 'HEAD']) {
            const same = await read(path, { 'if-none-match': etag }, method);
            expect([same.status, same.text, same.headers.get('etag')]).to.deep.equal([
              304,
              '',
              etag,
            ]);
          }
          await change();
          const next = await read(path, { 'if-none-match': etag });
          expect(next.status, String(change)).to.equal(200);
          etag = next.headers.get('etag') ?? '';
        }
        const head = await read(path, {}, 'HEAD');
        expect([head.status, head.text, head.headers.get('etag')]).to.deep.equal([200, '', etag]);
        expect(head.headers.get('content-type')).to.match(/^text\/calendar/);
        expect((await read(path, {}, 'POST')).status).to.equal(405);
      });

      it('at a URL that is stored nowhere in plain text', async () => {
        const mine = await owner();
        const { json } = await mine.call('POST', '/calendar/feed');
        const [, secret = ''] = /feed\/(.+)\.ics$/.exec(json.url as string) ?? [];
        expect(secret.length).to.be.at.least(40);
        const bytes =
          service.databaseUrl === undefined
            ? await everyByte(service.dataDir)
            : await everyRow(service.databaseUrl);
        for (const form of [
          secret,
          Buffer.from(secret, 'base64url').toString('hex'),
          Buffer.from(secret).toString('base64'),
        ])
          expect(bytes.includes(form)).to.equal(false);
        // The inspected files do contain the stored data.
        expect(bytes.includes(mine.id)).to.equal(true);
      });

      it('with a rate limit per address', async () => {
        const path = pathOf(await (await owner()).call('POST', '/calendar/feed'));
        let limited: Answer | undefined;
        // One more than a window allows, and the next window may have begun on the way.
        for (let i = 0; i < 602 && !limited; i++) {
          const answer = await read(path);
          if (answer.status === 429) limited = answer;
        }
        expect(limited?.json.code).to.equal('rate_limited');
        expect(Number(limited?.headers.get('retry-after'))).to.be.within(1, 60);
        expect((await service.call('GET', '/v1/calendar/events')).status).to.equal(200);
      });

      it('at PUBLIC_URL, also after a restart', async () => {
        const mine = await owner();
        const beside = await startService(profile, { PUBLIC_URL: 'https://example.org/ws/' });
        try {
          const { json } = await beside.call('POST', '/v1/calendar/feed');
          expect(json.url).to.match(
            /^https:\/\/example\.org\/ws\/v1\/calendar\/feed\/[\w-]+\.ics$/,
          );
        } finally {
          await beside.dispose();
        }
        const path = pathOf(await mine.call('POST', '/calendar/feed'));
        service = await service.restart('SIGKILL');
        expect([200, 429]).to.include((await read(path)).status);
      });
    });
  });

async function everyByte(folder: string): Promise<Buffer> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name)));
  return Buffer.concat(await Promise.all(read));
}

/** Of tables that are not about events, which may be many. */
async function everyRow(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const rows = [];
    for (const { name } of tables.rows)
      rows.push((await client.query(`select t::text as row from "${name}" t limit 50000`)).rows);
    return JSON.stringify(rows);
  } finally {
    await client.end();
  }
}
