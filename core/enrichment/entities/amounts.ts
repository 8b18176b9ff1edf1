import { all, type Found } from './spans.ts';

const SPACE = String.raw`[ \t\u00a0\u202f]`;
/** 1 234,56 · 1,234.56 · 1.234,56 · 1'234.50 · 5000 · 0.99 */
const NUMBER = String.raw`(?:\d{1,3}(?:[\u00a0\u202f ]\d{3}){1,4}|\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?:\.\d{3}){1,4}|\d{1,3}(?:['’]\d{3}){1,4}|\d{1,12})(?:[.,]\d{1,2}(?!\d))?`;
const MULTIPLE = String.raw`(?:${SPACE}?(?:тыс\.?|млн\.?|млрд\.?|million|billion|millions|millones|Mio\.?|Mrd\.?|Millionen|bn|[mk](?!\p{L})))?`;
const SIGNS = String.raw`(?:US|C|A|NZ|HK|R)?\$|[€£¥₽₴₸₹₩₺₪฿]`;
const CODES =
  'USD|EUR|GBP|CHF|RUB|RUR|UAH|KZT|BYN|JPY|CNY|RMB|PLN|CZK|HUF|SEK|NOK|DKK|CAD|AUD|NZD|INR|BRL|TRY|MXN|ARS|ILS|GEL|AMD';
const WORDS = String.raw`руб(?:лей|ля|лях|ль|\.)?|р\.|коп(?:еек|\.)|евро|долл(?:аров|ара|ар|\.)(?:${SPACE}США)?|тенге|гривен|юаней|dollars?|euros?|pounds?|Euro|Franken|francs?|d[oó]lares|libras|pesos|元|人民币|美元|欧元`;

const BEFORE = String.raw`(?<![\p{L}\p{N}.,])`;
const AFTER = String.raw`(?!\p{L}|\d)`;
const KOPECKS = String.raw`(?:${SPACE}\d{2}${SPACE}?коп\.?)?`;

const SIGN_FIRST = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[-−–]?(?:(?:${SIGNS})${SPACE}?|(?:${CODES})${SPACE})[-−]?${NUMBER}${MULTIPLE}(?!\d)`,
  'gu',
);
const SIGN_LAST = new RegExp(
  String.raw`${BEFORE}[-−–+]?${NUMBER}${MULTIPLE}${SPACE}?(?:(?:${SIGNS})|(?:${CODES})${AFTER}|(?:${WORDS})${KOPECKS}${AFTER})`,
  'giu',
);

/** Amounts of money with their currency, in common notations. */
export function amountsOf(text: string): readonly Found[] {
  const found = [...all(text, SIGN_FIRST), ...all(text, SIGN_LAST)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  const stored: Found[] = [];
  for (const each of found) {
    const last = stored.at(-1);
    if (!last || each.start >= last.end) stored.push(each);
  }
  return stored;
}
