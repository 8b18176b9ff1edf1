import { expect } from 'chai';
import type { Item } from '../../web/screens/calendar/item.ts';
import * as pending from '../../web/screens/calendar/pending.ts';

const DAY_MS = 86_400_000;

const meetingOn = (day: number): Item => ({
  key: 'meeting',
  data: { event_id: 'meeting', recurring: false, all_day: false } as Item['data'],
  start: day * DAY_MS,
  end: day * DAY_MS + 1,
  firstDay: day,
  lastDay: day,
  isBar: false,
});
const shown = (loaded: Item): number => pending.withPending([loaded])[0]!.firstDay;

describe('an event that moves in the calendar', () => {
  it('stays at its new day while an answer from before the move arrives', () => {
    const dropBefore = pending.markSettled();
    const moved = { start: 5 * DAY_MS, end: 5 * DAY_MS + 1 };
    pending.expect('meeting', moved);
    expect(shown(meetingOn(1))).to.equal(5);
    pending.settle('meeting', moved);
    dropBefore();
    expect(shown(meetingOn(1))).to.equal(5);
    const dropAfter = pending.markSettled();
    dropAfter();
    expect(shown(meetingOn(5))).to.equal(5);
    expect(shown(meetingOn(7))).to.equal(7);
  });

  it('stays at the day of its second move when the first one is done', () => {
    const [first, second] = [2, 3].map((day) => ({ start: day * DAY_MS, end: day * DAY_MS + 1 }));
    pending.expect('meeting', first!);
    pending.settle('meeting', first!);
    const drop = pending.markSettled();
    pending.expect('meeting', second!);
    drop();
    expect(shown(meetingOn(2))).to.equal(3);
    pending.forget('meeting');
    expect(shown(meetingOn(2))).to.equal(2);
  });
});
