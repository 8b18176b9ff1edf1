import { all, overlapsAny, type Found } from './spans.ts';

/** RFC 5321 limits, without quoted local parts, which do not occur in practice. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_%+-][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}\p{L}[\p{L}\p{N}-]{1,23}(?![\p{L}\p{N}@-])/gu;

export const emailsOf = (text: string): readonly Found[] =>
  all(text, EMAIL).filter(({ text: email }) => !/\.\.|\.@/.test(email));

const URL =
  /(?<![\p{L}\p{N}@])(?:https?:\/\/|www\.)[^\s<>"'`«»“”„|\\^{}\u3000-\u303f\uff00-\uffef]{3,1000}/giu;
const HOST =
  /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){1,8}|localhost|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?(?:[/?#]|$)/iu;

export const urlsOf = (text: string): readonly Found[] =>
  all(text, URL)
    .map((found) => shortened(found, withoutTail(found.text)))
    .filter(({ text: url }) => HOST.test(url));

const shortened = ({ start }: Found, text: string): Found => ({
  text,
  start,
  end: start + text.length,
});

/** Trailing punctuation of the sentence, and brackets that the address did not open. */
function withoutTail(url: string): string {
  let end = url.length;
  while (end > 0) {
    const last = url.charAt(end - 1);
    if (/[.,;:!?*_~…]/.test(last)) end -= 1;
    else if (/[)\]]/.test(last) && !url.slice(0, end).includes(last === ')' ? '(' : '[')) end -= 1;
    else break;
  }
  return url.slice(0, end);
}

/** Account and card numbers: long digit sequences that are no telephone numbers. */
const IBAN =
  /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{4}){2,7}(?:[ \u00a0]?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu;
const CARD = /(?<!\d)\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}(?!\d)/g;

const PHONE =
  /(?<![\p{L}\p{N}.,/_-]|№ ?)(?:\+|00)?\(?\d(?:[ \u00a0.()/–-]{0,3}\d){5,14}(?![\p{L}\p{N}]|[.,]\d)(?:[ ,]{0,2}(?:ext|доб|вн|Durchwahl|poste)\.? ?\d{1,5})?/giu;
const LABEL =
  /(?:tel|telefon|telephone|phone|mobile|mob|cell|fax|fon|handy|tél|téléphone|teléfono|móvil|whatsapp|viber|call|тел|телефон|моб|мобильный|факс|звоните|т|ph|电话|手机)\.?[ \t]*(?:no\.?|№)?[ \t]*[:：.]?[ \t]*\(?$/iu;
/** Notations that are telephone numbers in any context. */
const KNOWN: readonly RegExp[] = [
  /^(?:\+?7|8)[ -]?\(?\d{3,5}\)?[ -]?\d{1,3}-?[ -]?\d{2}[ -]\d{2}$/,
  /^(?:\+?1[ .-]?)?\(\d{3}\) ?\d{3}[-. ]\d{4}$/,
  /^(?:1[ .-])?\d{3}-\d{3}-\d{4}$/,
  /^\(0\d{2,5}\) ?[\d /-]{4,12}$/,
  /^0\d{2,5}[/ ]\d[\d -]{4,12}$/,
];

/**
 * Telephone numbers: in international or another well-known notation, or labelled as such. Never a date, an amount,
 * an address, an account or another long number.
 *
 * @param taken entities found already.
 */
export function phonesOf(text: string, taken: readonly Found[]): readonly Found[] {
  const others = [...taken, ...all(text, IBAN), ...all(text, CARD)];
  return all(text, PHONE).filter((found) => {
    const digits = found.text
      .replace(/(?:ext|доб|вн|Durchwahl|poste).*$/iu, '')
      .replaceAll(/\D/g, '');
    if (digits.length < 7 || digits.length > 15 || overlapsAny(found, others)) return false;
    if (/^(\d)\1+$/.test(digits)) return false;
    if (found.text.startsWith('+')) return digits.length >= 8;
    const number = found.text.replace(/[ ,]{0,2}(?:ext|доб|вн|Durchwahl|poste).*$/iu, '');
    if (LABEL.test(text.slice(Math.max(0, found.start - 24), found.start))) return true;
    return KNOWN.some((pattern) => pattern.test(number));
  });
}
