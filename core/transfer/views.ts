import type { SavedView } from '../../ports/views.ts';
import { MAX_VIEWS, requireViewCapacity } from '../library/index.ts';
import type { Part, Target, TransferStores } from './part.ts';

import { ArchiveFormatError } from './shapes.ts';
import { viewShape } from './view-record.ts';

/** The saved views, in their order. An archive of an earlier version has none. */
export const viewsPart: Part<SavedView> = {
  name: 'views',
  isOfAccount: true,
  async *out({ deps, caller }) {
    const saved = await deps.uow.read(caller.scope, ({ views }) => views.list(MAX_VIEWS));
    for (const view of saved) yield { line: viewShape.write(view), counts: true };
  },
  reader: () => {
    let count = 0;
    return (sent) => {
      const view = viewShape.read(sent, '');
      if (++count > MAX_VIEWS)
        throw new ArchiveFormatError(`it is one view more than ${MAX_VIEWS}`);
      return view;
    };
  },
  needs: () => [],
  atOnce: MAX_VIEWS,
  importRecords: (target, views) =>
    target.write(async (stores) => {
      for (const view of views) await importView(target, stores, view);
    }),
};

/** A view with the same id is preserved, whether or not they are equal. */
async function importView(
  { tallies, moved }: Target,
  { views }: TransferStores,
  view: SavedView,
): Promise<void> {
  if (await views.find(view.id)) {
    tallies.views.unchanged++;
    return;
  }
  await requireViewCapacity(views);
  const { collectionId, themeId } = view.filters;
  const filters = {
    ...view.filters,
    ...(collectionId !== undefined && {
      collectionId: moved.collections.get(collectionId) ?? collectionId,
    }),
    ...(themeId !== undefined && { themeId: moved.themes.get(themeId) ?? themeId }),
  };
  await views.save({ ...view, filters });
  tallies.views.created++;
}
