import { ownKeys } from '../state/preferences.ts';
import { changeLook } from '../state/settings.ts';
import { currentActions, type Action } from './action.ts';
import { isSingleKey } from './single-key.ts';

export const canChangeKey = ({ keys }: Action): boolean => keys?.some(isSingleKey) ?? false;

export interface KeyUser {
  readonly action: Action;
  /** Name of the screen that has the action; undefined for one that applies here. */
  readonly screen?: string;
}

/**
 * The action that uses the key already, alone or as the first of two. Keys of screens that never apply together may be the
 * same; an action that no screen has of its own applies on all of them.
 */
export async function userOf(key: string, changed: string): Promise<KeyUser | undefined> {
  const uses = ({ id, keys }: Action) =>
    id !== changed &&
    keys?.some((each) => each === key || each.startsWith(`${key} `) || key.startsWith(`${each} `));
  const here = currentActions().find(uses);
  if (here) return { action: here };
  const { screenActions } = await import('./screen-actions.ts');
  const all = screenActions();
  const own = all.filter(({ actions }) => actions.some(({ id }) => id === changed));
  for (const { screen, actions } of own.length > 0 ? own : all) {
    const action = actions.find(uses);
    if (action) return { action, screen };
  }
  return undefined;
}

/** Whether another key has to follow: it begins what two keys do in turn. */
export const beginsSequence = (key: string): boolean =>
  currentActions().some(({ keys }) => keys?.some((each) => each.startsWith(`${key} `)));

/** Stores the owner's key for an action; `undefined` brings the usual ones back. */
export async function changeKey(id: string, key: string | undefined): Promise<void> {
  const keys = new Map(ownKeys.peek());
  if (key === undefined) keys.delete(id);
  else keys.set(id, key);
  await changeLook({ keys: keys.size > 0 ? Object.fromEntries(keys) : undefined });
}
