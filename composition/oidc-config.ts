import { isSafeAddress } from '../adapters/outbound/oidc/safe-address.ts';
import { ConfigError, baseUrl, type Variable } from './env-variables.ts';

/** The OpenID Connect provider of the installation. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  /** The tenant in which unknown subjects get an owner; null for none. */
  readonly tenantId: string | null;
  readonly roleClaim: string | null;
}

interface Read {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcName: string;
  readonly oidcProvision: string;
  readonly oidcRoleClaim: string;
}

/** An issuer in one spelling: accounts are known by it. A trailing slash of a path is part of it. */
export function issuer(name: string, meaning: string): Variable<string> {
  const plain = baseUrl(name, meaning);
  return {
    ...plain,
    read: (value) => {
      if (plain.read(value) === '') return '';
      const parsed = new URL((value ?? '').trim());
      if (!isSafeAddress(parsed))
        throw new ConfigError(
          `${name}=${JSON.stringify(parsed.href)} is not an https address. http is possible on this machine only.`,
        );
      return parsed.pathname === '/' ? parsed.origin : parsed.href;
    },
  };
}

const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function oidcFrom(read: Read): OidcConfig | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoleClaim } = read;
  const tenantId = tenantIdFrom(read.oidcProvision);
  const parts = [
    ['OIDC_CLIENT_ID', oidcClientId !== ''],
    ['OIDC_CLIENT_SECRET', oidcClientSecret !== ''],
    ['OIDC_NAME', read.oidcName !== ''],
    ['OIDC_PROVISION', tenantId !== null],
    ['OIDC_ROLE_CLAIM', oidcRoleClaim !== ''],
  ] as const;
  if (oidcIssuer === '') {
    // Without the issuer the others would have no effect.
    for (const [name, isSet] of parts)
      if (isSet) throw new ConfigError(`${name} needs OIDC_ISSUER.`);
    return null;
  }
  for (const [name, isSet] of parts.slice(0, 2))
    if (!isSet) throw new ConfigError(`OIDC_ISSUER needs ${name}.`);
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    name: read.oidcName || new URL(oidcIssuer).host,
    tenantId,
    roleClaim: oidcRoleClaim || null,
  };
}

function tenantIdFrom(provision: string): string | null {
  const value = provision.toLowerCase();
  if (value === 'off') return null;
  if (TENANT_ID.test(value)) return value;
  throw new ConfigError(
    `OIDC_PROVISION=${JSON.stringify(provision)} is not off or the id of a tenant. \`owner-workspace owner list\` prints those of all owners.`,
  );
}
