import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head'] as const;

export interface Operation {
  readonly id: string;
  /** `GET /v1/objects` */
  readonly call: string;
}

/** The operations of the OpenAPI document. */
export function operationsOfTheReference(): readonly Operation[] {
  const text = readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as {
    readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation
        ? [{ id: operation.operationId, call: `${method.toUpperCase()} ${path}` }]
        : [];
    }),
  );
}

export interface AppCalls {
  /** Calls of the generated client: `GET /v1/objects`. */
  readonly byClient: ReadonlySet<string>;
  /** Addresses in other texts, with `{}` for inserted values: `/v1/objects/{}/content`. */
  readonly addresses: ReadonlySet<string>;
  /** Calls whose path is not written beside them. */
  readonly unclear: readonly string[];
}

/** What the sources of the app call. */
export function callsOfTheApp(): AppCalls {
  const calls = { byClient: new Set<string>(), addresses: new Set<string>(), unclear: [] };
  const options = { cwd: ROOT, exclude: ['web/api/schema.d.ts'] };
  for (const file of globSync('web/**/*.{ts,tsx}', options))
    collect(file, readFileSync(join(ROOT, file), 'utf8'), calls);
  return calls;
}

/** As in `api.GET('/v1/objects')`. */
const CLIENT = /^api\.(GET|PUT|POST|DELETE|PATCH|OPTIONS|HEAD)$/;

function collect(
  file: string,
  text: string,
  calls: { byClient: Set<string>; addresses: Set<string>; unclear: string[] },
): void {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, string>();
  const ofClient = new Set<ts.Node>();
  const names: { readonly node: ts.Identifier; readonly method: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && isText(node.initializer))
      constants.set(node.name.getText(), node.initializer.text);
    const [path] = ts.isCallExpression(node) ? node.arguments : [];
    const method = ts.isCallExpression(node)
      ? CLIENT.exec(node.expression.getText())?.[1]
      : undefined;
    if (method !== undefined && path) {
      ofClient.add(path);
      if (isText(path)) calls.byClient.add(`${method} ${path.text}`);
      else if (ts.isIdentifier(path)) names.push({ node: path, method });
      else calls.unclear.push(`${file}: ${node.getText().slice(0, 60)}`);
    }
    const address = ofClient.has(node) || isType(node) ? undefined : addressIn(node);
    if (address !== undefined) calls.addresses.add(address);
    node.forEachChild(visit);
  };
  visit(source);
  for (const { node, method } of names) {
    const path = constants.get(node.text);
    if (path === undefined) calls.unclear.push(`${file}: ${method}(${node.text})`);
    else {
      calls.byClient.add(`${method} ${path}`);
      calls.addresses.delete(path);
    }
  }
}

const isText = ts.isStringLiteralLike;
const isType = (node: ts.Node): boolean => ts.isLiteralTypeNode(node.parent ?? node);

/** The path of the service in a text, without the query. */
function addressIn(node: ts.Node): string | undefined {
  const text = isText(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
      : undefined;
  return /^(?:\{\})?(\/v1\/[^?#]*|\/docs)(?:[?#].*)?$/s.exec(text ?? '')?.[1];
}
