import type { Core } from '../core/index.ts';
import { scopesOf } from '../core/identity/index.ts';
import { TOKEN_SCOPES, type TokenScope } from '../ports/identity.ts';
import { readConfig } from './config.ts';
import { createLog } from './log.ts';
import { openService } from './service.ts';
import { signInAddress } from './sign-in-address.ts';

export interface Shown {
  readonly json?: true;
}

export interface OwnerOptions extends Shown {
  readonly tenant: string;
  readonly role?: string;
}

export interface TokenOptions extends Shown {
  readonly owner: string;
  readonly name: string;
  readonly days?: number | 'never';
  readonly access?: 'full' | 'read';
  readonly scopes?: readonly TokenScope[];
  readonly folders?: readonly string[];
}

const LISTED_AT_ONCE = 500;

/** Opens the workspace while a server may be running on it, executes one command, and closes it again. */
export async function withCore<T>(work: (core: Core) => Promise<T>): Promise<T> {
  const config = readConfig();
  const service = await openService(config, createLog('warn'), 'command');
  try {
    return await work(service.core);
  } finally {
    await service.close();
  }
}

export function print({ json }: Shown, data: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(data)}\n` : `${lines.join('\n')}\n`);
}

export async function migrate(options: Shown): Promise<void> {
  await withCore(() => Promise.resolve());
  print(options, { migrated: true }, ['The database is up to date.']);
}

export async function createTenant(name: string, options: Shown): Promise<void> {
  const tenant = await withCore((core) => core.identity.createTenant(name));
  print(options, { id: tenant.id, name: tenant.name }, [`tenant ${tenant.id} ${tenant.name}`]);
}

export async function createOwner(name: string, options: OwnerOptions): Promise<void> {
  const { tenant, role } = options;
  const created = await withCore((core) =>
    core.identity.createOwner({ name, tenant, ...(role !== undefined && { role }) }),
  );
  const { owner, first } = created;
  print(
    options,
    {
      id: owner.id,
      name: owner.name,
      role: owner.role,
      tenant_id: owner.tenantId,
      token: first.bearer,
    },
    [`owner ${owner.id} ${owner.name} (${owner.role})`, `token ${first.bearer}`],
  );
}

export async function listOwners(options: Shown): Promise<void> {
  const owners = await withCore(async (core) => {
    const all = [];
    for (let offset = 0; ; offset += LISTED_AT_ONCE) {
      const page = await core.identity.listOwners({ limit: LISTED_AT_ONCE, offset });
      all.push(...page.items);
      if (all.length >= page.total || page.items.length === 0) return all;
    }
  });
  const items = owners.map((o) => ({
    id: o.id,
    name: o.name,
    role: o.role,
    tenant_id: o.tenantId,
    created_at: new Date(o.createdAt).toISOString(),
  }));
  print(
    options,
    { items, total: items.length },
    items.map((o) => `${o.id} ${o.name} (${o.role}) of tenant ${o.tenant_id}`),
  );
}

/** The link also works where a server is running: both use the same database. */
export async function createSignInLink(who: string, options: Shown): Promise<void> {
  const config = readConfig();
  const { owner, code, expiresAt } = await withCore((core) => core.signIn.createSignInLink(who));
  const link = signInAddress(config, `http://${config.host}:${config.port}`, code);
  const expires = new Date(expiresAt).toISOString();
  print(options, { link, expires_at: expires }, [
    link,
    `signs ${owner.name} (${owner.id}) in once, until ${expires}`,
  ]);
}

export async function issueToken(options: TokenOptions): Promise<void> {
  const { name, access, days, owner, scopes, folders } = options;
  const { token, bearer } = await withCore((core) =>
    core.identity.issueTokenFor(owner, {
      name,
      ...(access && { access }),
      ...(days !== undefined && { expiresInDays: days === 'never' ? null : days }),
      ...(scopes && { scopes }),
      ...(folders && { folderIds: folders }),
    }),
  );
  const expires = token.expiresAt === null ? null : isoTime(token.expiresAt);
  const granted = scopesOf(token);
  print(
    options,
    {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      access: token.access,
      scopes: TOKEN_SCOPES.filter((scope) => granted.has(scope)),
      collection_ids: token.folderIds,
      created_at: isoTime(token.createdAt),
      expires_at: expires,
      last_used_at: null,
      last_used_network: null,
      token: bearer,
    },
    [
      `token ${bearer}`,
      `${scopes ? `scopes ${scopes.join(', ')}` : `${token.access} access`}, ${expires ? `until ${expires}` : 'without end'}`,
    ],
  );
}

const isoTime = (at: number): string => new Date(at).toISOString();

export async function revokeToken(prefix: string, options: Shown): Promise<void> {
  await withCore((core) => core.identity.revokeTokenByPrefix(prefix));
  print(options, { revoked: prefix }, [`token ${prefix} is revoked`]);
}
