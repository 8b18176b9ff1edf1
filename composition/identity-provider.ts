import { outsideUnitOfWork } from '../adapters/guards/unit-of-work.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { OidcIdentityProvider } from '../adapters/outbound/oidc/identity-provider.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/**
 * The identity provider of the configuration, with what closes it; null without one. Its own address may be private, and
 * so may those that the operator allows.
 */
export function openIdentityProvider(
  { oidc, outboundAllow }: Pick<Config, 'oidc' | 'outboundAllow'>,
  log: Logger,
): { readonly port: IdentityProvider | null; readonly close?: () => Promise<void> } {
  if (!oidc) return { port: null };
  const provider = new OidcIdentityProvider({
    ...oidc,
    needsName: oidc.tenantId !== null,
    rules: { allowed: [...destinationOfUrl(oidc.issuer), ...outboundAllow] },
    onFailure: ({ kind, message }) =>
      log.warn({ kind, reason: message }, 'a sign-in at the identity provider failed'),
  });
  return {
    port: outsideUnitOfWork('IdentityProvider', provider),
    close: () => provider.close(),
  };
}
