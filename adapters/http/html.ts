/** A piece of HTML: only `html` and `raw` make one, so that no text gets into a page as it is by mistake. */
export interface Markup {
  readonly html: string;
}

const ENTITIES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
);

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => ENTITIES.get(char) ?? char);

/** Text that is HTML already, for constants of the program. */
export const raw = (text: string): Markup => ({ html: text });

/**
 * A template of HTML: what is put into it is escaped, for text and for quoted attribute values alike, unless it is
 * such a piece itself. Lists are joined; null, undefined and false leave nothing.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  raw(parts.map((part, i) => part + rendered(values[i])).join(''));

function rendered(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(rendered).join('');
  if (typeof value === 'object' && 'html' in value) return String(value.html);
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Words between backticks are code, and an empty line parts paragraphs. */
export const paragraphs = (text: string): readonly Markup[] =>
  text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);

export const inline = (text: string): Markup =>
  raw(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
