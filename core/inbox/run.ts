import { UnavailableError } from '../../ports/errors.ts';
import type { Accounts, Owner } from '../../ports/identity.ts';
import type { Inbox, InboxFile } from '../../ports/inbox.ts';
import type { Instant } from '../../ports/runtime.ts';
import { isLeftAlone } from './names.ts';
import { ownersOf } from './owners.ts';
import type { InboxState } from './state.ts';
import { InboxStoppedError, takeFile, type TakeDeps } from './take-file.ts';

export interface InboxTimes {
  /** How long a file must not have changed. */
  readonly settleMs: number;
  /** The interval of scans if changes are not reported. */
  readonly pollMs: number;
}

export interface InboxDeps extends TakeDeps {
  /** null if none is configured. */
  readonly inbox: Inbox | null;
  readonly inboxTimes: InboxTimes;
  readonly accounts: Pick<Accounts, 'listOwners'>;
  readonly reportFailure: (task: string, error: unknown) => void;
}

/** The priority of the work: it stops with the process, and waits while there are requests. */
export interface InboxTurn {
  readonly shouldContinue: () => boolean;
  /** Resolves to false if the process stops. */
  readonly waitForIdle: () => Promise<boolean>;
}

/** Files of one folder that are looked at together, so that no owner's files delay those of others. */
const MAX_FILES_PER_FOLDER = 500;
/** Files that a process reads at once. */
const MAX_FILES_AT_ONCE = 2;
/** If changes are reported: some systems lose reports. */
const SAFETY_SCAN_MS = 60_000;
/** If changes can not be reported, although they were expected to be. */
const FALLBACK_SCAN_MS = 10_000;
const OUTAGE_PAUSE_MS = 10_000;
/** The pause after the search for files, as a multiple of its duration. */
const PAUSES_PER_SCAN = 4;

/**
 * Takes in the files of the inbox that have not changed for a while. Called all the time: without a change it returns at
 * once. A failure of one file does not stop the others.
 */
export async function takeInbox(deps: InboxDeps, turn: InboxTurn): Promise<void> {
  const { inbox, inboxState: state } = deps;
  if (!inbox) return;
  const now = deps.clock.now();
  if (!isDue(inbox, state, now)) return;
  // Before the scan: what changes during it is seen by the next one.
  state.hasChanged = false;
  state.scannedAt = now;
  try {
    if (inbox.watching() === 'unavailable' && now - state.watchedAt >= SAFETY_SCAN_MS) {
      state.watchedAt = now;
      inbox.watch(isLeftAlone, () => {
        state.hasChanged = true;
      });
    }
    state.nextScanAt = await scan(deps, inbox, turn);
    state.outage = '';
  } catch (error) {
    state.nextScanAt = deps.clock.now() + OUTAGE_PAUSE_MS;
    if (error instanceof InboxStoppedError) return;
    // Failures of single files do not end a scan.
    if (error instanceof UnavailableError && error.port === 'inbox') state.isReadable = false;
    const outage = error instanceof UnavailableError ? error.message : '';
    if (outage !== '' && outage === state.outage) return;
    state.outage = outage;
    throw error;
  }
}

function isDue(inbox: Inbox, state: InboxState, now: Instant): boolean {
  if (now < state.pauseUntil) return false;
  if (state.hasChanged || now >= state.nextScanAt) return true;
  return inbox.watching() === 'unavailable' && now - state.scannedAt >= FALLBACK_SCAN_MS;
}

