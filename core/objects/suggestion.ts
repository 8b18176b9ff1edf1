import type { StoredObject } from '../../ports/objects.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { nothingSuggested } from './errors.ts';
import { findEditable, viewOf, type ObjectView } from './view.ts';

export interface SuggestionDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'enrichments' | 'search' | 'pinLock'>;
  readonly clock: Clock;
}

/**
 * Accepts or dismisses the suggestion for an object: its name or its folder. Accepting the name does not disable
 * automatic renaming. In both cases the generated name remains in `aiName`, so that processing the same content again
 * does not suggest it once more. `folderAnswered` has the same purpose for the folder.
 */
export async function resolveSuggestion(
  deps: SuggestionDeps,
  caller: Caller,
  id: string,
  accept: boolean,
): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    const { suggestedName, suggestedCollectionId } = object;
    if (suggestedName === null && suggestedCollectionId === null) throw nothingSuggested();
    // The folder may have been deleted since. Then the suggestion cannot be accepted.
    const folder =
      accept && suggestedCollectionId !== null
        ? await stores.collections.find(suggestedCollectionId)
        : undefined;
    const answered: StoredObject = {
      ...object,
      ...(suggestedName !== null && { aiName: suggestedName }),
      ...(accept && suggestedName !== null && { filename: suggestedName, nameSource: 'ai' }),
      ...(folder && { collectionId: folder.id }),
      suggestedName: null,
      suggestedReason: null,
      suggestedCollectionId: null,
      folderAnswered: object.folderAnswered || (accept ? !!folder : suggestedCollectionId !== null),
      updatedAt: deps.clock.now(),
    };
    await stores.objects.save(answered);
    await indexObjectMetadata(stores.search, answered, object);
    return viewOf(stores, answered);
  });
}
