/** An HTML fragment. Only `html` and `raw` create one, so text cannot get into a page unescaped by mistake. */
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

/** Marks a constant of the program as HTML. */
export const raw = (text: string): Markup => ({ html: text });

/**
 * A template of HTML. Inserted values are escaped for text and for quoted attribute values, unless they are fragments.
 * Lists are joined. Null, undefined and false produce no output.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  raw(parts.map((part, i) => part + rendered(values[i])).join(''));

function rendered(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(rendered).join('');
  if (typeof value === 'object' && 'html' in value) return String(value.html);
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Words between backticks are code. An empty line separates paragraphs. */
export const paragraphs = (text: string): readonly Markup[] =>
  text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);

export const inline = (text: string): Markup =>
  raw(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
