/** Without letters and figures that are taken for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 10;

/** A code made of a secret: some fifty bits, so that nobody finds one by trying. */
export function newCode(secret: string): string {
  let code = '';
  // Two letters of base64 each: 4 096 fall on 31 signs almost evenly.
  for (let i = 0; code.length < LENGTH; i += 2)
    code += ALPHABET[(64 * digitOf(secret, i) + digitOf(secret, i + 1)) % ALPHABET.length] ?? '';
  return code;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const digitOf = (secret: string, i: number): number =>
  BASE64URL.indexOf(secret.charAt(i % secret.length));

/** As people type it: in any case, with blanks and dashes. '' for what can be no code. */
export function plainCode(typed: string): string {
  const plain = typed.slice(0, 200).replaceAll(/[\s-]/g, '').toUpperCase();
  return plain.length === LENGTH && [...plain].every((sign) => ALPHABET.includes(sign))
    ? plain
    : '';
}
