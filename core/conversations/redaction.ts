import type { AnswerCoverage, ChatMessage } from '../../ports/conversations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { objectsInSteps, objectsOf } from './steps.ts';

const AT_ONCE = 500;

/**
 * Messages of a visible session as the caller may see them. While the zone is locked, only citations and attachments of
 * existing, visible objects remain. References to deleted objects are removed as well, since the object may have been hidden.
 * A coverage counts existing, visible objects, and is left out if its objects are not known. The text of an old answer remains.
 * Of its steps, those before the first that used such an object remain, since the later ones had its content.
 */
export async function redactHidden(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  messages: readonly ChatMessage[],
): Promise<readonly ChatMessage[]> {
  if (zone !== 'closed') return messages;
  const { ids, unknown } = referencesIn(messages);
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
    coverage: message.coverage && ofVisible(message.coverage, visible),
    steps: message.steps && message.steps.slice(0, firstHidden(message.steps, visible)),
  }));
}

/** The ids of the objects that messages refer to, and whether some references are not known. */
function referencesIn(messages: readonly ChatMessage[]) {
  const ids = new Set<string>();
  let unknown = false;
  for (const { citations, attachments, objects, coverage, steps } of messages) {
    for (const { objectId } of [...citations, ...attachments, ...(objects ?? [])])
      ids.add(objectId);
    for (const id of countedIn(coverage)) ids.add(id);
    unknown ||= coverage !== null && !isKnown(coverage);
    for (const step of steps ?? []) {
      const used = objectsOf(step);
      for (const id of used ?? []) ids.add(id);
      unknown ||= used === undefined;
    }
  }
  return { ids, unknown };
}

/** Ids of the objects that the steps and coverages of messages refer to, of which their visible form tells none. */
export const objectsBehind = (
  messages: readonly Pick<ChatMessage, 'steps' | 'coverage'>[],
): readonly string[] => [
  ...objectsInSteps(messages),
  ...messages.flatMap(({ coverage }) => countedIn(coverage)),
];

/** The objects that an answer has counted, as far as they are known. */
const countedIn = (coverage: AnswerCoverage | null): readonly string[] =>
  coverage?.objects ? [...coverage.objects.searched, ...coverage.objects.unread] : [];

const isKnown = ({ searched, unread, objects }: AnswerCoverage): boolean =>
  objects !== undefined || searched + unread === 0;

function ofVisible(coverage: AnswerCoverage, visible: ReadonlySet<string>): AnswerCoverage | null {
  if (!coverage.objects) return isKnown(coverage) ? coverage : null;
  const searched = coverage.objects.searched.filter((id) => visible.has(id));
  const unread = coverage.objects.unread.filter((id) => visible.has(id));
  return { searched: searched.length, unread: unread.length, objects: { searched, unread } };
}

/** Index of the first step that used another object, or whose objects are unknown. */
function firstHidden(
  steps: NonNullable<ChatMessage['steps']>,
  visible: ReadonlySet<string>,
): number {
  const place = steps.findIndex((step) => objectsOf(step)?.every((id) => visible.has(id)) !== true);
  return place < 0 ? steps.length : place;
}
