import { effect, signal, untracked } from '@preact/signals';
import { api } from '../api/client.ts';
import { ApiError, OfflineError } from '../api/errors.ts';
import { noteChange } from '../data/live.ts';
import { isSignedIn } from '../state/session-state.ts';
import { whileUnlocked } from '../state/zone-token.ts';
import { discard } from './discard.ts';
import { LocalError, isTemporary, loaded, retryDelay, toError } from './failures.ts';
import { change, itemOf, items, remove, type UploadItem } from './items.ts';
import { judge, readLimits } from './limits.ts';
import { claimStored, clearStored, forget, storeChanged, storeNew } from './stored-queue.ts';
import { follow, followersOf, originalOf, requeueFollowers } from './same-bytes.ts';
import { claim, release } from './tab-locks.ts';

const MAX_AT_ONCE = 3;
/** Of the queue in all. */
export const MAX_ITEMS = 5_000;
const CLOSING_MS = 4_000;
const CHANGE_NOTE_MS = 500;

/** A file that is to be added. */
export interface AddedFile {
  readonly file: File;
  /** Of a folder that keeps its folders. */
  readonly relativePath?: string;
  /** The browser could not open it: `file` has its name only. */
  readonly isUnreadable?: true;
}

export interface Destination {
  readonly folder: string | null;
  readonly isHidden: boolean;
}

/** How many files were not added because the queue is full. */
export const leftOver = signal(0);

/** Items whose file was chosen again: the bytes that are sent already have to be of the same file. */
const chosenAgain = new Set<string>();
const running = new Map<string, () => void>();
const attempts = new Map<string, number>();
const retries = new Map<string, ReturnType<typeof setTimeout>>();
let closing: ReturnType<typeof setTimeout> | undefined;
let noting: ReturnType<typeof setTimeout> | undefined;

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

const toId = ({ id }: UploadItem): string => id;

/** What an item has not learned yet. */
const FRESH = {
  keepsDuplicate: false,
  state: 'queued',
  hash: undefined,
  sent: 0,
  url: undefined,
  begunAt: undefined,
  objectId: undefined,
  twin: undefined,
  original: undefined,
  error: undefined,
} as const;

const toItem = (
  { file, relativePath, isUnreadable }: AddedFile,
  { folder, isHidden }: Destination,
): UploadItem => ({
  ...FRESH,
  id: newId(),
  name: file.name,
  size: file.size,
  type: file.type,
  // A path names the folder itself.
  folder: relativePath === undefined ? folder : null,
  relativePath,
  isHidden,
  file,
  ...(isUnreadable && { state: 'failed', error: new LocalError('file-gone') }),
});

/** Adds files to the queue and begins. */
export async function addFiles(
  files: readonly AddedFile[],
  destination: Destination,
): Promise<void> {
  clearTimeout(closing);
  const room = Math.max(0, MAX_ITEMS - items.peek().length);
  leftOver.value = Math.max(0, files.length - room);
  const limits = await readLimits();
  const unlocked = whileUnlocked();
  if (destination.isHidden && !unlocked) return;
  unlocked?.signal.addEventListener('abort', forgetHiddenUploads, { once: true });
  const added = judge(
    files.slice(0, room).map((file) => toItem(file, destination)),
    limits,
  );
  items.value = [...items.peek(), ...added];
  const lasting = added.filter(({ isHidden, state }) => !isHidden && state === 'queued');
  await Promise.all(lasting.map(({ id }) => claim(id)));
  // Sending does not wait for the copies: a large one takes a while.
  void storeNew(lasting);
  schedule();
}

/** Goes on with what an earlier visit has left. Items that another tab sends stay with it. */
export async function restoreUploads(): Promise<void> {
  for (const { isPaused, ...stored } of await claimStored()) {
    const state = stored.file ? (isPaused ? 'paused' : 'queued') : 'needs-file';
    items.value = [...items.peek(), { ...FRESH, isHidden: false, ...stored, state }];
  }
  schedule();
}

/** Begins as many as may be sent at once, the small ones first. */
export function schedule(): void {
  while (running.size < MAX_AT_ONCE && isSignedIn.peek()) {
    let next: UploadItem | undefined;
    for (const item of items.peek())
      if (item.state === 'queued' && (!next || item.size < next.size)) next = item;
    if (!next) break;
    begin(next);
  }
  closeWhenDone();
}

