import { discard } from './discard.ts';
import { LocalError } from './failures.ts';
import { change, isRunning, itemOf, items, remove } from './items.ts';
import { compareContent, schedule, stop, tryNow } from './queue.ts';
import { requeueFollowers } from './same-bytes.ts';
import { forget, storeChanged, storeNew } from './stored-queue.ts';

export const pause = (id: string): void => pauseThose([id]);

export const pauseAll = (): void => pauseThose(items.peek().map(({ id }) => id));

function pauseThose(ids: readonly string[]): void {
  const paused = items.peek().filter((item) => ids.includes(item.id) && isRunning(item));
  for (const { id } of paused) {
    stop(id);
    change(id, { state: 'paused', error: undefined });
  }
  void storeChanged(paused.map(({ id }) => id));
  schedule();
}

export function resumeAll(): void {
  for (const { id, state } of items.peek()) if (state === 'paused') tryNow(id);
}

/** Sends the file although the same bytes are a document already. */
export function addAnyway(id: string): void {
  const item = itemOf(id);
  if (item?.state !== 'duplicate') return;
  const fresh = {
    url: undefined,
    begunAt: undefined,
    objectId: undefined,
    twin: undefined,
    original: undefined,
  };
  const again = { ...item, ...fresh, keepsDuplicate: true, state: 'queued', sent: 0 } as const;
  change(id, again);
  void storeNew([again]);
  schedule();
}

/** The file of an item that a reload has separated from it. Another file is refused. */
export function giveFile(id: string, file: File): void {
  const item = itemOf(id);
  if (!item) return;
  if (item.name !== file.name || item.size !== file.size)
    return change(id, { error: new LocalError('other-file') });
  compareContent(id);
  const given = { ...item, file, state: 'queued', error: undefined } as const;
  change(id, given);
  void storeNew([given]);
  schedule();
}

/** Takes files out of the queue. What the service has of them is deleted. */
export function leaveOut(ids: readonly string[]): void {
  const left = items.peek().filter(({ id }) => ids.includes(id));
  for (const { id } of left) stop(id);
  remove(new Set(ids));
  requeueFollowers(ids);
  forget(left.filter(({ isHidden }) => !isHidden).map(({ id }) => id));
  for (const { url, state } of left)
    if (url !== undefined && state !== 'done' && state !== 'duplicate') void discard(url);
  schedule();
}
