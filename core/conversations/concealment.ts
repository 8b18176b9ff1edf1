import type { ChatMessage } from '../../ports/conversations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';

const AT_ONCE = 500;

/**
 * Messages as they may be shown: behind a closed zone only citations and attachments of objects that are there and
 * visible. What points to a deleted object is left out as well then, for it may have been a hidden one. The text of an
 * old answer stays.
 */
export async function withoutHidden(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  messages: readonly ChatMessage[],
): Promise<readonly ChatMessage[]> {
  if (zone !== 'closed') return messages;
  const ids = new Set<string>();
  for (const message of messages)
    for (const { objectId } of [
      ...message.citations,
      ...message.attachments,
      ...(message.objects ?? []),
    ])
      ids.add(objectId);
  const visible = new Set<string>();
  const all = [...ids];
  for (let start = 0; start < all.length; start += AT_ONCE)
    for (const object of await stores.objects.findMany(all.slice(start, start + AT_ONCE)))
      if (canSee(object, zone)) visible.add(object.id);
  if (visible.size === ids.size) return messages;
  const shown = <T extends { readonly objectId: string }>(items: readonly T[]) =>
    items.filter(({ objectId }) => visible.has(objectId));
  return messages.map((message) => ({
    ...message,
    citations: shown(message.citations),
    attachments: shown(message.attachments),
    objects: message.objects && shown(message.objects),
  }));
}
