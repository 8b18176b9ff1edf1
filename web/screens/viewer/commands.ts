import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { to } from '../../app/address.ts';
import { folderOf } from '../../data/folders.ts';
import { noteChange } from '../../data/live.ts';
import { messageOf } from '../../i18n/errors.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/viewer.ts';
import { agentGiven } from '../../state/agent-given.ts';
import { askAbout } from '../../state/ask-about.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { toast } from '../../ui/toasts.tsx';
import type { DocumentDetail } from './kinds.ts';
import { makeVersion } from './shown-version.ts';
import { areDetailsOpen, isSheetOpen } from './view-state.ts';
import { onLock } from '../../state/zone-token.ts';

export type ViewerDialog = 'rename' | 'edit-suggestion' | 'move' | 'label';
export const viewerDialog = signal<ViewerDialog | undefined>(undefined);
export const openViewerDialog = (dialog: ViewerDialog): void => void (viewerDialog.value = dialog);

/** Why the last change failed. It is shown above the document. */
export const failure = signal<string | undefined>(undefined);

/** What the owner can do with the document that is shown. */
export interface Commands {
  readonly rename: (name: string) => void;
  readonly move: (folder: string | null) => void;
  readonly label: (labels: readonly string[]) => void;
  readonly answerSuggestion: (accept: boolean) => void;
  readonly trash: () => void;
  readonly restore: () => void;
  readonly readAgain: () => void;
  readonly addVersion: (file: File) => void;
  readonly restoreVersion: (version: number) => void;
  readonly dropCorrection: () => void;
  readonly ask: () => void;
  /** Undefined for what is hidden. */
  readonly give: (() => void) | undefined;
  readonly toggleDetails: () => void;
}

export function commandsFor(shown: DocumentDetail, go: (address: string) => void): Commands {
  const { id } = shown;
  const params = { path: { object_id: id } };
  const { did } = t().library;
  const { viewer } = t();
  const patch = (filename: string) =>
    reply(api.PATCH('/v1/objects/{object_id}', { params, body: { filename } }));
  const put = (folder: string | null) =>
    reply(
      api.PUT('/v1/objects/{object_id}/collection', { params, body: { collection_id: folder } }),
    );
  const categorize = (labels: readonly string[]) =>
    reply(
      api.PUT('/v1/objects/{object_id}/categories', {
        params,
        body: { categories: [...labels] },
      }),
    );
  const remove = () => reply(api.DELETE('/v1/objects/{object_id}', { params }));
  const putBack = () => reply(api.POST('/v1/objects/{object_id}/restore', { params }));

  const { display_name: name, collection_id: folder, categories } = shown;
  return {
    rename: (next) =>
      void change(
        did.rename(isolated(next)),
        () => patch(next),
        () => patch(name),
      ),
    move: (next) => {
      const target = folderOf(next)?.name;
      const label = target === undefined ? did.unfile(1) : did.move(1, isolated(target));
      void change(
        label,
        () => put(next),
        () => put(folder),
      );
    },
    label: (next) =>
      void change(
        did.categorize(1),
        () => categorize(next),
        () => categorize(categories),
      ),
    answerSuggestion: (accept) => {
      const answer = () =>
        reply(api.POST('/v1/objects/{object_id}/suggestion', { params, body: { accept } }));
      const undo = async () => {
        if (shown.suggested_name !== null) await patch(name);
        if (shown.suggested_collection_id !== null) await put(folder);
      };
      if (accept) void change(did.take(1), answer, undo, () => retake(shown, patch, put));
      else void change(did.keepMine(isolated(name)), answer);
    },
    trash: () => void change(did.trash(1), remove, putBack),
    restore: () => void change(did.restore(1), putBack, remove),
    readAgain: () =>
      void change(viewer.readsAgain, () =>
        reply(api.POST('/v1/objects/{object_id}/enrich', { params })),
      ),
    addVersion: (file) => {
      const body = new FormData();
      body.set('base_version', String(shown.version));
      body.set('file', file);
      const upload = () =>
        reply(
          api.POST('/v1/objects/{object_id}/content', {
            params,
            body: body as never,
            bodySerializer: (form: unknown) => form as FormData,
          }),
        );
      void change(
        viewer.versionAdded,
        () => makeVersion(id, upload),
        () => restoreTo(id, shown.version),
      );
    },
    restoreVersion: (version) =>
      void change(
        viewer.versionRestored(version),
        () => restoreTo(id, version),
        () => restoreTo(id, shown.version),
      ),
    dropCorrection: () =>
      void change(viewer.correctionDropped, () =>
        reply(api.DELETE('/v1/objects/{object_id}/text', { params })),
      ),
    give: shown.is_hidden
      ? undefined
      : () => {
          agentGiven.value = [{ id, name }];
          go(to('/agent'));
        },
    ask: () => {
      askAbout.value = { documents: [{ id, name }] };
      go(to('/ask'));
    },
    toggleDetails: () => {
      const isWide = matchMedia('(min-width: 68.75rem)').matches;
      const open = isWide ? areDetailsOpen : isSheetOpen;
      open.value = !open.value;
    },
  };
}

const restoreTo = (id: string, version: number): Promise<unknown> =>
  makeVersion(id, () =>
    reply(
      api.POST('/v1/objects/{object_id}/versions/{version}/restore', {
        params: { path: { object_id: id, version } },
      }),
    ),
  );

/** Does a suggestion again that was undone: the suggestion itself is no longer there. */
async function retake(
  { suggested_name: name, suggested_collection_id: folder }: DocumentDetail,
  patch: (name: string) => Promise<unknown>,
  put: (folder: string | null) => Promise<unknown>,
): Promise<void> {
  if (name !== null) await patch(name);
  if (folder !== null) await put(folder);
}

/** Makes a change, reports it with its undo, and says why if the service refuses it. */
async function change(
  label: string,
  run: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
  redo = run,
): Promise<void> {
  failure.value = undefined;
  const noted = (work: () => Promise<unknown>) => async (): Promise<void> => {
    await work();
    noteChange('objects', 'folders');
  };
  try {
    await asChange(
      noted(run)().then(() =>
        undo ? recordChange({ label, undo: noted(undo), redo: noted(redo) }) : toast(label),
      ),
    );
  } catch (error) {
    failure.value = messageOf(error);
  }
}

onLock(() => {
  viewerDialog.value = undefined;
  failure.value = undefined;
});
