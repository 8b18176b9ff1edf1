import { TOKEN_SCOPES, type TokenScope } from '../../ports/identity.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden } from '../shared/common-errors.ts';
import { signInAgain } from './errors.ts';

/** How recent a sign-in must be for operations that change who has access. */
export const RECENT_SIGN_IN_MS = 15 * 60_000;

/**
 * The scopes that an operation needs. Of a list any one is sufficient; of `all` each is needed.
 *
 * - `any`: every credential may do it.
 * - `unrestricted`: every scope is needed, and to be bound to no folders. For operations by which a caller could get more
 *   rights than it has, such as adding a way to sign in.
 */
export type RequiredScope =
  | TokenScope
  | readonly [TokenScope, ...TokenScope[]]
  | { readonly all: readonly [TokenScope, ...TokenScope[]] }
  | 'any'
  | 'unrestricted';

/** What an operation demands of its caller. */
export interface Requirements {
  readonly scope: RequiredScope;
  /** It stores a conversation. */
  readonly storesHistory?: true;
  /** A session must have signed in recently. Tokens are not affected. */
  readonly needsRecentSignIn?: true;
}

/** What a caller may do at all. */
export type Rights = Pick<Caller, 'scopes' | 'mayStoreHistory'> & {
  readonly scope: Pick<Caller['scope'], 'folderIds'>;
};

const NONE: readonly TokenScope[] = [];

/** The scopes that the caller would need in addition. Of a list in which any is sufficient, all are missing or none. */
export function missingScopes(
  scopes: ReadonlySet<TokenScope>,
  required: RequiredScope,
): readonly TokenScope[] {
  if (required === 'any') return NONE;
  if (required === 'unrestricted') return TOKEN_SCOPES.filter((scope) => !scopes.has(scope));
  if (typeof required === 'string') return scopes.has(required) ? NONE : [required];
  if ('all' in required) return required.all.filter((scope) => !scopes.has(scope));
  return required.some((scope) => scopes.has(scope)) ? NONE : required;
}

/** Whether the caller may do it, regardless of when it signed in. */
export function isAllowed(
  { scopes, mayStoreHistory, scope: { folderIds } }: Rights,
  { scope, storesHistory }: Requirements,
): boolean {
  if (storesHistory && !mayStoreHistory) return false;
  if (scope === 'unrestricted' && folderIds) return false;
  return missingScopes(scopes, scope).length === 0;
}

/** Ends with `forbidden`, which names the missing scope, or with `sign_in_again`. */
export function authorize(
  deps: { readonly clock: Clock },
  caller: Caller,
  requirements: Requirements,
): void {
  if (!isAllowed(caller, requirements)) throw notAllowed(caller, requirements);
  if (requirements.needsRecentSignIn) requireRecentSignIn(deps, caller);
}

function notAllowed({ scopes }: Rights, { scope }: Requirements) {
  const missing = missingScopes(scopes, scope);
  if (missing.length === 0 && scope === 'unrestricted')
    return forbidden({}, undefined, 'A token that is bound to folders may not do that.');
  if (missing.length === 0)
    return forbidden(
      {},
      undefined,
      'This token may ask, but not store conversations. Use one that was created with the scope `ask`.',
    );
  const isAny = typeof scope !== 'string' && !('all' in scope);
  return forbidden({}, undefined, `This token may not do that: it needs ${named(missing, isAny)}.`);
}

function named(scopes: readonly TokenScope[], isAny: boolean): string {
  const quoted = scopes.map((scope) => `\`${scope}\``);
  if (quoted.length === 1) return `the scope ${quoted[0]}`;
  return isAny ? `one of the scopes ${quoted.join(' or ')}` : `the scopes ${quoted.join(', ')}`;
}

export function requireRecentSignIn(
  { clock }: { readonly clock: Clock },
  { credential }: Pick<Caller, 'credential'>,
): void {
  if (credential.kind !== 'session') return;
  if (credential.session.signedInAt + RECENT_SIGN_IN_MS <= clock.now()) throw signInAgain();
}
