/** Maximum length the detector considers at once. */
const WINDOW = 1000;
const WINDOWS = 5;

/** Samples from the whole text: it may begin with a title page or a letterhead in another language. */
export function languageWindows(text: string): readonly string[] {
  const windows: string[] = [];
  const step = Math.max(WINDOW, Math.floor(text.length / WINDOWS));
  for (let at = 0; at < text.length && windows.length < WINDOWS; at += step)
    windows.push(text.slice(at, at + WINDOW));
  return windows;
}

/** A sample for language detection, in parts of equal length, so that the detector uses the same windows. */
export const languageSample = (text: string): string =>
  text.length <= WINDOW * WINDOWS ? text : languageWindows(text).join('');
