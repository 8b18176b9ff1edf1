import { change, items, type UploadItem } from './items.ts';

/** Items that are sent, or will be as soon as they can. */
const LEADING: readonly UploadItem['state'][] = [
  'queued',
  'checking',
  'sending',
  'waiting',
  'paused',
];

/** The other item that sends the bytes of this one. The hash of this one is known, and so is that of the other. */
export function originalOf(id: string): UploadItem | undefined {
  const all = items.peek();
  const item = all.find((each) => each.id === id);
  return all.find(
    (other) =>
      other.id !== id &&
      item?.hash !== undefined &&
      other.hash === item.hash &&
      other.isHidden === item.isHidden &&
      LEADING.includes(other.state),
  );
}

/** What becomes of an item whose bytes another one sends. */
export const follow = ({ id, name }: UploadItem) =>
  ({ state: 'duplicate', original: id, twin: name }) as const;

/** Items whose bytes these items send. */
export const followersOf = (ids: readonly string[]): readonly UploadItem[] =>
  items
    .peek()
    .filter(
      ({ original, objectId }) =>
        original !== undefined && objectId === undefined && ids.includes(original),
    );

/** These items are not sent after all: one of the others with the same bytes is. */
export function requeueFollowers(ids: readonly string[]): void {
  for (const { id } of followersOf(ids))
    change(id, { state: 'queued', original: undefined, twin: undefined });
}
