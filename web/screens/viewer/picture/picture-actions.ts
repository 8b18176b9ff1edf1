import { t } from '../../../i18n/picture.ts';
import type { Action } from '../../../keys/action.ts';
import { mirrored, turned, type Draft } from './draft.ts';

interface ActionContext {
  readonly change: (make: (draft: Draft) => Draft) => void;
  readonly toggleCrop: () => void;
  readonly toggleBefore: () => void;
  readonly save: () => void;
  readonly leave: () => void;
}

/** What the keyboard and the palette do while a picture is edited. */
export function pictureActions(context: ActionContext): readonly Action[] {
  const { change } = context;
  type Label =
    | 'turnRight'
    | 'turnLeft'
    | 'mirrorSides'
    | 'mirrorTop'
    | 'cropStart'
    | 'compareKey'
    | 'save'
    | 'back';
  const action = (label: Label, keys: readonly string[], run: () => void): Action => ({
    id: `picture-${label}`,
    group: 'document',
    label: () => t().picture[label],
    keys,
    run,
  });
  return [
    action('turnRight', ['r'], () => change((draft) => turned(draft, 'right'))),
    action('turnLeft', ['Shift+R'], () => change((draft) => turned(draft, 'left'))),
    action('mirrorSides', ['h'], () => change((draft) => mirrored(draft, 'h'))),
    action('mirrorTop', ['v'], () => change((draft) => mirrored(draft, 'v'))),
    action('cropStart', ['c'], context.toggleCrop),
    action('compareKey', ['b'], context.toggleBefore),
    { ...action('save', ['Ctrl+Enter', 'Ctrl+S'], context.save), inFields: true },
    action('back', ['Escape'], context.leave),
  ];
}
