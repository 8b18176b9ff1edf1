import { lazyScreen } from '../ui/lazily.tsx';
import { withStyles } from './style-sheet.ts';

/** Screens that are shown at their own address and in the hidden zone. */
export const ObjectViewer = lazyScreen(() =>
  withStyles(import('../screens/viewer/viewer-screen.tsx'), 'viewer', 'print'),
);
export const Ask = lazyScreen(() => withStyles(import('../screens/ask/ask-screen.tsx'), 'print'));
export const NewNote = lazyScreen(() =>
  withStyles(import('../screens/new/note-screen.tsx'), 'viewer'),
);
export const NewLink = lazyScreen(() =>
  withStyles(import('../screens/new/link-screen.tsx'), 'viewer'),
);
