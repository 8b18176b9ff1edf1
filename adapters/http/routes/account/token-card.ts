import { TOKEN_SCOPES, type Token } from '../../../../ports/identity.ts';
import { scopesOf } from '../../../../core/identity/index.ts';
import {
  closed,
  dateTime,
  list,
  named,
  nullable,
  oneOf,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { iso, isoOrNull } from '../shapes.ts';

export const tokenFields = {
  id: uuid(),
  name: text(),
  prefix: text(),
  access: oneOf('full', 'read'),
  scopes: list(oneOf(...TOKEN_SCOPES), { description: 'All that it has, in this order.' }),
  collection_ids: nullable(
    list(uuid(), { description: 'The folders that it is bound to; null if it sees everything.' }),
  ),
  created_at: dateTime(),
  expires_at: nullable(dateTime()),
  last_used_at: nullable(dateTime({ description: 'To the minute; null before the first use.' })),
  last_used_network: nullable(text({ description: 'The /24 or /48 of the last use.' })),
};
export const TokenCard = named('TokenCard', closed(tokenFields));

export function tokenCard(token: Token): TypeOf<typeof TokenCard> {
  const scopes = scopesOf(token);
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    access: token.access,
    scopes: TOKEN_SCOPES.filter((scope) => scopes.has(scope)),
    collection_ids: token.folderIds && [...token.folderIds],
    created_at: iso(token.createdAt),
    expires_at: isoOrNull(token.expiresAt),
    last_used_at: isoOrNull(token.lastUsedAt),
    last_used_network: token.lastUsedNetwork,
  };
}
