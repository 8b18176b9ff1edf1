/** A value in an archive has an unexpected form. The message says where and what, for people. */
export class ArchiveFormatError extends Error {
  override readonly name = 'ArchiveFormatError';
}

/** Conversion of one type of value to JSON and back. `at` names the field for error messages. */
export interface Shape<T> {
  write(value: T): unknown;
  read(sent: unknown, at: string): T;
}

const refuse = (at: string, expected: string): never => {
  throw new ArchiveFormatError(`${at} is not ${expected}`);
};

const LONE = /\p{Surrogate}/u;
const length = (text: string): number => [...text].length;

interface TextBounds {
  readonly least?: number;
  /** Length in code points. */
  readonly most?: number;
  readonly pattern?: RegExp;
}

/** Text that both databases can store. */
export const text = ({ least = 0, most = Infinity, pattern }: TextBounds = {}): Shape<string> => ({
  write: (value) => value,
  read: (sent, at) => {
    if (typeof sent !== 'string') return refuse(at, 'a text');
    if (sent.includes('\0') || LONE.test(sent)) return refuse(at, 'well-formed text');
    const bounded = least > 0 || most < Infinity;
    if (bounded && (length(sent) < least || length(sent) > most))
      return refuse(at, `a text of ${least} to ${most} characters`);
    return pattern && !pattern.test(sent) ? refuse(at, 'well formed') : sent;
  },
});

export const id = text({ pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ });
export const sha256 = text({ pattern: /^[0-9a-f]{64}$/ });

export const flag: Shape<boolean> = {
  write: (value) => value,
  read: (sent, at) => (typeof sent === 'boolean' ? sent : refuse(at, 'true or false')),
};

/** Counters must be far below the largest integer that a database can store. */
const MAX_COUNT = 1_000_000_000;

export const whole = (least: number, most = MAX_COUNT): Shape<number> => ({
  write: (value) => value,
  read: (sent, at) =>
    typeof sent === 'number' && Number.isSafeInteger(sent) && sent >= least && sent <= most
      ? sent
      : refuse(at, `a whole number from ${least} to ${most}`),
});

/** A number from 0 to 1. */
export const fraction: Shape<number> = {
  write: (value) => value,
  read: (sent, at) =>
    typeof sent === 'number' && sent >= 0 && sent <= 1 ? sent : refuse(at, 'a number from 0 to 1'),
};

/** Bytes of a file. */
export const byteCount = whole(0, Number.MAX_SAFE_INTEGER);

/** A text that passes a rule of the operation that normally sets it. `expected` completes "is not …". */
export const passing = (isValid: (text: string) => boolean, expected: string): Shape<string> => ({
  write: (value) => value,
  read: (sent, at) => {
    const read = text().read(sent, at);
    return isValid(read) ? read : refuse(at, expected);
  },
});

/** A name as normalised by `normalize`, of 1 to `most` code points. */
export const label = (most: number, normalize: (name: string) => string): Shape<string> => ({
  write: (value) => value,
  read: (sent, at) => text({ least: 1, most }).read(normalize(text().read(sent, at)), at),
});

const YEARS = /^\d{4}-/;

/** ISO 8601 in UTC with milliseconds and a four-digit year: a date-time (RFC 3339) allows no more digits. */
export const instant: Shape<number> = {
  write: (value) => new Date(value).toISOString(),
  read: (sent, at) => {
    const read = typeof sent === 'string' && YEARS.test(sent) ? Date.parse(sent) : NaN;
    return !Number.isNaN(read) && new Date(read).toISOString() === sent
      ? read
      : refuse(at, 'a moment in UTC with milliseconds');
  },
};

export const oneOf = <T extends string>(known: readonly T[]): Shape<T> => ({
  write: (value) => value,
  read: (sent, at) =>
    known.find((each) => each === sent) ?? refuse(at, `one of ${known.join(', ')}`),
});

export const nullable = <T>(shape: Shape<T>): Shape<T | null> => ({
  write: (value) => (value === null ? null : shape.write(value)),
  read: (sent, at) => (sent === null ? null : shape.read(sent, at)),
});

/** A field that archives of earlier versions do not have. */
export const added = <T>(shape: Shape<T>, absent: T): Shape<T> => ({
  write: (value) => shape.write(value),
  read: (sent, at) => (sent === undefined ? absent : shape.read(sent, at)),
});

export const list = <T>(shape: Shape<T>, most = Infinity): Shape<readonly T[]> => ({
  write: (values) => values.map((value) => shape.write(value)),
  read: (sent, at) => {
    if (!Array.isArray(sent) || sent.length > most) return refuse(at, 'a list');
    return sent.map((each, i) => shape.read(each, `${at}[${i}]`));
  },
});

type Keys = Readonly<Record<string, unknown>>;

const isKeys = (sent: unknown): sent is Keys =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

const MAX_DEPTH = 64;

function requireStorable(value: unknown, at: string, depth: number): void {
  if (depth > MAX_DEPTH) refuse(at, 'as shallow as it has to be');
  if (typeof value === 'string') text().read(value, at);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    text().read(key, `a key of ${at}`);
    requireStorable(inner, at, depth + 1);
  }
}

/** An object with any keys and values, with a maximum size as JSON. */
export const freeForm = (most: number): Shape<Keys> => ({
  write: (value) => value,
  read: (sent, at) => {
    if (!isKeys(sent)) return refuse(at, 'an object');
    requireStorable(sent, at, 0);
    if (JSON.stringify(sent).length > most) return refuse(at, `at most ${most} characters long`);
    return sent;
  },
});

/** A record by its fields, each with its name in the archive. Does not compile if a field is missing. */
export function record<T extends object>(fields: {
  readonly [K in keyof T]-?: readonly [name: string, shape: Shape<T[K]>];
}): Shape<T> {
  const entries = Object.entries(fields) as [keyof T & string, readonly [string, Shape<unknown>]][];
  return {
    write: (value) =>
      Object.fromEntries(entries.map(([key, [name, shape]]) => [name, shape.write(value[key])])),
    read: (sent, at) => {
      if (!isKeys(sent)) return refuse(at, 'an object');
      const values = entries.map(([key, [name, shape]]) => {
        const inner = at === '' ? name : `${at}.${name}`;
        return [key, shape.read(Object.hasOwn(sent, name) ? sent[name] : undefined, inner)];
      });
      return Object.fromEntries(values) as T;
    },
  };
}

/** A record of fields that may all be absent, and no others. */
export function optionalFields<T extends object>(fields: {
  readonly [K in keyof T]-?: readonly [name: string, shape: Shape<NonNullable<T[K]>>];
}): Shape<T> {
  const entries = Object.entries(fields) as [keyof T & string, readonly [string, Shape<unknown>]][];
  const names = new Set(entries.map(([, [name]]) => name));
  return {
    write: (value) =>
      Object.fromEntries(
        entries.flatMap(([key, [name, shape]]) =>
          value[key] === undefined ? [] : [[name, shape.write(value[key])]],
        ),
      ),
    read: (sent, at) => {
      if (!isKeys(sent)) return refuse(at, 'an object');
      const unknown = Object.keys(sent).find((name) => !names.has(name));
      if (unknown !== undefined) return refuse(`${at}.${unknown}`, 'a known field');
      const values = entries.flatMap(([key, [name, shape]]) =>
        Object.hasOwn(sent, name) ? [[key, shape.read(sent[name], `${at}.${name}`)]] : [],
      );
      return Object.fromEntries(values) as T;
    },
  };
}
