/** The fields that the headers of a form part declare (RFC 7578 §4.2). */
export interface FormPart {
  readonly name: string;
  /** The file name as sent, including a path; empty if the sender sent none. */
  readonly filename?: string;
}

/** By lower-case name; the characters are bytes. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const FORM_DATA = /^\s*form-data\s*(?=;|$)/i;
const PARAMETER = /;\s*([^\s;="]+)\s*=\s*/y;
const PLAIN = /[^;]*/y;

/** Parses the headers of a part; undefined if they are not those of a form. */
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
 * A backslash before a quote or a backslash escapes it, as old clients write names. Before any other character, and
 * before the last quote of all, the backslash is literal, as in a Windows path.
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

/** A value with its own charset (RFC 8187 §3.2). RFC 7578 forbids it in forms, but some clients send it. */
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
 * Browsers, curl and undici escape exactly these three characters in names. Every other percent sign is literal (HTML
 * standard, "multipart/form-data").
 */
const unescaped = (name: string): string =>
  name.replaceAll(/%(?:22|0D|0A)/g, (escape) => ESCAPES.get(escape) ?? escape);
