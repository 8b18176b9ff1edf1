import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/shares.ts';
import { asChange, recordChange } from '../../state/undo.ts';

/** Takes a document out of the folder that is about to be shared. It is in no folder then. */
export async function takeOut(id: string, folder: string): Promise<void> {
  const put = async (target: string | null): Promise<void> => {
    await reply(
      api.PUT('/v1/objects/{object_id}/collection', {
        params: { path: { object_id: id } },
        body: { collection_id: target },
      }),
    );
    noteChange('objects', 'folders');
  };
  await asChange(put(null));
  recordChange({
    label: t().library.did.unfile(1),
    undo: () => put(folder),
    redo: () => put(null),
  });
}
