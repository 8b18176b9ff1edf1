import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { items, type UploadItem } from './items.ts';
import { LocalError } from './failures.ts';

export interface Limits {
  readonly maxBytes: number;
  /** Of the plan; Infinity if it has no limit. */
  readonly planBytes: number;
  readonly roomBytes: number;
}

const UNKNOWN: Limits = { maxBytes: Infinity, planBytes: Infinity, roomBytes: Infinity };
/** With less room than this part of the plan, the tray says how much is left. */
const LITTLE_ROOM = 0.1;

/** How much room the plan has beside what is in the queue; undefined if there is plenty. */
export const roomLeft = signal<number | undefined>(undefined);

/** The limits as they are now. Unknown ones limit nothing: the service judges every upload itself. */
export async function readLimits(): Promise<Limits> {
  try {
    const [described, usage] = await Promise.all([
      api.OPTIONS('/v1/uploads/resumable', {}),
      api.GET('/v1/usage', { cache: 'no-store' }),
    ]);
    const maxBytes = Number(described.response.headers.get('tus-max-size') ?? Infinity);
    const storage = usage.data?.items.find(({ metric }) => metric === 'storage_bytes');
    return {
      maxBytes: Number.isFinite(maxBytes) ? maxBytes : Infinity,
      planBytes: storage?.limit ?? Infinity,
      roomBytes: storage?.remaining ?? Infinity,
    };
  } catch {
    return UNKNOWN;
  }
}

/** The largest file that the service takes, once it has been read. */
export let maxFileBytes = Infinity;

/** Marks those that do not fit, so that not a byte of them is sent. Small ones come first. */
export function judge(
  added: readonly UploadItem[],
  { maxBytes, planBytes, roomBytes }: Limits,
): readonly UploadItem[] {
  maxFileBytes = maxBytes;
  let room = roomBytes - unsentBytes();
  const judged = added
    .toSorted((a, b) => a.size - b.size)
    .map((item): UploadItem => {
      if (item.state === 'failed') return item;
      if (item.size > maxBytes)
        return { ...item, state: 'failed', error: new LocalError('too-large') };
      if (item.size > room) return { ...item, state: 'failed', error: new LocalError('no-room') };
      room -= item.size;
      return item;
    });
  roomLeft.value = room < planBytes * LITTLE_ROOM ? Math.max(0, room) : undefined;
  return judged;
}

/** Of the files that are in the queue already. */
const unsentBytes = (): number =>
  items
    .peek()
    .filter(({ state }) => !['done', 'duplicate', 'failed'].includes(state))
    .reduce((sum, { size, sent }) => sum + size - sent, 0);
