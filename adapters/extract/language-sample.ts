/** The detector looks at no more than this much at once. */
const WINDOW = 1000;
const WINDOWS = 5;

/** Pieces from all over a text: it may begin with a title page or a letterhead in another language. */
export function languageWindows(text: string): readonly string[] {
  const windows: string[] = [];
  const step = Math.max(WINDOW, Math.floor(text.length / WINDOWS));
  for (let at = 0; at < text.length && windows.length < WINDOWS; at += step)
    windows.push(text.slice(at, at + WINDOW));
  return windows;
}

/** As much of a text as its language is told by, in pieces of the same length, so that they are the same windows again. */
export const languageSample = (text: string): string =>
  text.length <= WINDOW * WINDOWS ? text : languageWindows(text).join('');
