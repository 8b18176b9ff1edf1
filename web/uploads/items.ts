import { computed, signal } from '@preact/signals';

export type UploadState =
  /** Begins as soon as another one has ended. */
  | 'queued'
  /** Its content is compared with the documents that are there. Not a byte was sent. */
  | 'checking'
  | 'sending'
  /** Begins again by itself. */
  | 'waiting'
  | 'paused'
  /** Its bytes are not stored in this browser: the file has to be chosen again. */
  | 'needs-file'
  | 'done'
  /** The same bytes are a document already. */
  | 'duplicate'
  | 'failed';

export interface UploadItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Media type as the device names it. */
  readonly type: string;
  /** Where it goes; null: in no folder. */
  readonly folder: string | null;
  /** Of a dropped folder that keeps its folders: `Trip/day 1/a.txt`. */
  readonly relativePath: string | undefined;
  /** Goes into the hidden zone. Such an item exists in memory only. */
  readonly isHidden: boolean;
  /** Stored even if the same bytes are a document already. */
  readonly keepsDuplicate: boolean;
  readonly state: UploadState;
  readonly file: File | undefined;
  /** SHA-256 of its content, once it is known. */
  readonly hash: string | undefined;
  /** Bytes that the service has. */
  readonly sent: number;
  /** Address of the upload at the service, once it has begun. */
  readonly url: string | undefined;
  /** When the upload began, by the clock of the service. */
  readonly begunAt: number | undefined;
  /** The document that it has become, or that has the same bytes. */
  readonly objectId: string | undefined;
  /** Name of the document that has the same bytes. */
  readonly twin: string | undefined;
  /** The item of the queue that has the same bytes and is sent first. */
  readonly original: string | undefined;
  /** Why it failed or waits. */
  readonly error: unknown;
}

export const items = signal<readonly UploadItem[]>([]);

export const itemOf = (id: string): UploadItem | undefined =>
  items.peek().find((item) => item.id === id);

/** Changes one item. Does nothing if it was left out meanwhile. */
export function change(id: string, changed: Partial<UploadItem>): void {
  items.value = items.peek().map((item) => (item.id === id ? { ...item, ...changed } : item));
}

export const remove = (ids: ReadonlySet<string>): void => {
  items.value = items.peek().filter(({ id }) => !ids.has(id));
};

const RUNNING: readonly UploadState[] = ['queued', 'checking', 'sending', 'waiting'];

export const isRunning = ({ state }: UploadItem): boolean => RUNNING.includes(state);

/** What the head of the tray reports. */
export const totals = computed(() => {
  const counts = { all: 0, done: 0, running: 0, paused: 0, problems: 0, sent: 0, size: 0 };
  for (const item of items.value) {
    counts.all++;
    counts.size += item.size;
    counts.sent += item.state === 'done' || item.state === 'duplicate' ? item.size : item.sent;
    if (item.state === 'done') counts.done++;
    else if (isRunning(item)) counts.running++;
    else if (item.state === 'paused') counts.paused++;
    else counts.problems++;
  }
  return counts;
});
