import type { AnswerCoverage, ChatMessage } from '../../ports/conversations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { objectsOf } from './steps.ts';

const AT_ONCE = 500;

/**
 * Messages of a visible session as the caller may see them. While the zone is locked, hidden files are not counted, and
 * only citations and attachments of existing, visible objects remain. References to deleted objects are removed as well, since the object may have been hidden. The text
 * of an old answer remains. Of its steps, those before the first that used such an object remain, since the later
 * ones had its content.
 */
export async function redactHidden(
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
  const isComplete = visible.size === ids.size && !unknown;
  if (isComplete && !messages.some(({ coverage }) => countsHidden(coverage))) return messages;
  const shown = <T extends { readonly objectId: string }>(items: readonly T[]) =>
    items.filter(({ objectId }) => visible.has(objectId));
  return messages.map((message) => ({
    ...message,
    citations: shown(message.citations),
    attachments: shown(message.attachments),
    objects: message.objects && shown(message.objects),
    coverage: message.coverage && ofVisible(message.coverage),
    steps: message.steps && message.steps.slice(0, firstHidden(message.steps, visible)),
  }));
}

const countsHidden = (coverage: AnswerCoverage | null): boolean =>
  coverage !== null && coverage.hidden.searched + coverage.hidden.unread > 0;

const ofVisible = ({ searched, unread, hidden }: AnswerCoverage): AnswerCoverage => ({
  searched: searched - hidden.searched,
  unread: unread - hidden.unread,
  hidden: { searched: 0, unread: 0 },
});

/** Index of the first step that used another object, or whose objects are unknown. */
function firstHidden(
  steps: NonNullable<ChatMessage['steps']>,
  visible: ReadonlySet<string>,
): number {
  const place = steps.findIndex((step) => objectsOf(step)?.every((id) => visible.has(id)) !== true);
  return place < 0 ? steps.length : place;
}
