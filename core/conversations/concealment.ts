import type { ChatMessage } from '../../ports/conversations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { objectsOf } from './steps.ts';

const AT_ONCE = 500;

/**
 * Messages as they may be shown: behind a closed zone only citations and attachments of objects that are there and
 * visible. What points to a deleted object is left out as well then, for it may have been a hidden one. The text of an
 * old answer stays. Of its steps those up to the first that dealt in such an object: the later ones knew of it.
 */
export async function withoutHidden(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  messages: readonly ChatMessage[],
): Promise<readonly ChatMessage[]> {
  if (zone !== 'closed') return messages;
  const ids = new Set<string>();
  let unknown = false;
  for (const message of messages) {
    for (const { objectId } of [
      ...message.citations,
      ...message.attachments,
      ...(message.objects ?? []),
    ])
      ids.add(objectId);
    for (const step of message.steps ?? []) {
      const dealt = objectsOf(step);
      for (const id of dealt ?? []) ids.add(id);
      unknown ||= dealt === undefined;
    }
  }
  const visible = new Set<string>();
  const all = [...ids];
  for (let start = 0; start < all.length; start += AT_ONCE)
    for (const object of await stores.objects.findMany(all.slice(start, start + AT_ONCE)))
      if (canSee(object, zone)) visible.add(object.id);
  if (visible.size === ids.size && !unknown) return messages;
  const shown = <T extends { readonly objectId: string }>(items: readonly T[]) =>
    items.filter(({ objectId }) => visible.has(objectId));
  return messages.map((message) => ({
    ...message,
    citations: shown(message.citations),
    attachments: shown(message.attachments),
    objects: message.objects && shown(message.objects),
    steps: message.steps && message.steps.slice(0, firstHidden(message.steps, visible)),
  }));
}

/** The place of the first step that dealt in something else, or of which it is not known what it dealt in. */
function firstHidden(
  steps: NonNullable<ChatMessage['steps']>,
  visible: ReadonlySet<string>,
): number {
  const place = steps.findIndex((step) => objectsOf(step)?.every((id) => visible.has(id)) !== true);
  return place < 0 ? steps.length : place;
}
