import { batch, signal, type Signal } from '@preact/signals';

/** What the service reports changes of. `access`: sessions, tokens, passkeys, the password. */
export const CHANGE_KINDS = [
  'objects',
  'folders',
  'chats',
  'notifications',
  'tasks',
  'settings',
  'views',
  'access',
  'shares',
  'calendar',
  'integrations',
  'agents',
  'bots',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const revisions = new Map<ChangeKind, Signal<number>>();

/** A number that grows with every change of the kind. */
export function revisionOf(kind: ChangeKind): Signal<number> {
  let found = revisions.get(kind);
  if (!found) revisions.set(kind, (found = signal(0)));
  return found;
}

/** Makes everything that shows data of these kinds load it again. */
export function noteChange(...kinds: readonly ChangeKind[]): void {
  batch(() => {
    for (const kind of kinds) revisionOf(kind).value++;
  });
}