function begin({ id, file }: UploadItem): void {
  if (!file) return change(id, { state: 'needs-file' });
  change(id, { state: 'sending', error: undefined });
  const controller = new AbortController();
  const { signal } = controller;
  running.set(id, () => controller.abort());
  transfer(id, file, signal).catch((error: unknown) => {
    if (!signal.aborted) end(id, () => fail(id, toError(error)));
  });
}

/** Sends a file, unless the same bytes are a document already or are being sent. */
async function transfer(id: string, file: File, signal: AbortSignal): Promise<void> {
  const before = itemOf(id);
  if (before?.url !== undefined) await requireSame(before, file, signal);
  else if (before && !before.keepsDuplicate) {
    const hash = await hashOf(id, file, signal);
    if (signal.aborted) return;
    change(id, { hash });
    const original = originalOf(id);
    if (original) return end(id, () => change(id, follow(original)));
    const { findTwin } = await loaded(import('./find-twin.ts'));
    const twin = await findTwin(hash, before.isHidden, signal);
    if (signal.aborted) return;
    if (twin) return end(id, () => finish(id, twin.id, twin.name));
  }
  const item = itemOf(id);
  if (signal.aborted || !item) return;
  change(id, { state: 'sending' });
  await (item.isHidden ? sendInto : sendParts)({ ...item, file }, signal);
}

/** Rejects a file that was chosen again and has other bytes. */
async function requireSame({ id, hash }: UploadItem, file: File, signal: AbortSignal) {
  if (!chosenAgain.has(id) || hash === undefined) return;
  if ((await hashOf(id, file, signal)) !== hash) throw new LocalError('other-file');
  chosenAgain.delete(id);
}

async function hashOf(id: string, file: File, signal: AbortSignal): Promise<string> {
  change(id, { state: 'checking' });
  const { hashFile } = await loaded(import('./hash-file.ts'));
  return hashFile(file, signal);
}

/** The file of an item was chosen again. */
export const compareContent = (id: string): void => void chosenAgain.add(id);

type Sendable = UploadItem & { readonly file: File };

async function sendInto(item: Sendable, signal: AbortSignal): Promise<void> {
  const { sendHidden } = await loaded(import('./send-hidden.ts'));
  const { id, display_name, duplicate } = await sendHidden(item, signal);
  if (signal.aborted) return;
  end(item.id, () => finish(item.id, id, duplicate ? display_name : undefined));
}

async function sendParts(item: Sendable, signal: AbortSignal): Promise<void> {
  const { send } = await loaded(import('./send.ts'));
  if (signal.aborted) return;
  const { id } = item;
  const objectId = await new Promise<string>((resolve, reject) => {
    const stop = send(item, {
      onBegun: (url, begunAt) => begun(id, url, begunAt, signal),
      onProgress: (sent) => {
        attempts.delete(id);
        change(id, { sent });
      },
      onEnd: resolve,
      onError: reject,
    });
    signal.addEventListener('abort', stop, { once: true });
  });
  const twin = item.keepsDuplicate ? undefined : await twinOf(id, objectId);
  if (!signal.aborted) end(id, () => finish(id, objectId, twin));
}

/** The upload exists at the service. If the item was stopped meanwhile, it goes on there once it is resumed. */
function begun(id: string, url: string, begunAt: number, signal: AbortSignal): void {
  const item = itemOf(id);
  if (url === item?.url) return;
  const isReplaced = item?.url !== undefined || running.has(id);
  if (!item || (signal.aborted && isReplaced)) return void discard(url);
  change(id, { url, begunAt });
  void storeChanged([id]);
}

/**
 * The name of the document that has the same bytes, if the upload made none. The service compares when it has all of them,
 * and then names the document that was there before the upload began.
 */
async function twinOf(id: string, objectId: string): Promise<string | undefined> {
  const { data } = await api.GET('/v1/objects/{object_id}', {
    params: { path: { object_id: objectId } },
  });
  const item = itemOf(id);
  if (!data || !item) return undefined;
  const isOlder = item.begunAt !== undefined && Date.parse(data.created_at) < item.begunAt;
  const isOfQueue = items.peek().some((other) => other.id !== id && other.objectId === objectId);
  return isOlder || isOfQueue ? data.display_name : undefined;
}

