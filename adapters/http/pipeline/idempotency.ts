import { createHash } from 'node:crypto';
import { hiddenLocked } from '../../../core/hidden-zone/index.ts';
import type { Core } from '../../../core/index.ts';
import type { ReceivedFile } from '../../../core/objects/index.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import { notFound } from '../../../core/shared/common-errors.ts';
import type { UploadDestination } from '../../../core/shares/index.ts';
import { TOKEN_SCOPES } from '../../../ports/identity.ts';
import { headerOf } from '../request/headers.ts';
import { referencesIn } from '../validation/object-references.ts';
import type { Access, AnyJsonRoute, Route } from '../route.ts';
import type { TextFile } from '../request/text-file.ts';
import type { Exchange } from './exchange.ts';
import { parsePreservingIntegers } from '../validation/json/json-body.ts';

/**
 * The request's key, if it has one. Its length has been validated with the other headers. A key belongs to one
 * operation and path: the same key elsewhere is a different one. The path of a visitor contains a secret and is not
 * stored.
 */
export function keyOf({ request, path }: Exchange, access: Access): string | undefined {
  const key = headerOf(request, 'idempotency-key');
  if (key === undefined) return undefined;
  const place = access === 'visitor' ? createHash('sha256').update(path).digest('hex') : path;
  return `${request.method} ${place} ${key}`;
}

/**
 * The rights of a restricted caller; '' for all rights. A reply may hold more than another caller may get, such as the
 * secret of a token, so it is repeated for the same rights only.
 */
export function rightsOf({ scopes, scope }: Pick<Caller, 'scopes' | 'scope'>): string {
  const hasAll = TOKEN_SCOPES.every((each) => scopes.has(each));
  return hasAll && !scope.folderIds ? '' : JSON.stringify([[...scopes].sort(), scope.folderIds]);
}

/** Two requests are the same when operation, path, query, body and the rights of the caller are. */
export function fingerprintOf(
  { request }: Exchange,
  body: Uint8Array | undefined,
  multipart?: {
    readonly fields: ReadonlyMap<string, string>;
    readonly files: readonly (ReceivedFile | TextFile)[];
  },
  rights = '',
): string {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n${rights}`);
  if (body) hash.update(body);
  if (multipart) {
    const fields = [...multipart.fields].sort(([a], [b]) => (a < b ? -1 : 1));
    const files = multipart.files.map((file) =>
      'blob' in file ? [file.filename, file.blob.sha256] : ['', file.sha256],
    );
    hash.update(JSON.stringify({ fields, files }));
  }
  return hash.digest('hex');
}

/** The stored reply and its context. */
interface StoredReply {
  readonly reply: unknown;
  /** The reply was made while the hidden zone was open, so it may contain data of hidden objects. */
  readonly unlocked: boolean;
  /** See `alsoNames` of a route. */
  readonly alsoNames: readonly string[];
}

/** The owner whose data an operation changes. */
export type Actor = Pick<Caller, 'scope' | 'limits' | 'hiddenToken'> | UploadDestination;

interface KeyedRequest<Who> {
  readonly caller: Who;
  readonly params: unknown;
  readonly key: string;
  readonly fingerprint: string;
  readonly run: (caller: Who) => Promise<unknown>;
}

type RunOnce = <Who extends Actor>(
  request: KeyedRequest<Who>,
) => Promise<{ readonly reply: unknown; readonly repeated: boolean }>;

/**
 * Makes the function that runs an operation at most once for its key: it answers a repeat with the first reply.
 *
 * Behind a closed hidden zone a repeat depends on the ids in the path and in the reply that the service has assigned, never
 * on text that a client chose. An id in the path that is hidden or does not exist is `not_found`, with any key. A reply with
 * an id that is hidden or no longer exists, or that was made while the zone was open, is `hidden_locked`. So a hidden object
 * can not be distinguished from a deleted one.
 *
 * Visitors of a share get the first reply again in any case: it only names the files that they sent.
 */
export function createIdempotentRunner(
  route: AnyJsonRoute,
  core: Core,
  present: (result: unknown) => unknown,
): RunOnce {
  const inPath = referencesIn(route.params);
  const inReply = referencesIn(route.reply.json);
  const isVisitor = route.access === 'visitor';

  return async ({ caller, params, key, fingerprint: digest, run }) => {
    const { configured, unlocked } = await core.hiddenZone.pinState(caller);
    const isClosed = configured && !unlocked && !isVisitor;
    if (isClosed && !(await core.hiddenZone.seesAll(caller, inPath(params)))) throw notFound();
    const fingerprint = core.idempotency.keyedFingerprint(digest);
    const first = await core.idempotency.openKey(caller.scope, key, fingerprint);
    if (first !== undefined) {
      // With every digit of the numbers in it.
      const stored = parsePreservingIntegers(first) as StoredReply;
      if (isClosed) {
        const { objects, ...others } = inReply(stored.reply);
        const named = { objects: [...objects, ...stored.alsoNames], ...others };
        if (stored.unlocked || !(await core.hiddenZone.seesAll(caller, named)))
          throw hiddenLocked({}, undefined, NOT_REPEATED);
      }
      return { reply: stored.reply, repeated: true };
    }
    const answerTo = (result: unknown) => {
      const alsoNames = route.alsoNames?.(result) ?? [];
      const stored: StoredReply = { reply: present(result), unlocked, alsoNames };
      return core.idempotency.sealResponse(JSON.stringify(stored));
    };
    try {
      const result = await run({ ...caller, receipt: { key, fingerprint, answerTo } });
      return { reply: present(result), repeated: false };
    } catch (error) {
      await core.idempotency.releaseKey(caller.scope, key, fingerprint);
      throw error;
    }
  };
}

const NOT_REPEATED =
  'The first answer is not repeated while the hidden zone is locked. Unlock it, then send the request again.';

/** Throws if the keys of a route would allow brute force of a secret in its body: see `acceptsIdempotencyKey`. */
export function requireUnguessable({
  method,
  path,
  body,
  acceptsIdempotencyKey: creates,
  guessable,
}: Route): void {
  if (!creates) return;
  const holdsSecret = body !== undefined && 'json' in body && hasSecret(body.json);
  if (holdsSecret !== (guessable !== undefined))
    throw new Error(
      `${method} ${path} accepts a key: set \`guessable\` to the reason why its secret can not be guessed by it.`,
    );
}

const hasSecret = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  ('secret' in schema || Object.values(schema).some(hasSecret));
