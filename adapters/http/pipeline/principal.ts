import type { FoundBot } from '../../../core/bots/index.ts';
import type { Caller, Client } from '../../../core/shared/caller.ts';
import type { Visitor } from '../../../core/shares/index.ts';
import type { DocumentServer, UploadTarget } from '../route.ts';
import type { Actor } from './idempotency.ts';

/** The sender of a request, identified. */
export type Principal =
  | { readonly kind: 'owner'; readonly caller: Caller }
  | VisitorPrincipal
  | { readonly kind: 'platform'; readonly bot: FoundBot }
  | { readonly kind: 'document-server'; readonly engine: DocumentServer }
  | SignInPrincipal
  | { readonly kind: 'anonymous' };

/** Signs in. `current` is the caller whose session cookie came with the request. */
export interface SignInPrincipal {
  readonly kind: 'sign-in';
  readonly client: Client;
  readonly current?: Caller;
}

/** Has no account. `target` is the owner that uploaded files go to. */
export interface VisitorPrincipal {
  readonly kind: 'visitor';
  readonly visitor: Visitor;
  readonly target?: UploadTarget;
}

/** The owner whose data the request reads or changes; undefined if a secret in the path determines it. */
export function actorOf(principal: Principal): Actor | undefined {
  if (principal.kind === 'owner') return principal.caller;
  return principal.kind === 'visitor' ? principal.target : undefined;
}
