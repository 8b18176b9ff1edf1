import { inline, html, type Markup } from '../html.ts';

type Node = Readonly<Record<string, unknown>>;

/** The fields of an object, those of objects within it by their path: `pages[].page`. */
export function fieldRows(schema: Node, path = ''): readonly Markup[] {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const fields = (schema['properties'] ?? {}) as Readonly<Record<string, Node>>;
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = `${path}${name}`;
    const need = required.has(name) ? '' : 'optional';
    const items = field['items'] as Node | undefined;
    return [
      row(here, need, field, field['description']),
      ...fieldRows(field, `${here}.`),
      ...(items ? fieldRows(items, `${here}[].`) : []),
    ];
  });
}

export const row = (name: string, note: string, schema: Node, description: unknown): Markup =>
  html`<tr><td><code>${name}</code></td><td class="soft">${note}</td><td>${typeWords(schema)}${typeof description === 'string' && html`. ${inline(description)}`}</td></tr>`;

export const table = (title: string, rows: readonly Markup[]): Markup =>
  rows.length === 0
    ? html`<h4>${title}</h4><p class="soft">Any JSON.</p>`
    : html`<h4>${title}</h4><table><thead><tr><th scope="col">Name</th><th scope="col"></th><th scope="col">Type</th></tr></thead><tbody>${rows}</tbody></table>`;

/** A schema in a few words: its type, its bounds, its default. */
export function typeWords(schema: Node): Markup {
  const bounds = [
    range(schema, 'minimum', 'maximum', ''),
    range(schema, 'minLength', 'maxLength', 'character'),
    range(schema, 'minItems', 'maxItems', 'item'),
  ].filter((words) => words !== '');
  const fallback =
    'default' in schema && html`, default <code>${JSON.stringify(schema['default'])}</code>`;
  const pattern = 'pattern' in schema && html`, matches <code>${schema['pattern']}</code>`;
  return html`${kind(schema)}${bounds.map((words) => `, ${words}`)}${pattern}${fallback}`;
}

function kind(schema: Node): Markup {
  const reference = schema['$ref'] as string | undefined;
  const name = reference?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`;
  const either = schema['anyOf'] as readonly Node[] | undefined;
  if (either) return joined(either.map(typeWords), ' or ');
  if ('const' in schema) return schema['const'] === '' ? html`empty text` : code(schema['const']);
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values) return joined(values.map(code), ' or ');
  if (schema['items']) return html`list of ${typeWords(schema['items'] as Node)}`;
  if (schema['contentMediaType'] !== undefined) return html`file`;
  const format = schema['format'] as string | undefined;
  return html`${format ?? WORDS.get(String(schema['type'])) ?? 'any value'}`;
}

const WORDS: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    string: 'text',
    integer: 'integer',
    number: 'number',
    boolean: 'true or false',
    object: 'object',
    null: 'null',
  }),
);

const code = (value: unknown): Markup => html`<code>${value}</code>`;

const joined = (pieces: readonly Markup[], between: string): Markup =>
  html`${pieces.map((piece, i) => [i > 0 ? between : '', piece])}`;

type LowerBound = 'minimum' | 'minLength' | 'minItems';
type UpperBound = 'maximum' | 'maxLength' | 'maxItems';

function range(schema: Node, low: LowerBound, high: UpperBound, thing: string): string {
  const [least, most] = [schema[low] as number | undefined, schema[high] as number | undefined];
  const things = thing === '' ? '' : ` ${thing}${(most ?? least) === 1 ? '' : 's'}`;
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${least}${things}` : `${least} to ${most}${things}`;
  if (least !== undefined) return `at least ${least}${things}`;
  return most === undefined ? '' : `at most ${most}${things}`;
}
