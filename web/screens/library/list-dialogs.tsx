import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FolderPicker } from '../../ui/folder-picker.tsx';
import { changeDocuments, commonLabels, labelDocuments } from './changes.ts';
import { closeDialog, openDialog, type OpenDialog } from './dialog-state.ts';
import type { ListModel } from './list-model.ts';
import { problem, reportFailure } from './problem.ts';
import { renameDocument } from './rename.ts';

/** The dialog that is open, if any. */
export default function ListDialogs({ model }: { model: ListModel }) {
  const { value: open } = openDialog;
  switch (open?.kind) {
    case 'move':
      return <MoveDialog model={model} {...open} />;
    case 'label':
      return <LabelDialog model={model} {...open} />;
    case 'rename':
      return <RenameDialog model={model} {...open} />;
    case 'erase':
      return <EraseDialog model={model} {...open} />;
    case 'empty-trash':
      return <EmptyTrashDialog total={model.total.value} />;
    default:
      return null;
  }
}

type Props<K extends OpenDialog['kind']> = { model: ListModel } & Extract<OpenDialog, { kind: K }>;

/** The buttons of a dialog: away from it, and what it is for. */
const Foot = ({ act, isDanger, isOff }: { act: string; isDanger?: boolean; isOff?: boolean }) => (
  <>
    <button type="button" class="button" onClick={closeDialog}>
      {t().shell.cancel}
    </button>
    <button
      type="submit"
      class={`button ${isDanger ? 'danger' : 'strong'}`}
      disabled={isOff ?? false}
    >
      {act}
    </button>
  </>
);

function MoveDialog({ model, selected, count }: Props<'move'>) {
  const { library } = t();
  const [folder, setFolder] = useState<string | null | undefined>(undefined);
  const submit = () => {
    if (folder === undefined) return;
    closeDialog();
    void changeDocuments(model, selected, { action: 'move', collection_id: folder });
  };
  return (
    <Dialog
      title={library.moveTitle(count)}
      onClose={closeDialog}
      onSubmit={submit}
      foot={<Foot act={library.moveHere} isOff={folder === undefined} />}
    >
      <FolderPicker chosen={folder} onChoose={setFolder} />
    </Dialog>
  );
}

function LabelDialog({ model, selected, count, items }: Props<'label'>) {
  const { library } = t();
  const isKnown = 'ids' in selected && items.length === selected.ids.length;
  const [text, setText] = useState(isKnown ? commonLabels(items).join(', ') : '');
  const submit = () => {
    const labels = text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
    closeDialog();
    void labelDocuments(model, selected, items, [...new Set(labels)]);
  };
  return (
    <Dialog
      title={library.labelTitle(count)}
      onClose={closeDialog}
      onSubmit={submit}
      foot={<Foot act={library.save} />}
    >
      <div class="field">
        <label for="labels">{library.labels}</label>
        <input
          id="labels"
          class="input"
          autocomplete="off"
          maxLength={1_000}
          autofocus
          value={text}
          aria-describedby="labels-hint"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span id="labels-hint" class="hint">
          {library.labelsHint} {count > 1 && (isKnown ? library.labelsStay : library.labelsReplace)}
        </span>
      </div>
    </Dialog>
  );
}

function RenameDialog({ model, item }: Props<'rename'>) {
  const { library } = t();
  const [name, setName] = useState(item.display_name);
  const submit = () => {
    closeDialog();
    if (name.trim() && name !== item.display_name) void renameDocument(model, item, name.trim());
  };
  return (
    <Dialog
      title={library.actions.rename}
      onClose={closeDialog}
      onSubmit={submit}
      foot={<Foot act={library.save} isOff={!name.trim()} />}
    >
      <div class="field">
        <label for="new-name">{library.name}</label>
        <input
          id="new-name"
          class="input"
          autocomplete="off"
          maxLength={255}
          dir="auto"
          autofocus
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
    </Dialog>
  );
}

function EraseDialog({ model, selected, count }: Props<'erase'>) {
  const { library } = t();
  const submit = () => {
    closeDialog();
    void changeDocuments(model, selected, { action: 'delete' });
  };
  return (
    <Dialog
      title={library.eraseTitle(count)}
      onClose={closeDialog}
      onSubmit={submit}
      foot={<Foot act={library.eraseNow(count)} isDanger />}
    >
      <p>{library.eraseHint}</p>
    </Dialog>
  );
}

function EmptyTrashDialog({ total }: { total: number }) {
  const { library } = t();
  const submit = async () => {
    closeDialog();
    problem.value = undefined;
    try {
      await reply(api.DELETE('/v1/objects/trash'));
    } catch (error) {
      reportFailure(error);
    }
    noteChange('objects');
  };
  return (
    <Dialog
      title={library.emptyTrash}
      onClose={closeDialog}
      onSubmit={() => void submit()}
      foot={<Foot act={library.eraseNow(total)} isDanger />}
    >
      <p>{library.eraseHint}</p>
    </Dialog>
  );
}
