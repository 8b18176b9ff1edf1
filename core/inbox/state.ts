import type { InboxFile, InboxResult } from '../../ports/inbox.ts';
import type { Instant } from '../../ports/runtime.ts';

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;

/** A file that is not tried again before a moment. */
interface Hold {
  readonly revision: string;
  readonly until: Instant;
  readonly failures: number;
  /** Its result is known, and only the move is missing. */
  readonly result: InboxResult | null;
}

/** What a process knows of the inbox. Another one, or the same after a restart, finds everything out again. */
export class InboxState {
  readonly #seen = new Map<string, { readonly revision: string; readonly since: Instant }>();
  readonly #holds = new Map<string, Hold>();
  /** Set by the watch. */
  hasChanged = true;
  nextScanAt: Instant = 0;
  /** A scan that takes long is not repeated at once, however often something changes. */
  pauseUntil: Instant = 0;
  /** When the last scan began. */
  scannedAt: Instant = -Infinity;
  /** When the watch was begun the last time. */
  watchedAt: Instant = -Infinity;
  lastTakenAt: Instant | null = null;
  taken = 0;
  refused = 0;
  /** Folders without an owner, folders with several, and entries that are no folders. */
  unknownFolders = 0;
  ambiguousFolders = 0;
  strayEntries = 0;
  /** Whether the folder could be read the last time. */
  isReadable = true;
  /** The outage that has been reported and persists. */
  outage = '';
  /** The problems that have been reported and persist. */
  reported: ReadonlySet<string> = new Set();

  /**
   * Records what is in the inbox now, and returns the files that have not changed for the time. Judged by what this process
   * has seen: the times of files come from other clocks, and a copy may have the times of its original.
   */
  observe(files: readonly InboxFile[], now: Instant, settleMs: number): readonly InboxFile[] {
    const earlier = new Map(this.#seen);
    this.#seen.clear();
    return files.filter(({ id, revision }) => {
      const known = earlier.get(id);
      const since = known?.revision === revision ? known.since : now;
      this.#seen.set(id, { revision, since });
      return now - since >= settleMs;
    });
  }

  /** It has changed, disappeared, or been moved. */
  forget({ id }: Pick<InboxFile, 'id'>): void {
    this.#seen.delete(id);
    this.#holds.delete(id);
  }

  isHeld(id: string, now: Instant): boolean {
    return (this.#holds.get(id)?.until ?? now) > now;
  }

  /** The result of exactly this file, if only its move has failed. */
  resultOf({ id, revision }: InboxFile): InboxResult | null {
    const hold = this.#holds.get(id);
    return hold?.revision === revision ? hold.result : null;
  }

  /** Another process is working on it. */
  postpone({ id, revision }: InboxFile, until: Instant): void {
    this.#holds.set(id, { revision, until, failures: 0, result: null });
  }

  /** It is tried again after a pause that doubles. */
  holdAfterFailure(file: InboxFile, now: Instant, result: InboxResult | null): void {
    const { id, revision } = file;
    const known = this.#holds.get(id);
    const failures = known?.revision === revision ? known.failures + 1 : 1;
    const until = now + Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
    this.#holds.set(id, { revision, until, failures, result });
  }

  /** Files that were decided about and can not be moved. */
  get stuck(): number {
    return [...this.#holds.values()].filter(({ result }) => result !== null).length;
  }

  /** Forgets holds that have ended, of files that are no longer there. */
  prune(now: Instant): void {
    for (const [id, { until }] of this.#holds)
      if (until <= now && !this.#seen.has(id)) this.#holds.delete(id);
  }

  /** When the next file will have settled, or be tried again. */
  nextAt(settleMs: number): Instant {
    let next = Infinity;
    for (const [id, { since }] of this.#seen)
      if (!this.#holds.has(id)) next = Math.min(next, since + settleMs);
    for (const { until } of this.#holds.values()) next = Math.min(next, until);
    return next;
  }
}
