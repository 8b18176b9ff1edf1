import { useState } from 'preact/hooks';
import { t } from '../../i18n/viewer.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FolderPicker } from '../../ui/folder-picker.tsx';
import { viewerDialog, type Commands } from './commands.ts';
import type { DocumentDetail } from './kinds.ts';

interface DialogProps {
  readonly document: DocumentDetail;
  readonly commands: Commands;
}

const close = (): void => void (viewerDialog.value = undefined);

/** The dialog that is open, if any. */
export default function ViewerDialogs(props: DialogProps) {
  switch (viewerDialog.value) {
    case 'rename':
      return <RenameDialog {...props} proposed={props.document.display_name} />;
    case 'edit-suggestion':
      return (
        <RenameDialog
          {...props}
          proposed={props.document.suggested_name ?? props.document.display_name}
        />
      );
    case 'move':
      return <MoveDialog {...props} />;
    case 'label':
      return <LabelDialog {...props} />;
    default:
      return null;
  }
}

const Foot = ({ act, isOff = false }: { act: string; isOff?: boolean }) => (
  <>
    <button type="button" class="button" onClick={close}>
      {t().shell.cancel}
    </button>
    <button type="submit" class="button strong" disabled={isOff}>
      {act}
    </button>
  </>
);

function RenameDialog({ document: shown, commands, proposed }: DialogProps & { proposed: string }) {
  const { library, viewer } = t();
  const [name, setName] = useState(proposed);
  const submit = () => {
    const wanted = name.trim();
    if (!wanted) return;
    close();
    if (wanted !== shown.display_name) commands.rename(wanted);
  };
  return (
    <Dialog
      title={viewer.actions.rename}
      onClose={close}
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

function MoveDialog({ document: shown, commands }: DialogProps) {
  const { library, viewer } = t();
  const [folder, setFolder] = useState<string | null>(shown.collection_id);
  const submit = () => {
    close();
    if (folder !== shown.collection_id) commands.move(folder);
  };
  return (
    <Dialog
      title={viewer.actions.move}
      onClose={close}
      onSubmit={submit}
      foot={<Foot act={library.moveHere} />}
    >
      <FolderPicker chosen={folder} onChoose={setFolder} />
    </Dialog>
  );
}

function LabelDialog({ document: shown, commands }: DialogProps) {
  const { library, viewer } = t();
  const [text, setText] = useState(shown.categories.join(', '));
  const submit = () => {
    const labels = text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
    close();
    commands.label([...new Set(labels)]);
  };
  return (
    <Dialog
      title={viewer.actions.label}
      onClose={close}
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
          {library.labelsHint}
        </span>
      </div>
    </Dialog>
  );
}
