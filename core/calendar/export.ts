import type { CalendarFormat } from '../../ports/calendar-format.ts';
import type { Directory } from '../../ports/directory.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Scheduler, Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import type { StreamedFile } from '../shared/streamed-file.ts';
import { exportEvents } from './ical-export.ts';

export interface ExportCalendarDeps {
  readonly uow: UnitOfWork<'calendar'>;
  readonly calendars: CalendarFormat;
  readonly scheduler: Scheduler;
}

/** The calendar name in clients. */
export const CALENDAR_NAME = 'Owner Workspace';
/** Increased when the same events are written differently. */
const WRITING = 1;

/** The whole calendar as one file, in its state at the first read. */
export async function exportCalendar(
  deps: ExportCalendarDeps,
  caller: Caller,
): Promise<StreamedFile> {
  return streamed(deps, caller.scope);
}

async function streamed(deps: ExportCalendarDeps, scope: OwnerScope): Promise<StreamedFile> {
  const version = await deps.uow.read(scope, ({ calendar }) => calendar.version());
  return {
    filename: 'calendar.ics',
    tag: `${WRITING}-${version}`,
    bytes: () => bytesOf(deps, scope),
  };
}

async function* bytesOf(deps: ExportCalendarDeps, scope: OwnerScope): AsyncIterable<Uint8Array> {
  const events = await deps.uow.read(scope, (stores) => exportEvents(deps, stores));
  yield* deps.calendars.write({ name: CALENDAR_NAME, events });
}

export interface FeedDeps extends ExportCalendarDeps {
  readonly uow: UnitOfWork<'calendar' | 'idempotency'>;
  readonly directory: Directory;
  readonly digests: SecretDigest;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Where the service is reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

const SECRET_BYTES = 32;

/** Publishes the calendar under an unguessable URL. An earlier URL becomes invalid. */
export async function openFeed(
  deps: Pick<FeedDeps, 'uow' | 'digests' | 'random' | 'clock' | 'publicUrl'>,
  caller: Caller,
): Promise<{ readonly url: string }> {
  const secret = deps.random.secret(SECRET_BYTES);
  const feed = { url: `${deps.publicUrl()}/v1/calendar/feed/${secret}.ics` };
  await deps.uow.write(caller.scope, async (stores) => {
    await stores.calendar.putFeed(deps.digests.digest(secret));
    await saveResponse(stores, deps.clock, caller, feed);
  });
  return feed;
}

export async function closeFeed(deps: Pick<FeedDeps, 'uow'>, caller: Caller): Promise<void> {
  await deps.uow.write(caller.scope, async ({ calendar }) => {
    if (!(await calendar.feed())) throw notFound();
    await calendar.putFeed(null);
  });
}

/** The calendar for a client that presents the secret of its URL. */
export async function readFeed(deps: FeedDeps, secret: string): Promise<StreamedFile> {
  const scope = await deps.directory.calendarOfFeed(deps.digests.digest(secret));
  if (!scope) throw notFound();
  return streamed(deps, scope);
}
