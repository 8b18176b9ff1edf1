/** Without letters and digits that are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 10;

/** A code derived from a secret: about fifty bits, so that codes cannot be guessed. */
export function newCode(secret: string): string {
  let code = '';
  // Two base64 characters: 4 096 values map almost evenly to 31 characters.
  for (let i = 0; code.length < LENGTH; i += 2)
    code += ALPHABET[(64 * digitOf(secret, i) + digitOf(secret, i + 1)) % ALPHABET.length] ?? '';
  return code;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const digitOf = (secret: string, i: number): number =>
  BASE64URL.indexOf(secret.charAt(i % secret.length));

/** Normalises typed input: any case, with blanks and dashes. '' if it cannot be a code. */
export function plainCode(typed: string): string {
  const plain = typed.slice(0, 200).replaceAll(/[\s-]/g, '').toUpperCase();
  return plain.length === LENGTH && [...plain].every((sign) => ALPHABET.includes(sign))
    ? plain
    : '';
}