function end(id: string, work: () => void): void {
  running.delete(id);
  if (itemOf(id)) work();
  schedule();
}

function finish(id: string, objectId: string, twin: string | undefined): void {
  const item = itemOf(id);
  change(id, { state: twin === undefined ? 'done' : 'duplicate', objectId, twin });
  if (twin === undefined) change(id, { file: undefined, sent: item?.size ?? 0 });
  const copies = followersOf([id]);
  for (const copy of copies) change(copy.id, { objectId, twin: twin ?? item?.name });
  if (!item?.isHidden) forget([id, ...copies.map(toId)]);
  noting ??= setTimeout(() => {
    noting = undefined;
    noteChange('objects', 'folders');
  }, CHANGE_NOTE_MS);
}

function fail(id: string, error: unknown): void {
  if (error instanceof LocalError || !isTemporary(error)) {
    if (error instanceof LocalError) change(id, { state: 'needs-file', file: undefined, error });
    else change(id, { state: 'failed', error: reasonOf(error) });
    return requeueFollowers([id]);
  }
  const attempt = attempts.get(id) ?? 0;
  attempts.set(id, attempt + 1);
  change(id, { state: 'waiting', error });
  retries.set(
    id,
    setTimeout(() => tryNow(id), retryDelay(attempt)),
  );
  if (error instanceof ApiError && error.status === 401) isSignedIn.value = false;
}

/** A file that was moved or changed since it was chosen can not be read. */
const reasonOf = (error: unknown): unknown =>
  error instanceof ApiError || error instanceof OfflineError ? error : new LocalError('file-gone');

/** Sends a file that waits, was paused or has failed. */
export function tryNow(id: string): void {
  clearTimeout(retries.get(id));
  retries.delete(id);
  const item = itemOf(id);
  if (!item || !['waiting', 'paused', 'failed'].includes(item.state)) return;
  change(id, { state: item.file ? 'queued' : 'needs-file', error: undefined });
  if (item.state === 'paused') void storeChanged([id]);
  // One that did not fit was not stored.
  else if (item.state === 'failed') void claim(id).then(() => storeNew([item]));
  schedule();
}

/** The network is back. */
export function tryAllWaiting(): void {
  for (const { id, state } of items.peek()) if (state === 'waiting') tryNow(id);
  schedule();
}

/**
 * The session has ended, and the next one may be that of another owner: nothing of the queue is sent on until this owner is
 * signed in again.
 */
function interrupt(): void {
  for (const { id, state } of items.peek()) {
    if (state !== 'checking' && state !== 'sending' && state !== 'waiting') continue;
    stop(id);
    change(id, { state: 'queued', error: undefined });
  }
}

effect(() => {
  if (isSignedIn.value === false) untracked(interrupt);
});

/** Ends what is being done for an item. It begins again once it is queued. */
export function stop(id: string): void {
  running.get(id)?.();
  running.delete(id);
  clearTimeout(retries.get(id));
  retries.delete(id);
  attempts.delete(id);
}

function closeWhenDone(): void {
  clearTimeout(closing);
  const all = items.peek();
  if (all.length === 0 || all.some(({ state }) => state !== 'done')) return;
  closing = setTimeout(() => {
    remove(
      new Set(
        items
          .peek()
          .filter(({ state }) => state === 'done')
          .map(({ id }) => id),
      ),
    );
    leftOver.value = 0;
  }, CLOSING_MS);
}

/** The zone has locked: no name of a file that goes into it remains. */
export function forgetHiddenUploads(): void {
  const hidden = items.peek().filter(({ isHidden }) => isHidden);
  for (const { id } of hidden) stop(id);
  remove(new Set(hidden.map(({ id }) => id)));
  schedule();
}

/** The owner signs out: nothing of the queue remains in this browser. */
export async function forgetUploads(): Promise<void> {
  for (const { id } of items.peek()) {
    stop(id);
    release(id);
  }
  items.value = [];
  await clearStored();
}
