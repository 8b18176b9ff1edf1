// Control characters, line breaks, and the embeddings, overrides and isolates that change the reading direction (UAX 9).
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text can be the name of a folder, theme or role: a single line that reads in one direction. */
export const isPlainName = (name: string): boolean => !UNSAFE.test(name);

/** A name that a program made, with a space in place of what a name may not contain. */
export const toPlainName = (name: string): string =>
  name.replaceAll(new RegExp(UNSAFE.source, 'gu'), ' ').trim();
