import { t } from '../../../i18n/picture.ts';
import { to } from '../../../app/address.ts';
import { Empty, Working } from '../../../ui/notice.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { EditHead } from '../edit/edit-head.tsx';
import { isEditablePicture, type DocumentDetail } from '../kinds.ts';
import { useEditing } from './use-editing.ts';
import { ProgressNote } from './progress-note.tsx';
import { Stage } from './stage.tsx';
import { Tools } from './tools.tsx';

/** Turns, mirrors, crops, resizes and compresses a picture, with a preview. Each step is a version. */
export default function PictureScreen({ document: shown }: { document: DocumentDetail }) {
  const { picture: texts } = t();
  if (isEditablePicture(shown)) return <Editor document={shown} />;
  return (
    <Screen title={texts.title}>
      <Empty title={texts.notEditable}>
        <a class="button" href={to(`/object/${shown.id}`)}>
          {texts.toDocument}
        </a>
      </Empty>
    </Screen>
  );
}

function Editor({ document: newest }: { document: DocumentDetail }) {
  const { picture: texts } = t();
  const editing = useEditing(newest);
  const { shown, source, draft, tasks, notes } = editing;
  const isReady = typeof source === 'object';
  const title = texts.titleOf(newest.display_name);
  return (
    <Screen
      title={newest.is_hidden ? '' : title}
      sheet="keep"
      head={
        <EditHead id={newest.id} name={newest.display_name} title={title}>
          <div class="segmented" role="group" aria-label={texts.show}>
            {([true, false] as const).map((isBefore) => (
              <button
                key={String(isBefore)}
                type="button"
                aria-pressed={editing.isBefore === isBefore}
                onClick={() => editing.showBefore(isBefore)}
              >
                {isBefore ? texts.before : texts.after}
              </button>
            ))}
          </div>
        </EditHead>
      }
      panel={
        isReady && (
          <Tools
            draft={draft}
            natural={source}
            mime={shown.mime}
            bytes={shown.size}
            encodedBytes={editing.encodedBytes}
            version={shown.version}
            isCropping={editing.isCropping}
            isBusy={editing.isBusy}
            onDraft={editing.setDraft}
            onCropping={editing.setCropping}
            onSave={editing.save}
          />
        )
      }
    >
      {tasks.length > 0 && <ProgressNote progress={editing.progress} count={tasks.length} />}
      {notes.map(({ text, isBad }) => (
        <p key={text} class={`note page-note ${isBad ? 'bad' : 'calm'}`} role="alert">
          {text}
        </p>
      ))}
      {source === 'loading' && (
        <div class="picture-stage">
          <Working>{texts.loading}</Working>
        </div>
      )}
      {source === 'failed' && <Empty title={texts.notShown} />}
      {isReady && (
        <Stage
          source={source}
          mime={shown.mime}
          draft={draft}
          isBefore={editing.isBefore}
          isCropping={editing.isCropping}
          onCrop={editing.crop}
          onEncoded={editing.setEncodedBytes}
        />
      )}
    </Screen>
  );
}
