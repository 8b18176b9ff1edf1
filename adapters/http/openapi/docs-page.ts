import { createHash } from 'node:crypto';
import { DOCS_STYLE } from './docs-style.ts';
import { fieldRows, row, table, typeWords } from './docs-types.ts';
import { inline, html, paragraphs, raw, type Markup } from '../html.ts';

type Node = Readonly<Record<string, unknown>>;
type Nodes = Readonly<Record<string, Node>>;

/** The page runs no script and loads nothing. Its style sheet is allowed by its hash. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(DOCS_STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly node: Node;
}

/** The human-readable reference as a complete HTML page, generated from the OpenAPI document. */
export function docsPage(document: Node): string {
  const info = document['info'] as Node;
  const components = document['components'] as Readonly<Record<string, Nodes>>;
  const operations = operationsOf(document);
  const groups = (document['tags'] as readonly Node[]).map(({ name }) => ({
    tag: String(name),
    operations: operations.filter(({ node }) => (node['tags'] as readonly string[])[0] === name),
  }));
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${info['title']}: reference</title><style>${raw(DOCS_STYLE)}</style></head>
<body><div class="page"><header><h1>${info['title']}</h1><p>${info['description']}</p>
<p class="soft">Everything under <code>/v1</code> takes a bearer token in <code>Authorization</code>. For programs: <code>/v1/openapi.json</code>.</p></header>
<nav aria-label="Contents">${groups.map(({ tag, operations: each }) => html`<a href="#${slug(tag)}">${tag}</a><ul>${each.map(entry)}</ul>`)}<a href="#common">Answers of all</a><a href="#shapes">Shapes</a></nav>
<main>${groups.map(({ tag, operations: each }) => html`<section><h2 id="${slug(tag)}">${tag}</h2>${each.map(article)}</section>`)}
<section><h2 id="common">Answers of all</h2><p>Any operation that takes a token can also end like this.</p><article>${commonAnswers(operations, components['responses'] ?? {})}</article></section>
<section><h2 id="shapes">Shapes</h2>${Object.entries(components['schemas'] ?? {}).map(shape)}</section>
</main></div></body></html>
`;
  return page.html;
}

const slug = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

const operationsOf = (document: Node): readonly Operation[] =>
  Object.entries(document['paths'] as Readonly<Record<string, Nodes>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]) => ({ path, method, node })),
  );

const entry = ({ node }: Operation): Markup =>
  html`<li><a href="#${node['operationId']}">${inline(String(node['summary']))}</a></li>`;

function article({ path, method, node }: Operation): Markup {
  const id = String(node['operationId']);
  const description = node['description'] as string | undefined;
  const open = (node['security'] as readonly unknown[]).length === 0;
  return html`<article id="${id}"><h3><a href="#${id}"><span class="method ${method}">${method.toUpperCase()}</span><code>${path}</code></a></h3>
<p>${inline(String(node['summary']))}.${open && html` <small>No token needed.</small>`}</p>${description !== undefined && paragraphs(description)}${parameters(node)}${requestBody(node)}${answers(node['responses'] as Nodes)}</article>
`;
}

function parameters(node: Node): Markup | undefined {
  const rows = (node['parameters'] as readonly Node[]).map((each) =>
    row(String(each['name']), place(each), each['schema'] as Node, each['description']),
  );
  return rows.length > 0 ? table('Parameters', rows) : undefined;
}

const place = (parameter: Node): string =>
  parameter['required'] && parameter['in'] !== 'path'
    ? `${String(parameter['in'])}, required`
    : String(parameter['in']);

function requestBody(node: Node): readonly Markup[] {
  const content = (node['requestBody'] as Node | undefined)?.['content'] as Nodes | undefined;
  return Object.entries(content ?? {}).map(([type, media]) =>
    table(`Body: ${type}`, fieldRows(media['schema'] as Node)),
  );
}

/** A line for each status. Statuses that any operation can return are described once for all. */
function answers(responses: Nodes): Markup {
  const own = Object.entries(responses).filter(([, response]) => !('$ref' in response));
  return html`<h4>Answers</h4><dl>${own.map(answer)}</dl>`;
}

/** The document gives shared errors no status of their own: the status is where the operations refer to them. */
function commonAnswers(operations: readonly Operation[], shared: Nodes): Markup {
  const used = new Map<string, string>();
  for (const { node } of operations)
    for (const [status, response] of Object.entries(node['responses'] as Nodes))
      if ('$ref' in response) used.set(lastPart(response['$ref']), status);
  const lines = Object.entries(shared).map(([name, node]) => [used.get(name) ?? '', node] as const);
  return html`<dl>${lines.sort(([a], [b]) => (a < b ? -1 : 1)).map(answer)}</dl>`;
}

function answer([status, response]: readonly [string, Node]): Markup {
  const content = Object.entries((response['content'] ?? {}) as Nodes);
  const isError = content.some(([, { schema }]) => lastPart((schema as Node)['$ref']) === 'Error');
  const [first = '', ...more] = String(response['description']).split('\n\n');
  return html`<dt>${status}</dt><dd>${inline(first)}${!isError && content.map(media)}${more.map((line) => html`<br>${inline(line)}`)}</dd>`;
}

function media([type, { schema }]: readonly [string, Node]): Markup {
  const said = Object.keys(schema ?? {}).length > 0;
  return html` <span class="media"><code>${type}</code>${said && [' ', typeWords(schema as Node)]}</span>`;
}

const lastPart = (reference: unknown): string =>
  typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';

const shape = ([name, schema]: readonly [string, Node]): Markup =>
  html`<article id="shape-${name}"><h3><a href="#shape-${name}"><code>${name}</code></a></h3>${table('Fields', fieldRows(schema))}</article>
`;
