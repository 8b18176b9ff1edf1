/** What the headers of a part of a form say of it (RFC 7578 §4.2). */
export interface FormPart {
  readonly name: string;
  /** Of a file: as it was sent, path and all; empty where the sender gave none. */
  readonly filename?: string;
}

/** By lower-case name; the characters are bytes. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const FORM_DATA = /^\s*form-data\s*(?=;|$)/i;
const PARAMETER = /;\s*([^\s;="]+)\s*=\s*/y;
const PLAIN = /[^;]*/y;

/** Reads the headers of a part; nothing where they are not those of a form. */
export function formPartOf(headers: PartHeaders): FormPart | undefined {
  const parameters = parametersOf(headers['content-disposition']?.[0] ?? '');
  const name = parameters?.get('name');
  if (name === undefined) return undefined;
  const filename = extended(parameters?.get('filename*')) ?? parameters?.get('filename');
  const isFile =
    filename !== undefined ||
    /^\s*application\/octet-stream\b/i.test(headers['content-type']?.[0] ?? '');
  return { name: unescaped(name), ...(isFile && { filename: unescaped(filename ?? '') }) };
}

function parametersOf(disposition: string): ReadonlyMap<string, string> | undefined {
  const [type] = FORM_DATA.exec(disposition) ?? [];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  const lastQuote = disposition.lastIndexOf('"');
  for (let at = type.length; ;) {
    PARAMETER.lastIndex = at;
    const [found, name = ''] = PARAMETER.exec(disposition) ?? [];
    if (found === undefined) return parameters;
    at += found.length;
    const { value, end } =
      disposition[at] === '"' ? quoted(disposition, at, lastQuote) : plain(disposition, at);
    parameters.set(name.toLowerCase(), value);
    at = end;
  }
}

/**
 * A backslash makes a quote or a backslash part of the name, as old clients write them; before anything else, and before
 * the last quote of all, it is one itself, as in a path of Windows.
 */
function quoted(text: string, start: number, lastQuote: number): { value: string; end: number } {
  let value = '';
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    const next = text[at + 1];
    if (text[at] === '\\' && (next === '\\' || (next === '"' && at + 1 < lastQuote))) at++;
    value += text[at];
  }
  return { value: utf8(value), end: at + 1 };
}

function plain(text: string, start: number): { value: string; end: number } {
  PLAIN.lastIndex = start;
  const [value = ''] = PLAIN.exec(text) ?? [];
  return { value: utf8(value).trim(), end: start + value.length };
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** A value with its own charset (RFC 8187 §3.2). RFC 7578 forbids it here, and some clients send it all the same. */
function extended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({ '%22': '"', '%0D': '\r', '%0A': '\n' }),
);

/**
 * The three characters that browsers, curl and undici escape in names, and no others: every other percent sign stands
 * for itself (HTML standard, "multipart/form-data").
 */
const unescaped = (name: string): string =>
  name.replaceAll(/%(?:22|0D|0A)/g, (escape) => ESCAPES.get(escape) ?? escape);
