import { DomainError } from '../../../../core/shared/errors.ts';
import type { Core } from '../../../../core/index.ts';
import { OIDC_FLOW_MS, type OidcOutcome, type OidcStart } from '../../../../core/sign-in/index.ts';
import type { CookieChange } from '../../request/cookie-changes.ts';
import { redirectRoute, route, type Redirection } from '../../route.ts';
import {
  closed,
  dateTime,
  named,
  nullable,
  object,
  optional,
  secret,
  text,
  url,
} from '../../schema.ts';
import { Deleted, deleted, iso } from '../shapes.ts';
import { sessionCookie } from './session-shapes.ts';

const tag = 'Signing in';

const CLEAR: CookieChange = { kind: 'clear' };

const flowCookie = ({ browserSecret }: OidcStart): CookieChange => ({
  kind: 'set',
  secret: browserSecret,
  maxAgeSeconds: OIDC_FLOW_MS / 1000,
});

/** The browser is at this address, so an error sends it back to the app, with the code and no text of others. */
async function orBackWithError(core: Core, run: () => Promise<Redirection>): Promise<Redirection> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'oidc_not_configured') throw error;
    const location = core.signIn.appUrl(error.code);
    // A page of another site may have sent the browser here, while the flow that the cookie belongs to is under way.
    return error.code === 'oidc_expired' ? { location } : { location, flow: CLEAR };
  }
}

const backToApp = (core: Core, outcome: OidcOutcome): Redirection => ({
  location: core.signIn.appUrl(),
  flow: CLEAR,
  ...('signedIn' in outcome && { session: sessionCookie(outcome.signedIn) }),
});

/** Bounded by the head of the request. */
const sent = (description: string) => optional(secret(text({ description })));

export const oidcRoutes = [
  redirectRoute({
    method: 'get',
    path: '/v1/sign-in/oidc',
    tag,
    name: 'beginOidcSignIn',
    summary: 'Sign in at the identity provider: navigate the browser here',
    description:
      'If the provider is not available, the browser is sent to the app with `error=oidc_unavailable`.',
    access: 'sign-in',
    errors: ['oidc_not_configured'],
    reply: { seeOther: 'To the identity provider.' },
    run: (core, { current }) =>
      orBackWithError(core, async () => {
        const start = await core.signIn.beginOidcSignIn(current);
        return { location: start.url, flow: flowCookie(start) };
      }),
  }),
  redirectRoute({
    method: 'get',
    path: '/v1/sign-in/oidc/callback',
    tag,
    name: 'finishOidcSignIn',
    summary: 'Where the identity provider sends the browser back',
    description:
      'Signs in, or links the account of the provider if the browser was sent there for that. A failure sends the browser to `/app/sign-in?error=CODE` with one of `oidc_denied`, `oidc_expired`, `oidc_taken`, `oidc_unavailable`, `oidc_unknown`, `sign_in_failed`.',
    access: 'sign-in',
    errors: ['oidc_not_configured'],
    query: object({
      code: sent('Of the provider.'),
      state: sent('Of the service.'),
      iss: sent('The issuer (RFC 9207).'),
      error: sent('Of the provider, instead of a code.'),
    }),
    reply: { seeOther: 'To the app.' },
    run: (core, { client, query, flowSecret }) =>
      orBackWithError(core, async () => {
        const outcome = await core.signIn.finishOidc({
          client,
          query: new URLSearchParams(query).toString(),
          state: query.state ?? '',
          browserSecret: flowSecret,
        });
        return backToApp(core, outcome);
      }),
  }),
  route({
    method: 'get',
    path: '/v1/me/oidc',
    tag,
    name: 'getOidcLink',
    summary: 'The linked account of the identity provider',
    access: 'owner',
    scope: 'account',
    reply: {
      json: named(
        'OidcLinkState',
        closed({ linked: nullable(closed({ issuer: text(), linked_at: dateTime() })) }),
      ),
    },
    run: (core, { caller }) => core.signIn.oidcLink(caller),
    present: (link) => ({
      linked: link ? { issuer: link.issuer, linked_at: iso(link.linkedAt) } : null,
    }),
  }),
  route({
    method: 'post',
    path: '/v1/me/oidc',
    tag,
    name: 'beginOidcLink',
    summary: 'Link an account of the identity provider: the address to navigate the browser to',
    description:
      'The browser returns to the app, with `error=oidc_taken` if the account belongs to another owner. A link that exists is replaced, and the other sessions of the owner end.',
    access: 'owner',
    scope: 'unrestricted',
    needsRecentSignIn: true,
    errors: ['oidc_not_configured', 'oidc_unavailable'],
    reply: { json: named('OidcLinkStart', closed({ url: url() })) },
    run: (core, { caller }) => core.signIn.beginOidcLink(caller),
    present: ({ url: address }) => ({ url: address }),
    setsFlowCookie: flowCookie,
  }),
  route({
    method: 'delete',
    path: '/v1/me/oidc',
    tag,
    name: 'unlinkOidc',
    summary: 'Unlink the account of the identity provider',
    description:
      'Ends the other sessions of the owner. A session can not remove the last way to sign in; a token can.',
    access: 'owner',
    scope: 'account',
    needsRecentSignIn: true,
    errors: ['not_configured', 'last_sign_in'],
    reply: { json: Deleted },
    run: (core, { caller }) => core.signIn.unlinkOidc(caller),
    present: deleted,
  }),
];
