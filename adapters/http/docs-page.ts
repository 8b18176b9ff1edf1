import { createHash } from 'node:crypto';

type Node = Readonly<Record<string, unknown>>;
interface Operation {
  readonly path: string;
  readonly method: string;
  readonly node: Node;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --link: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --link: #8ab4ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; }
h1 { margin: 1rem 0 .25rem; } h2 { margin: 2.5rem 0 .5rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); } a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 2px; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { columns: 18rem; padding: 0; list-style: none; } nav li { break-inside: avoid; padding: .1rem 0; } nav li:has(strong) { break-after: avoid; }
nav strong { display: block; margin-top: .6rem; }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .75rem 1rem; }
article h3 { margin: 0; font-size: 1rem; } article p { margin: .4rem 0; }
.method { display: inline-block; min-width: 4rem; font-weight: 700; text-transform: uppercase; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); }
summary { cursor: pointer; padding: .25rem 0; } .note { opacity: .8; }
`;

/** The page runs nothing and loads nothing: its one style sheet is let in by its hash. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The reference for people, made from the OpenAPI document. */
export function docsPage(document: Node): string {
  const info = document['info'] as Node;
  const operations = operationsOf(document);
  const tags = (document['tags'] as readonly Node[]).map((tag) => String(tag['name']));
  const of = (tag: string) => operations.filter(({ node }) => (node['tags'] as string[])[0] === tag);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info['title'])} reference</title><style>${STYLE}</style></head>
<body><header><h1>${escaped(info['title'])}</h1><p>${escaped(info['description'])}</p>
<p class="note">Every path under <code>/v1</code> takes a bearer token. The machine-readable document is <code>/v1/openapi.json</code>.</p></header>
<nav aria-label="Operations"><ul>${tags.map((tag) => contents(tag, of(tag))).join('')}</ul></nav>
<main>${tags.map((tag) => `<h2>${escaped(tag)}</h2>${of(tag).map(article(document)).join('')}`).join('')}</main>
</body></html>
`;
}

function operationsOf(document: Node): readonly Operation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Node>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, node]) => ({ path, method, node })),
  );
}

const contents = (tag: string, operations: readonly Operation[]): string =>
  `<li><strong>${escaped(tag)}</strong></li>${operations
    .map(
      ({ node }) =>
        `<li><a href="#${escaped(node['operationId'])}">${ticks(node['summary'])}</a></li>`,
    )
    .join('')}`;

const article =
  (document: Node) =>
  ({ path, method, node }: Operation): string =>
    `<article id="${escaped(node['operationId'])}"><h3><span class="method">${escaped(method)}</span> <code>${escaped(path)}</code></h3>
<p>${ticks(node['summary'])}.</p>${node['description'] ? `<p>${ticks(node['description'])}</p>` : ''}${parameters(node)}${body(document, node)}${replies(document, node)}</article>`;

function parameters(node: Node): string {
  const rows = (node['parameters'] as readonly Node[]).map((parameter) => {
    const need = parameter['required'] ? 'required' : '';
    const about = parameter['description'] ? `. ${String(parameter['description'])}` : '';
    const kind = `${describe(parameter['schema'] as Node)}${about}`;
    return row(parameter['name'], `${String(parameter['in'])} ${need}`.trim(), kind);
  });
  return table('Parameters', rows);
}

function body(document: Node, node: Node): string {
  const content = (node['requestBody'] as Node | undefined)?.['content'] as
    | Record<string, Node>
    | undefined;
  if (!content) return '';
  return Object.entries(content)
    .map(([type, media]) => table(`Body: ${type}`, fields(document, media['schema'] as Node)))
    .join('');
}

function replies(document: Node, node: Node): string {
  return Object.entries(node['responses'] as Record<string, Node>)
    .map(([status, reply]) => {
      const media = (reply['content'] as Record<string, Node> | undefined)?.['application/json'];
      const schema = media?.['schema'] as Node | undefined;
      const rows = Number(status) < 400 && schema ? fields(document, schema) : [];
      return `<details><summary><strong>${escaped(status)}</strong> ${ticks(reply['description'])}</summary>${table('Fields', rows)}</details>`;
    })
    .join('');
}

function fields(document: Node, schema: Node): readonly string[] {
  const node = resolved(document, schema);
  const required = new Set((node['required'] ?? []) as readonly string[]);
  return Object.entries((node['properties'] ?? {}) as Record<string, Node>).map(([name, field]) =>
    row(name, required.has(name) ? 'required' : '', describe(field)),
  );
}

function resolved(document: Node, schema: Node): Node {
  const name = String(schema['$ref'] ?? '').split('/').at(-1) ?? '';
  const schemas = (document['components'] as Node)['schemas'] as Record<string, Node>;
  return schemas[name] ?? schema;
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
};

/** A schema in a few words: its type, its bounds, its default. */
function describe(schema: Node): string {
  const reference = schema['$ref'];
  if (reference) return String(reference).split('/').at(-1) ?? '';
  const either = schema['anyOf'] as readonly Node[] | undefined;
  if (either) return either.map(describe).join(' or ');
  const words = (schema['enum'] as readonly string[] | undefined)?.join(' | ');
  const items = schema['items'] ? ` of ${describe(schema['items'] as Node)}` : '';
  const kind = words ?? `${String(schema['format'] ?? schema['type'] ?? 'anything')}${items}`;
  const bounds = Object.entries(BOUNDS)
    .filter(([key]) => key in schema)
    .map(([key, word]) => `${word} ${String(schema[key])}`);
  const fallback = 'default' in schema ? [`default ${String(schema['default'])}`] : [];
  return [kind, ...bounds, ...fallback].join(', ');
}

const row = (name: unknown, need: string, kind: string): string =>
  `<tr><td><code>${escaped(name)}</code></td><td>${escaped(need)}</td><td>${escaped(kind)}</td></tr>`;

const table = (title: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<table><caption hidden>${escaped(title)}</caption><thead><tr><th scope="col">${escaped(title)}</th><th scope="col"></th><th scope="col">Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: unknown): string =>
  String(text).replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** Words between backticks are code. */
const ticks = (text: unknown): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
