import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** `/v1/objects/{object_id}` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schemas of the request body, by media type. */
  readonly takes: ReadonlyMap<string, Schema>;
  /** By status: the media types of its responses. */
  readonly replies: ReadonlyMap<number, readonly string[]>;
  readonly needsOwner: boolean;
}

/** The served OpenAPI document: the fuzzer's only knowledge of the interface. */
export interface Contract {
  readonly operations: readonly Operation[];
  /** The schema itself where it refers to a named one. */
  resolve(schema: Schema): Schema;
  /** The matching paths, literal segments before parameters. */
  at(pathname: string): readonly PathMatch[];
  /** The error in a JSON response; undefined without one. */
  checkReply(operation: Operation, status: number, json: unknown): string | undefined;
  /** The same for an error, which has one form wherever it comes from. */
  checkError(status: number, json: unknown): string | undefined;
}

export interface PathMatch {
  readonly operations: readonly Operation[];
  readonly params: Readonly<Record<string, string>>;
}

type Node = Record<string, Schema>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box: the document is read as it comes
export function readContract(document: any): Contract {
  const follow = (node: Schema): Schema => {
    const to = node['$ref'];
    if (typeof to !== 'string') return node;
    return to
      .split('/')
      .slice(1)
      .reduce<Schema>((from, key) => from[key] as Schema, document as Schema);
  };
  const operations = Object.entries(document.paths as Record<string, Node>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        readOperation(path, method, described, follow),
      ),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  (addFormats as unknown as (a: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  const checkBy = (pointer: string, json: unknown): string | undefined => {
    const validate = ajv.getSchema(pointer);
    if (!validate) return `no schema at ${pointer}`;
    return validate(json) ? undefined : ajv.errorsText(validate.errors);
  };
  const patterns = [...new Set(operations.map(({ path }) => path))]
    .map((path) => ({ path, pattern: patternOf(path) }))
    // Literal segments come before parameters.
    .sort((a, b) => holesIn(a.path) - holesIn(b.path));
  return {
    operations,
    resolve: follow,
    at: (pathname) =>
      patterns.flatMap(({ path, pattern }) => {
        const found = pattern.exec(pathname);
        if (!found) return [];
        const here = operations.filter((each) => each.path === path);
        return [{ operations: here, params: { ...found.groups } }];
      }),
    checkReply: ({ path, method }, status, json) => {
      const pointer = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
      const base = `document#/paths/${pointer}/${method}/responses/${status}`;
      return checkBy(`${base}/content/application~1json/schema`, json);
    },
    checkError: (status, json) =>
      checkBy(`document#/components/schemas/${status === 422 ? 'ValidationError' : 'Error'}`, json),
  };
}

function readOperation(
  path: string,
  method: string,
  described: Schema,
  follow: (node: Schema) => Schema,
): Operation {
  const contentOf = (node: Schema | undefined) =>
    Object.entries((node && (follow(node)['content'] as Node)) ?? {});
  const security = described['security'] as readonly object[] | undefined;
  return {
    id: String(described['operationId']),
    method,
    path,
    parameters: ((described['parameters'] ?? []) as readonly Schema[]).map(
      (each) => follow(each) as unknown as Parameter,
    ),
    takes: new Map(
      contentOf(described['requestBody'] as Schema | undefined).map(([type, media]) => [
        type,
        media['schema'] as Schema,
      ]),
    ),
    replies: new Map(
      Object.entries(described['responses'] as Node).map(([status, reply]) => [
        Number(status),
        contentOf(reply).map(([type]) => type),
      ]),
    ),
    needsOwner: security?.some((each) => 'bearer' in each) ?? false,
  };
}

const holesIn = (path: string): number => path.split('{').length;

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.');
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
