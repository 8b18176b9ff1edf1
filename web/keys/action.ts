import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { ownKeys } from '../state/preferences.ts';
import { isSingleKey } from './single-key.ts';

/** Sections of the help and the palette. */
export type ActionGroup = 'go' | 'add' | 'list' | 'document' | 'answer' | 'calendar' | 'everywhere';

/**
 * What the owner can do here. The handlers of keys, the help and the palette are made from the same table, so that none of
 * them can say what another does not do.
 */
export interface Action {
  readonly id: string;
  readonly group: ActionGroup;
  /** A verb and its object, in the owner's language. */
  readonly label: () => string;
  /**
   * `j`, `Shift+J`, `Ctrl+K` (also the Command key), `Escape`, or two keys in turn: `g l`. Keys without Ctrl act outside
   * fields only.
   */
  readonly keys?: readonly string[];
  /** Acts in fields as well, also with keys that write there. */
  readonly inFields?: true;
  /** Not offered by the palette: it needs the focus of its list, for example. */
  readonly notInPalette?: true;
  readonly isEnabled?: () => boolean;
  run(event?: KeyboardEvent): void;
}

const registered = signal<readonly (readonly Action[])[]>([]);

/** The actions that apply here. Those of the innermost part come first and win. */
export function currentActions(): readonly Action[] {
  const seen = new Set<string>();
  return registered.value
    .toReversed()
    .flat()
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(withOwnKey);
}

/** The owner's key stands in the place of the usual ones. Arrows and keys with Ctrl stay. */
export function withOwnKey(action: Action): Action {
  const own = ownKeys.value.get(action.id);
  if (own === undefined || !action.keys?.some(isSingleKey)) return action;
  return { ...action, keys: [own, ...action.keys.filter((key) => !isSingleKey(key))] };
}

/** Registers actions without a component. Returns what removes them. */
export function registerActions(actions: readonly Action[]): () => void {
  registered.value = [...registered.peek(), actions];
  return () => {
    registered.value = registered.peek().filter((each) => each !== actions);
  };
}

/** Whether another screen covers this one: its actions do not apply then. */
export const IsBehind = createContext(false);

/** The actions apply as long as the component is shown, from its first frame on. `actions` is stable, or memoized. */
export function useActions(actions: readonly Action[]): void {
  const isBehind = useContext(IsBehind);
  useLayoutEffect(() => (isBehind ? undefined : registerActions(actions)), [actions, isBehind]);
}
