import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/language.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { watchForLock } from '../../state/zone-token.ts';
import type { ListModel } from './list-model.ts';
import { problem, reportFailure } from './problem.ts';

export async function rename(id: string, filename: string): Promise<void> {
  await reply(
    api.PATCH('/v1/objects/{object_id}', {
      params: { path: { object_id: id } },
      body: { filename },
    }),
  );
  noteChange('objects');
}

/** Renames a document at once, and takes it back with the reason if the service refuses it. */
export const renameDocument = (...named: Parameters<typeof makeName>): Promise<void> =>
  asChange(makeName(...named));

async function makeName({ list }: ListModel, item: ObjectItem, name: string): Promise<void> {
  const { id, display_name: before } = item;
  const show = (shown: string) =>
    list.change((each) => (each.id === id ? { ...each, display_name: shown } : each));
  problem.value = undefined;
  const hasLocked = watchForLock();
  show(name);
  try {
    await rename(id, name);
    if (hasLocked()) return;
    recordChange({
      label: t().library.did.rename(isolated(name)),
      undo: () => rename(id, before),
      redo: () => rename(id, name),
    });
  } catch (error) {
    if (hasLocked()) return;
    show(before);
    reportFailure(error);
  }
}
