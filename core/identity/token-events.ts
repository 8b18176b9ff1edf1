import type { Token } from '../../ports/identity.ts';
import type { SecurityEventInput } from '../security-events/index.ts';

export const tokenCreated = (token: Token): SecurityEventInput => ({
  kind: 'token_created',
  subject: token.id,
  detail: `The token "${token.name}" was created: ${rightsOf(token)}, ${expiryOf(token)}.`,
  facts: {
    name: token.name,
    scopes: token.scopes,
    access: token.access,
    is_folder_bound: token.folderIds !== null,
    expires_at: token.expiresAt === null ? null : new Date(token.expiresAt).toISOString(),
  },
});

export const tokenRevoked = ({ id, name }: Token): SecurityEventInput => ({
  kind: 'token_revoked',
  subject: id,
  detail: `The token "${name}" was revoked.`,
  facts: { name },
});

function rightsOf({ scopes, access, folderIds }: Token): string {
  const rights =
    scopes !== null
      ? `scopes ${scopes.join(', ')}`
      : access === 'full'
        ? 'full access'
        : 'read access';
  return folderIds ? `${rights}, bound to folders` : rights;
}

const expiryOf = ({ expiresAt }: Token): string =>
  expiresAt === null ? 'without an expiry' : `expires ${new Date(expiresAt).toISOString()}`;
