import type { Directory } from '../../ports/directory.ts';
import type { OidcSubject } from '../../ports/identity-provider.ts';
import type { OidcLink } from '../../ports/sign-in.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { credentialIdOf, findCredential, isSessionValid } from '../identity/index.ts';
import { SYSTEM, recordSecurityEvent, sourceOf } from '../security-events/index.ts';
import type { Caller, Client } from '../shared/caller.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { removeOtherSessions } from './remove-other-sessions.ts';
import { offeredMethods, requireOtherMethod, type OfferedMethodsDeps } from './last-method.ts';
import { accountOf, type OidcAccountDeps } from './oidc-account.ts';
import { notLinked, oidcExpired, oidcTaken, oidcUnknown } from './errors.ts';
import {
  beginFlow,
  endFlow,
  type OidcAnswer,
  type OidcFlowDeps,
  type OidcPurpose,
  type OidcStart,
} from './oidc-flow.ts';
import { startSession, type SignedIn, type StartSessionDeps } from './start-session.ts';

export interface OidcDeps extends OidcFlowDeps, OidcAccountDeps, StartSessionDeps {
  readonly directory: Pick<Directory, 'accountOfSubject' | 'account'>;
  readonly uow: UnitOfWork<
    'sessions' | 'tokens' | 'signInMethods' | 'securityEvents' | 'notifications'
  >;
}

export interface OidcCallback extends OidcAnswer {
  readonly client: Client;
}

/** The owner is signed in, or an account of the provider was linked to the owner that began it. */
export type OidcOutcome = { readonly signedIn: SignedIn } | { readonly linked: OidcLink };

/** Sends a browser to the provider. A session that came with the request is renewed at the end. */
export const beginOidcSignIn = (
  deps: OidcFlowDeps,
  current: Caller | undefined,
): Promise<OidcStart> =>
  beginFlow(deps, {
    kind: 'sign-in',
    ownerId: current?.owner.id ?? null,
    sessionId: current?.credential.kind === 'session' ? current.credential.session.id : null,
  });

/** Sends the browser of a signed-in owner to the provider, to link the account that signs in there. */
export const beginOidcLink = (deps: OidcFlowDeps, caller: Caller): Promise<OidcStart> =>
  beginFlow(deps, {
    kind: 'link',
    ownerId: caller.owner.id,
    credential: credentialIdOf(caller),
  });

/**
 * Ends a flow: signs in, or links. Ends with `oidc_expired`, `oidc_denied`, `oidc_unavailable`, `sign_in_failed`, and
 * `oidc_unknown` or `oidc_taken`.
 */
export async function finishOidc(deps: OidcDeps, callback: OidcCallback): Promise<OidcOutcome> {
  const { subject, purpose } = await endFlow(deps, callback);
  return purpose.kind === 'link'
    ? { linked: await link(deps, callback.client, subject, purpose) }
    : { signedIn: await signIn(deps, callback.client, subject, purpose) };
}

async function signIn(
  deps: OidcDeps,
  client: Client,
  subject: OidcSubject,
  { ownerId, sessionId }: Extract<OidcPurpose, { readonly kind: 'sign-in' }>,
): Promise<SignedIn> {
  const account = await accountOf(deps, subject);
  if (!account) throw oidcUnknown();
  const { owner } = account;
  return deps.uow.write(scopeOf(owner), async (stores) => {
    const stored = await stores.signInMethods.oidc();
    // The link may have been removed since the account was found.
    if (stored?.issuer !== subject.issuer || stored.subject !== subject.subject)
      throw oidcUnknown();
    const session =
      sessionId !== null && ownerId === owner.id
        ? await stores.sessions.find(sessionId)
        : undefined;
    // An owner that was just created, also if the process died before this transaction.
    if (!(await stores.securityEvents.last()))
      await recordSecurityEvent(deps, stores, SYSTEM, {
        kind: 'oidc_linked',
        detail: 'The account was created by a sign-in at the identity provider.',
        facts: { cause: 'account_created' },
      });
    const isRenewed = session !== undefined && isSessionValid(session, deps.clock.now());
    const current = isRenewed
      ? { owner, credential: { kind: 'session', session } as const }
      : undefined;
    const { authenticatedAt } = subject;
    return startSession(deps, stores, owner, { method: 'oidc', client, current, authenticatedAt });
  });
}

/** An account of the provider that was linked before is replaced, and the owner's other sessions end. */
async function link(
  deps: OidcDeps,
  client: Client,
  subject: OidcSubject,
  purpose: Extract<OidcPurpose, { readonly kind: 'link' }>,
): Promise<OidcLink> {
  const account = await deps.directory.account(purpose.ownerId);
  if (!account) throw oidcExpired();
  return deps.uow.write(scopeOf(account.owner), async (stores) => {
    const credential = await findCredential(deps.clock, stores, purpose.credential);
    // The credential may have ended since: then it must not add a way to sign in.
    if (!credential) throw oidcExpired();
    const caller = { credential, client };
    const before = await stores.signInMethods.oidc();
    const added = {
      issuer: subject.issuer,
      subject: subject.subject,
      linkedAt: deps.clock.now(),
    };
    if (!(await stores.signInMethods.linkOidc(added))) throw oidcTaken();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'oidc_linked',
      detail: before
        ? 'The linked account of the identity provider was replaced.'
        : 'An account of the identity provider was linked.',
      facts: { cause: before ? 'replaced' : 'linked' },
    });
    if (before && (before.issuer !== added.issuer || before.subject !== added.subject))
      await removeOtherSessions(deps, stores, caller, 'linked_account_changed');
    return added;
  });
}

/** The linked account of the provider; undefined if there is none. */
export async function oidcLink(
  { uow }: Pick<OidcDeps, 'uow'>,
  { scope }: Caller,
): Promise<OidcLink | undefined> {
  return uow.read(scope, ({ signInMethods }) => signInMethods.oidc());
}

export type UnlinkOidcDeps = Pick<OidcDeps, 'uow' | 'clock' | 'random' | 'digests'> &
  OfferedMethodsDeps;

/** Removes the link and ends the other sessions. Ends with `not_configured` and `last_sign_in`. */
export async function unlinkOidc(deps: UnlinkOidcDeps, caller: Caller): Promise<void> {
  const offered = offeredMethods(deps);
  await deps.uow.write(caller.scope, async (stores) => {
    if (!(await stores.signInMethods.oidc())) throw notLinked();
    await requireOtherMethod(stores, caller, { kind: 'oidc' }, offered);
    await stores.signInMethods.unlinkOidc();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'oidc_unlinked',
      detail: 'The account of the identity provider was unlinked.',
    });
    await removeOtherSessions(deps, stores, caller, 'linked_account_removed');
  });
}

/** The address of the app, where a browser continues after a sign-in; with the code of an error where it failed. */
export function appUrl({ browserUrl }: Pick<OidcDeps, 'browserUrl'>, errorCode?: string): string {
  const app = `${browserUrl()}/app`;
  return errorCode === undefined ? app : `${app}/sign-in?error=${errorCode}`;
}
