import type { ChatFilter, ChatKind, ChatSession } from '../../../../ports/conversations.ts';

const KINDS: readonly ChatKind[] = ['ask', 'chat', 'agent'];

const part = (folder: string, kind: ChatKind, pinned: boolean, isHidden: boolean) =>
  `${folder}/${kind}/${pinned ? 1 : 0}${isHidden ? '/hidden' : ''}`;

/**
 * A session counts in the total and in that of its folder, by its kind, whether it is pinned, and whether it holds a hidden
 * object.
 */
export const partsOf = (
  { collectionId, kind, pinned }: Pick<ChatSession, 'collectionId' | 'kind' | 'pinned'>,
  isHidden: boolean,
): readonly string[] => [
  part('*', kind, pinned, isHidden),
  part(collectionId ?? '', kind, pinned, isHidden),
];

/** The counters of the sessions that pass a filter. */
export const countedIn = ({
  kind,
  pinned,
  collectionId,
  visibleOnly = false,
}: ChatFilter): readonly string[] =>
  (kind ? [kind] : KINDS).flatMap((each) =>
    (pinned === undefined ? [false, true] : [pinned]).flatMap((pin) =>
      (visibleOnly ? [false] : [false, true]).map((isHidden) =>
        part(collectionId ?? '*', each, pin, isHidden),
      ),
    ),
  );
