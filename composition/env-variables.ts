/** One environment variable: its description, and how its value is parsed. */
export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  /** As shown in the reference. */
  readonly byDefault: string;
  read(text: string | undefined): T;
}

/** An invalid value: stops the start with one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(message: string) {
    // An error in a file may quote several lines of it.
    super(message.replaceAll(/\s+/g, ' '));
  }
}

const wrong = (name: string, text: string, expected: string): ConfigError =>
  new ConfigError(`${name}=${JSON.stringify(text)} is not ${expected}.`);

const sent = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

export function text(name: string, meaning: string, byDefault = ''): Variable<string> {
  return {
    name,
    meaning,
    byDefault: byDefault === '' ? 'none' : `\`${byDefault}\``,
    read: (value) => sent(value) ?? byDefault,
  };
}

export function integer(
  name: string,
  meaning: string,
  byDefault: number,
  least: number,
  most: number,
): Variable<number> {
  return {
    name,
    meaning: `${meaning} (${least} to ${most})`,
    byDefault: `\`${byDefault}\``,
    read: (value) => {
      const given = sent(value);
      if (given === undefined) return byDefault;
      const number = Number(given);
      if (!/^\d+$/.test(given) || number < least || number > most)
        throw wrong(name, given, `a whole number from ${least} to ${most}`);
      return number;
    },
  };
}

export function oneOf<const T extends readonly [string, ...string[]]>(
  name: string,
  meaning: string,
  values: T,
  byDefault: T[number],
): Variable<T[number]> {
  return {
    name,
    meaning: `${meaning}: ${values.map((value) => `\`${value}\``).join(', ')}`,
    byDefault: `\`${byDefault}\``,
    read: (value) => {
      const given = sent(value) ?? byDefault;
      if (!values.includes(given)) throw wrong(name, given, `one of ${values.join(', ')}`);
      return given;
    },
  };
}

const YES = new Set(['true', '1', 'yes', 'on']);
const NO = new Set(['false', '0', 'no', 'off']);

export function boolean(name: string, meaning: string, byDefault: boolean): Variable<boolean> {
  return {
    name,
    meaning: `${meaning}: \`true\` or \`false\``,
    byDefault: `\`${byDefault}\``,
    read: (value) => {
      const given = sent(value)?.toLowerCase();
      if (given === undefined) return byDefault;
      if (!YES.has(given) && !NO.has(given)) throw wrong(name, given, 'true or false');
      return YES.has(given);
    },
  };
}

export function url(name: string, meaning: string, schemes: readonly string[]): Variable<string> {
  return {
    name,
    meaning,
    byDefault: 'none',
    read: (value) => {
      const given = sent(value);
      if (given === undefined) return '';
      const parsed = URL.canParse(given) ? new URL(given) : undefined;
      if (!parsed || !schemes.includes(parsed.protocol.slice(0, -1)))
        throw wrong(name, withoutSecrets(given), `a ${schemes.join(' or ')} address`);
      return given;
    },
  };
}

/** A URL with a secret in it: an error message never contains the value, since any part may be the secret. */
export function secretUrl<T extends object>(
  name: string,
  meaning: string,
  parse: (text: string) => T | { readonly wrong: string },
): Variable<T | null> {
  return {
    name,
    meaning,
    byDefault: 'none',
    read: (value) => {
      const given = sent(value);
      if (given === undefined) return null;
      const parsed = parse(given);
      if ('wrong' in parsed) throw new ConfigError(`${name} ${parsed.wrong}.`);
      return parsed;
    },
  };
}

/** In any text, a password precedes an at sign or follows a question mark. */
const withoutSecrets = (text: string): string =>
  text.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…');

/** A base URL to which paths are appended. `instead` is shown as the default, and is not parsed. */
export function baseUrl(name: string, meaning: string, instead = ''): Variable<string> {
  const web = url(name, meaning, ['http', 'https']);
  return {
    ...web,
    byDefault: instead === '' ? web.byDefault : `\`${instead}\``,
    read: (value) => {
      const given = web.read(value);
      if (given === '') return given;
      const { username, password, search, hash } = new URL(given);
      if (username || password || search || hash)
        throw wrong(name, withoutSecrets(given), 'an address without name, query and fragment');
      return given.replace(/\/+$/, '');
    },
  };
}

/** Comma-separated entries; an entry that `parse` rejects is an invalid value. */
export function listOf<T>(
  name: string,
  meaning: string,
  expected: string,
  parse: (entry: string) => T | undefined,
): Variable<readonly T[]> {
  return {
    name,
    meaning: `${meaning}, separated by commas`,
    byDefault: 'none',
    read: (value) =>
      (sent(value) ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .map((each) => {
          const parsed = parse(each);
          if (parsed === undefined) throw wrong(name, each, expected);
          return parsed;
        }),
  };
}

/** Web origins (RFC 6454 §4) as sent by browsers: scheme, host and port only. */
export const origins = (name: string, meaning: string): Variable<readonly string[]> =>
  listOf(name, meaning, 'a web origin such as https://example.org', (entry) => {
    const parsed = URL.canParse(entry) ? new URL(entry) : undefined;
    // An invalid origin would never match, without any error.
    const good =
      parsed &&
      /^https?:$/.test(parsed.protocol) &&
      !parsed.host.includes('*') &&
      parsed.href === `${parsed.origin}/`;
    return good ? parsed.origin : undefined;
  });
