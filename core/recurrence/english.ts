import type { ByDay } from './rule.ts';

export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
const WEEKDAYS = [
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
];
const FEW = ['', 'first', 'second', 'third', 'fourth', 'fifth'];

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[], joint: 'and' | 'or' = 'and'): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

/** "1st", "22nd", "13th". */
export function numeral(number: number): string {
  const teens = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}

/** "first", "20th", "last", "second to last". */
export function ordinal(nth: number): string {
  if (nth === -1) return 'last';
  if (nth < 0) return `${ordinal(-nth)} to last`;
  return FEW[nth] ?? numeral(nth);
}

/** Numbers from the end come after those from the beginning. */
export const forward = (numbers: readonly number[]): readonly number[] => [
  ...numbers.filter((number) => number > 0),
  ...numbers.filter((number) => number < 0),
];

/** Days of a month or year: "the 2nd and 15th", "the 1st and last day". */
export const dates = (numbers: readonly number[], joint: 'and' | 'or' = 'and'): string =>
  `the ${listed(
    forward(numbers).map((number) => (number > 0 ? numeral(number) : ordinal(number))),
    joint,
  )}${numbers.some((number) => number < 0) ? ' day' : ''}`;

export const months = (numbers: readonly number[]): string =>
  listed(numbers.map((number) => MONTHS[number - 1]!));

const KINDS: ReadonlyMap<string, string> = new Map([
  ['01234', 'weekday'],
  ['56', 'weekend day'],
  ['0123456', 'day'],
]);

/** The word for exactly these weekdays, if there is one. */
export const kindOf = (days: readonly ByDay[]): string | undefined =>
  KINDS.get(
    days
      .filter(({ nth }) => nth === 0)
      .map(({ weekday }) => weekday)
      .join(''),
  );

/** For plain weekdays the word for all of them, if there is one, or else their list. */
export const weekdays = (days: readonly ByDay[], joint: 'and' | 'or' = 'and'): string =>
  kindOf(days) ??
  listed(
    days.map(({ weekday }) => WEEKDAYS[weekday]!),
    joint,
  );

/** "every weekday", "the first and third Monday", "every Monday and the last Friday". */
export function countedWeekdays(days: readonly ByDay[], joint: 'and' | 'or' = 'and'): string {
  const plain = days.filter(({ nth }) => nth === 0);
  const counted = days.filter(({ nth }) => nth !== 0);
  const perWeekday = WEEKDAYS.flatMap((name, index) => {
    const numbers = counted.filter(({ weekday }) => weekday === index).map(({ nth }) => nth);
    return numbers.length > 0
      ? [`the ${listed(forward(numbers).map(ordinal), joint)} ${name}`]
      : [];
  });
  return listed([...(plain.length > 0 ? [`every ${weekdays(plain)}`] : []), ...perWeekday], joint);
}