/** Returns when the next scan is due. */
async function scan(deps: InboxDeps, inbox: Inbox, turn: InboxTurn): Promise<Instant> {
  const { inboxState: state, inboxTimes: times, clock } = deps;
  const from = clock.now();
  const found = await filesOf(deps, inbox);
  state.pauseUntil = clock.now() + PAUSES_PER_SCAN * (clock.now() - from);
  const ripe = state.observe(
    found.flat().map(({ file }) => file),
    clock.now(),
    times.settleMs,
  );
  const ripeIds = new Set(ripe.map(({ id }) => id));
  const queue = interleave(found).filter(({ file }) => ripeIds.has(file.id));
  const failures = await takeAll(deps, inbox, queue, turn);
  state.prune(clock.now());
  report(deps, failures);
  const isFull = found.some((files) => files.length >= MAX_FILES_PER_FOLDER);
  if (isFull && queue.length > failures.length) return clock.now();
  const interval = {
    polling: times.pollMs,
    events: SAFETY_SCAN_MS,
    unavailable: FALLBACK_SCAN_MS,
  }[inbox.watching()];
  return Math.min(clock.now() + interval, state.nextAt(times.settleMs));
}

interface OwnedFile {
  readonly owner: Owner;
  readonly file: InboxFile;
}

/** The files of each folder that has an owner. */
async function filesOf(deps: InboxDeps, inbox: Inbox): Promise<readonly (readonly OwnedFile[])[]> {
  const { inboxState: state, clock } = deps;
  const { names, others } = await inbox.folders();
  const { owners, unknown, ambiguous } = await ownersOf(deps, names);
  const now = clock.now();
  const found: OwnedFile[][] = [];
  for (const [folder, owner] of owners) {
    const files = await inbox.files(folder, {
      limit: MAX_FILES_PER_FOLDER,
      isIgnored: isLeftAlone,
      isSkipped: (id) => state.isHeld(id, now),
    });
    found.push(files.map((file) => ({ owner, file })));
  }
  state.isReadable = true;
  Object.assign(state, {
    unknownFolders: unknown,
    ambiguousFolders: ambiguous,
    strayEntries: others,
  });
  return found;
}

/** One file of each folder after the other. */
function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) =>
    lists.flatMap((list) => list.slice(nth, nth + 1)),
  ).flat();
}

/** Returns the failures of single files. An outage ends the work. */
async function takeAll(
  deps: InboxDeps,
  inbox: Inbox,
  queue: readonly OwnedFile[],
  { shouldContinue, waitForIdle }: InboxTurn,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  let next = 0;
  let outage: Error | undefined;
  const takeSome = async () => {
    for (let one = queue[next++]; one && outage === undefined; one = queue[next++]) {
      if (!shouldContinue() || !(await waitForIdle()))
        throw new InboxStoppedError('The process stops.');
      try {
        await takeFile(deps, inbox, one.owner, one.file, shouldContinue);
      } catch (error) {
        if (endsScan(error)) outage ??= error as Error;
        else failures.push(error);
      }
    }
  };
  const lanes = Array.from({ length: MAX_FILES_AT_ONCE }, takeSome);
  const ended = await Promise.allSettled(lanes);
  for (const lane of ended) if (lane.status === 'rejected') outage ??= lane.reason as Error;
  if (outage !== undefined) throw outage;
  return failures;
}

/** A failure that other files would have as well. */
const endsScan = (error: unknown): boolean =>
  error instanceof InboxStoppedError ||
  (error instanceof UnavailableError && error.port !== 'inbox');

/** Each problem once, until it has ended. No folder and no file is named: names are content. */
function report(
  { inboxState: state, reportFailure }: InboxDeps,
  failures: readonly unknown[],
): void {
  const problems = [
    [state.unknownFolders, 'folders of INBOX_DIR are named like no owner.'],
    [
      state.ambiguousFolders,
      'folders of INBOX_DIR are named like several owners. Name them by id.',
    ],
    [state.strayEntries, 'entries of INBOX_DIR are no folders.'],
    [state.stuck, 'files of INBOX_DIR can not be moved to .taken or .refused.'],
  ] as const;
  const current = new Set(
    problems.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`),
  );
  for (const problem of current)
    if (!state.reported.has(problem)) reportFailure('inbox', new Error(problem));
  state.reported = current;
  for (const error of failures) reportFailure('inbox', error);
}
