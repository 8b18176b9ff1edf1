import type { CommonPasswords } from '../../ports/common-passwords.ts';
import { InvalidInput } from '../shared/errors.ts';

/** In code points. */
export const MIN_PASSWORD_LENGTH = 15;
export const MAX_PASSWORD_LENGTH = 128;
/**
 * What a sign-in accepts. Systems that send decomposed letters need up to four code points for one that was stored (Unicode
 * Standard Annex #15, §12).
 */
export const MAX_SENT_PASSWORD_LENGTH = 4 * MAX_PASSWORD_LENGTH;
/** A shorter name is part of too many words. */
const MIN_SEARCHED_NAME_LENGTH = 3;

/**
 * A password in the form that is hashed and compared: the OpaqueString profile (RFC 8265 §4.2.2). Keyboards and systems
 * encode the same letter and the same space differently. Case and width are preserved.
 */
export const toOpaqueString = (password: string): string =>
  password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/**
 * Ends with an invalid `password` unless it has 15 to 128 code points, is no common password and no repetition of one, and
 * does not contain the owner's name. Expects the form of `toOpaqueString`.
 */
export async function requireStrongPassword(
  { commonPasswords }: { readonly commonPasswords: CommonPasswords },
  password: string,
  ownerName: string,
): Promise<void> {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH)
    throw rejected(
      `The password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  if (containsName(password, ownerName))
    throw rejected('The password must not contain the name of the account.');
  const unit = repeatedUnit(password.toLowerCase());
  const isCommon =
    [...unit].length === 1 ||
    (await commonPasswords.has(password)) ||
    (await commonPasswords.has(unit));
  if (isCommon)
    throw rejected('The password is too common, or repeats a common one. Choose another one.');
}

const rejected = (reason: string): InvalidInput => new InvalidInput('body', 'password', reason);

/** Letters, digits and symbols other than separators, in one case and width. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Z}\p{P}\p{C}]/gu, '');

export function containsName(password: string, name: string): boolean {
  const folded = fold(name);
  return [...folded].length >= MIN_SEARCHED_NAME_LENGTH && fold(password).includes(folded);
}

/**
 * The shortest text that gives this one when it is repeated, the last time perhaps in part; the text itself if there is
 * none shorter. By the prefix function of Knuth, Morris and Pratt.
 */
export function repeatedUnit(text: string): string {
  const points = [...text];
  const border = [0];
  for (let i = 1; i < points.length; i++) {
    let length = border[i - 1] ?? 0;
    while (length > 0 && points[i] !== points[length]) length = border[length - 1] ?? 0;
    border.push(points[i] === points[length] ? length + 1 : 0);
  }
  return points.slice(0, points.length - (border.at(-1) ?? 0)).join('');
}
