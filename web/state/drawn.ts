import { signal } from '@preact/signals';

/** Frames are not drawn in a page in the background. */
const MAX_WAIT_MS = 500;

/**
 * Whether the app was drawn once. What stands beside the documents is requested after that: on a slow device each request
 * before it puts the first list off by some milliseconds.
 */
export const isDrawn = signal(false);

/** Called when the app is in the page: sets `isDrawn` after the next frame. */
export function noteDrawn(): void {
  const note = () => void (isDrawn.value = true);
  requestAnimationFrame(() => setTimeout(note));
  setTimeout(note, MAX_WAIT_MS);
}
