import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { noteChange } from '../../../data/live.ts';
import { t } from '../../../i18n/viewer.ts';
import { Failed } from '../../../ui/notice.tsx';
import { Screen } from '../../../ui/screen.tsx';
import type { DocumentText } from '../document.ts';
import { DocumentView } from '../document-view.tsx';
import type { DocumentDetail } from '../kinds.ts';
import { pageKindOf } from '../kinds.ts';
import { createViewState } from '../view-state.ts';
import { useEditActions } from './edit-actions.ts';
import { EditHead, type SaveState } from './edit-head.tsx';
import { Restored, useDraft } from './draft.tsx';
import { useLeaveGuard } from './leave-guard.ts';

interface CorrectProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText;
  /** Why the file itself is not edited. */
  readonly notice?: ComponentChildren;
}

const NO_MARKS = {
  citation: undefined,
  cited: undefined,
  citedPage: undefined,
  marks: [],
  hitCount: 0,
  hit: undefined,
};

/** What was read of a file, to be corrected beside its page. */
export function CorrectReading({ document: shown, reading, notice }: CorrectProps) {
  const { viewer } = t();
  const drafts = useDraft(`reading ${shown.id}`, shown.is_hidden);
  const [draft] = useState(drafts.find);
  const [text, setText] = useState(draft?.text ?? reading.text);
  const [state, setState] = useState<SaveState>(draft ? 'unsaved' : 'clean');
  const [failure, setFailure] = useState<unknown>();
  const view = useMemo(createViewState, []);
  // At once, and not with the next render: effects of an earlier one still run after the first letter.
  const isTyped = useRef(draft !== undefined);
  useEffect(() => {
    if (!isTyped.current) setText(reading.text);
  }, [reading]);
  const params = { path: { object_id: shown.id } };
  /** Whether it is done. */
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setState('saving');
    setFailure(undefined);
    try {
      await work();
      setState('saved');
      isTyped.current = false;
      drafts.drop();
      noteChange('objects');
      return true;
    } catch (cause) {
      setState('unsaved');
      setFailure(cause);
      return false;
    }
  };
  const save = () =>
    run(() =>
      reply(
        api.PUT('/v1/objects/{object_id}/text', {
          params,
          body: { text, base_version: shown.version },
        }),
      ),
    );
  const drop = () => run(() => reply(api.DELETE('/v1/objects/{object_id}/text', { params })));
  useLeaveGuard(state === 'unsaved', { save, discard: drafts.drop }, state === 'saving');
  const discard = (): void => {
    drafts.drop();
    isTyped.current = false;
    setText(reading.text);
    setState('clean');
  };
  useEditActions(shown.id, save);
  const title = viewer.correctTitle(shown.display_name);
  return (
    <Screen
      title={shown.is_hidden ? '' : title}
      head={
        <EditHead
          id={shown.id}
          name={shown.display_name}
          title={title}
          state={state}
          onSave={() => void save()}
        >
          {shown.has_corrections && (
            <button type="button" class="button only-wide" onClick={() => void drop()}>
              {viewer.dropCorrection}
            </button>
          )}
        </EditHead>
      }
    >
      {notice}
      {drafts.isRestored && state === 'unsaved' && <Restored onDiscard={discard} />}
      <p class="note page-note">{viewer.correctHint}</p>
      {failure !== undefined && <Failed error={failure} retry={() => void save()} />}
      <div class={pageKindOf(shown) === 'none' ? 'editor-desk' : 'beside editor-desk'}>
        {pageKindOf(shown) !== 'none' && (
          <DocumentView
            document={shown}
            reading={reading}
            isTextLoading={false}
            state={view}
            marked={NO_MARKS}
            focusKey=""
            onCitation={() => undefined}
          />
        )}
        <textarea
          class="editor"
          aria-label={viewer.text}
          dir="auto"
          lang={reading.language || undefined}
          value={text}
          onInput={({ currentTarget }) => {
            isTyped.current = true;
            setText(currentTarget.value);
            setState('unsaved');
            drafts.keep({ text: currentTarget.value, version: shown.version });
          }}
        />
      </div>
    </Screen>
  );
}
