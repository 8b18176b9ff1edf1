/**
 * A password in the form that is hashed: Unicode normalization form C, because keyboards and systems encode the same
 * letter differently (RFC 8265 §4.2).
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** The spellings to compare with a hash: normal form C and, for hashes from before normalization, the text as sent. */
export const candidatesOf = (password: string): readonly string[] => [
  ...new Set([normalizePassword(password), password]),
];
