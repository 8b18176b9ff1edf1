import type { MessengerId, MessengerPerson } from '../../../ports/messenger.ts';

/** More than the maximum length of names and titles. */
const MAX_NAME_LENGTH = 512;

/** A field of a value that may not be an object; null counts as absent. */
export function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return (Object.hasOwn(fields, key) ? fields[key] : undefined) ?? undefined;
}

/** A signed integer of 64 bits; undefined for anything else. */
export function idAt(value: unknown, key: string): MessengerId | undefined {
  const field = at(value, key);
  if (Number.isSafeInteger(field)) return BigInt(field as number);
  return typeof field === 'bigint' && BigInt.asIntN(64, field) === field ? field : undefined;
}

/** Text that any database can store, truncated to `most` UTF-16 units; '' if absent. */
export function textAt(value: unknown, key: string, most = MAX_NAME_LENGTH): string {
  const field = at(value, key);
  return typeof field === 'string'
    ? truncate(field, most).toWellFormed().replaceAll('\0', '\ufffd')
    : '';
}

/** Truncates to a number of UTF-16 units without splitting a surrogate pair. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most);
}

/** A user of the Bot API; undefined if invalid. */
export function personAt(value: unknown, key: string): MessengerPerson | undefined {
  const user = at(value, key);
  const userId = idAt(user, 'id');
  return userId === undefined
    ? undefined
    : {
        userId,
        displayName: nameOf(user),
        username: textAt(user, 'username'),
        isBot: at(user, 'is_bot') === true,
      };
}

/** First and last name. Either may be missing. */
export const nameOf = (user: unknown): string =>
  `${textAt(user, 'first_name')} ${textAt(user, 'last_name')}`.trim();
