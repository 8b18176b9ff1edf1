import type { Contract, Operation } from './contract.ts';
import type { Random } from './random.ts';

/** A well-formed id of nothing. */
export const ABSENT_ID = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const MAX_VALUES_PER_NAME = 30;
/** The capability of a document server is the longest part of a URL. */
const MAX_VALUE_LENGTH = 3_000;

/** Parameter names for the same kind of id. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ids: ['object_id', 'notification_id'],
  object_ids: ['object_id'],
  attachments: ['object_id'],
  resource_id: ['object_id', 'collection_id'],
  session_id: ['chat_id'],
  suggested_collection_id: ['collection_id'],
  from: ['original_start'],
  agent: ['slug'],
};

/** Where an `id` is of another kind than the path of the operation says. */
const KINDS: readonly (readonly [prefix: string, name: string])[] = [
  ['/v1/uploads', 'object_id'],
  ['/v1/ask', 'chat_id'],
  ['/v1/calendar/agenda', 'event_id'],
];

/** Values from responses, by the name of the parameter that they fit. The newest replace the oldest. */
export class Pool {
  readonly #own = new Map<string, string[]>();
  readonly #foreign: ReadonlyMap<string, readonly string[]>;
  readonly #banned: ReadonlySet<string>;

  /** `banned`: values that must not be used, because the lane would end itself with them. */
  constructor(foreign: ReadonlyMap<string, readonly string[]>, banned: readonly string[]) {
    this.#foreign = foreign;
    this.#banned = new Set(banned);
  }

  get(name: string): readonly string[] {
    return (ALIASES[name] ?? [name]).flatMap((each) => this.#own.get(each) ?? []);
  }

  add(name: string, value: string): void {
    if (value === '' || value.length > MAX_VALUE_LENGTH || this.#banned.has(value)) return;
    const values = this.#own.get(name) ?? [];
    if (values.includes(value)) return;
    this.#own.set(name, [...values, value].slice(-MAX_VALUES_PER_NAME));
  }

  /** Deleted resources are of no use. */
  remove(value: string): void {
    for (const [name, values] of this.#own)
      if (values.includes(value))
        this.#own.set(
          name,
          values.filter((each) => each !== value),
        );
  }

  /** Mostly a value of the lane's owner, else of another owner or an unknown one; undefined for an unknown name. */
  pick(name: string, random: Random): string | undefined {
    const own = this.get(name);
    const foreign = (ALIASES[name] ?? [name]).flatMap((each) => this.#foreign.get(each) ?? []);
    const kind = random.below(10);
    if (kind === 0 && foreign.length > 0) return random.pick(foreign);
    if (kind === 1) return /id/.test(name) ? ABSENT_ID : undefined;
    return own.length > 0 ? random.pick(own) : undefined;
  }
}

/** Collects the values of a response: ids by the operation and the names of fields, and URLs by their path. */
export function learn(
  contract: Contract,
  pool: Pick<Pool, 'add'>,
  operation: Operation,
  json: unknown,
): void {
  const bare = idNameOf(contract, operation);
  const visit = (value: unknown, name: string, depth: number): void => {
    if (depth > 6) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 20)) visit(each, name, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) visit(each, key, depth + 1);
    } else if (typeof value === 'number' && name === 'version') pool.add(name, String(value));
    else if (typeof value === 'string') {
      const into = name === 'id' ? bare : name;
      if (into !== undefined && /(_id|^slug|^token|^access|_start|cursor|code)$/.test(into))
        pool.add(into, value);
      if (/^https?:\/\//.test(value) && URL.canParse(value))
        for (const [key, part] of Object.entries(
          contract.at(new URL(value).pathname)[0]?.params ?? {},
        ))
          pool.add(key, part);
    }
  };
  visit(json, '', 0);
  if (operation.path.startsWith('/v1/hidden-pin')) {
    const { token } = (json ?? {}) as { token?: unknown };
    if (typeof token === 'string') pool.add('x-hidden-token', token);
  }
  const { access } = (json ?? {}) as { access?: unknown };
  if (typeof access === 'string') pool.add('x-share-access', access);
}

/** The path parameter that an `id` of an operation's response fits: that of the path directly below its collection. */
function idNameOf(contract: Contract, { path }: Operation): string | undefined {
  const special = KINDS.find(([prefix]) => path.startsWith(prefix));
  if (special) return special[1];
  const beneath = contract.operations
    .map((each) => /^(.*)\/\{(\w+)\}$/.exec(each.path))
    .filter((match) => match !== null)
    .map(([, prefix = '', name = '']) => ({ prefix, name }))
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return beneath[0]?.name;
}
