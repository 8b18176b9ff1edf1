/**
 * A password as it is hashed: in the normal form C of Unicode, because keyboards and systems differ in how they write
 * the same letter (RFC 8265 §4.2).
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** The spellings to compare with a hash: normal form C and, for hashes from before normalization, the text as sent. */
export const candidatesOf = (password: string): readonly string[] => [
  ...new Set([normalizePassword(password), password]),
];
