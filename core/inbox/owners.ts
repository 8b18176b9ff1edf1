import { foldName } from '../../ports/library.ts';
import type { Accounts, Owner } from '../../ports/identity.ts';

const OWNERS_PER_PAGE = 200;

export interface FolderOwners {
  readonly owners: ReadonlyMap<string, Owner>;
  readonly unknown: number;
  readonly ambiguous: number;
}

/**
 * The owners of folders: a folder is named like its owner, or by the owner's id. Owners of several tenants may have one
 * name. Such a folder belongs to none of them, because its files could reach the wrong one; folders named by id do.
 */
export async function ownersOf(
  { accounts }: { readonly accounts: Pick<Accounts, 'listOwners'> },
  folders: readonly string[],
): Promise<FolderOwners> {
  if (folders.length === 0) return { owners: new Map(), unknown: 0, ambiguous: 0 };
  const named = new Map<string, Owner[]>();
  const byId = new Map<string, Owner>();
  for (let offset = 0; ; offset += OWNERS_PER_PAGE) {
    const { items } = await accounts.listOwners(OWNERS_PER_PAGE, offset);
    for (const owner of items) {
      byId.set(owner.id, owner);
      const name = foldName(owner.name);
      named.set(name, [...(named.get(name) ?? []), owner]);
    }
    if (items.length < OWNERS_PER_PAGE) break;
  }
  // Two folders of one name in different spellings are both the owner's.
  const owners = new Map<string, Owner>();
  let [unknown, ambiguous] = [0, 0];
  for (const folder of folders) {
    const found = named.get(foldName(folder)) ?? [];
    const owner = byId.get(folder) ?? (found.length === 1 ? found[0] : undefined);
    if (owner) owners.set(folder, owner);
    else if (found.length > 1) ambiguous++;
    else unknown++;
  }
  return { owners, unknown, ambiguous };
}
