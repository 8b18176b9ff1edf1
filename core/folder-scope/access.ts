import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { boundToFolders } from './errors.ts';

/**
 * `any`: for a caller that is bound to folders it works within them, or it has no caller. `whole`: it concerns the
 * account, other folders, or folders and themes themselves, so a bound caller gets `forbidden`.
 */
export type FolderAccess = 'any' | 'whole';

type UseCases = Readonly<Record<string, (...args: never[]) => unknown>>;
type AccessOf<M> = 'whole' | { readonly [U in keyof M]: FolderAccess };

/** The decision for every use case. It does not compile without one for a new use case, unless its module is `whole`. */
export type FolderAccessTable<Core> = { readonly [M in keyof Core]: AccessOf<Core[M]> };

/** The use cases of a core, of which those that need the whole workspace reject a bound caller, their first argument. */
export function rejectBoundCallers<Core extends object>(
  access: FolderAccessTable<NoInfer<Core>>,
  core: Core,
): Core {
  const decided = new Map<string, AccessOf<UseCases>>(Object.entries(access));
  const modules = Object.entries(core as Readonly<Record<string, UseCases>>).map(
    ([name, useCases]) => [name, guardModule(decided.get(name) ?? 'whole', useCases)] as const,
  );
  return Object.fromEntries(modules) as Core;
}

function guardModule(access: AccessOf<UseCases>, useCases: UseCases): UseCases {
  const decided = new Map(access === 'whole' ? [] : Object.entries(access));
  const guarded = Object.entries(useCases).map(
    ([name, run]) => [name, decided.get(name) === 'any' ? run : guard(run)] as const,
  );
  return Object.fromEntries(guarded);
}

const guard =
  (run: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    const [caller] = args as readonly { readonly scope?: OwnerScope }[];
    return caller?.scope?.folderIds ? Promise.reject(boundToFolders()) : run(...args);
  };
