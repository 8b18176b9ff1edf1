import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../api/errors.ts';
import { noteChange } from '../../../data/live.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/viewer.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { isMarkdown, type DocumentDetail } from '../kinds.ts';
import { Markdown } from '../text/markdown.tsx';
import { makeVersion } from '../shown-version.ts';
import { MarkedTextContext } from '../text/run.tsx';
import { Conflict } from './conflict.tsx';
import { useEditActions } from './edit-actions.ts';
import { EditHead, type SaveState } from './edit-head.tsx';
import { Restored, contentDraft, useDraft } from './draft.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import { loadContent, saveContent, type EditedText } from './save-content.ts';

interface EditTextProps {
  readonly document: DocumentDetail;
  /** Why it is edited as text. */
  readonly notice?: ComponentChildren;
}

/** A note or a text file: written, previewed and saved as a new version. */
export function EditText({ document: shown, notice }: EditTextProps) {
  const { id } = shown;
  const { viewer } = t();
  const { data, error, reload } = useResource(`edit ${id}`, (signal) => loadContent(id, signal));
  const [text, setText] = useState<string>();
  const [state, setState] = useState<SaveState>('clean');
  const [failure, setFailure] = useState<unknown>();
  const [theirs, setTheirs] = useState<EditedText>();
  const [isPreviewed, setPreviewed] = useState(false);
  const base = useRef(0);
  const drafts = useDraft(contentDraft(id), shown.is_hidden);
  useEffect(() => {
    if (!data) return;
    const found = drafts.find();
    const draft = found?.text === data.text ? undefined : found;
    base.current = draft?.version ?? data.version;
    setText(draft?.text ?? data.text);
    if (draft) setState('unsaved');
  }, [data]);
  /** Whether it is saved. */
  const save = async (content = text): Promise<boolean> => {
    if (content === undefined) return false;
    setState('saving');
    setFailure(undefined);
    try {
      // Also if the editor is left before the document has been read again.
      const saved = await makeVersion(id, () =>
        saveContent(id, { text: content, version: base.current }),
      );
      base.current = saved.version;
      setTheirs(undefined);
      setState('saved');
      drafts.drop();
      noteChange('objects');
      return true;
    } catch (cause) {
      setState('unsaved');
      if (cause instanceof ApiError && cause.code === 'version_conflict')
        setTheirs(await loadContent(id, new AbortController().signal));
      else setFailure(cause);
      return false;
    }
  };
  useLeaveGuard(state === 'unsaved', { save, discard: drafts.drop }, state === 'saving');
  useEditActions(id, save);
  const resolve = (choice: 'yours' | 'theirs'): void => {
    if (!theirs) return;
    base.current = theirs.version;
    if (choice === 'yours') void save();
    else {
      setText(theirs.text);
      setTheirs(undefined);
      setState('saved');
      drafts.drop();
    }
  };
  const discard = (): void => {
    drafts.drop();
    setTheirs(undefined);
    setState('clean');
    reload();
  };
  const title = shown.is_hidden ? '' : viewer.editing(shown.display_name);
  return (
    <Screen
      title={title}
      head={
        <EditHead
          id={id}
          name={shown.display_name}
          title={viewer.editing(shown.display_name)}
          state={state}
          onSave={() => void save()}
        >
          {isMarkdown(shown) && (
            <button
              type="button"
              class="button only-wide"
              aria-pressed={isPreviewed}
              onClick={() => setPreviewed(!isPreviewed)}
            >
              {viewer.preview}
            </button>
          )}
        </EditHead>
      }
    >
      {notice}
      {drafts.isRestored && state === 'unsaved' && <Restored onDiscard={discard} />}
      {error !== undefined && <Failed error={error} retry={reload} />}
      {failure !== undefined && <Failed error={failure} retry={() => void save()} />}
      {text === undefined && error === undefined && <Working>{viewer.loadingText}</Working>}
      {text !== undefined && theirs && (
        <Conflict yours={text} theirs={theirs.text} onChoose={resolve} />
      )}
      {text !== undefined && !theirs && (
        <div class={isPreviewed ? 'beside editor-desk' : 'editor-desk'}>
          <textarea
            class="editor"
            aria-label={viewer.content}
            dir="auto"
            spellcheck
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setState('unsaved');
              drafts.keep({ text: currentTarget.value, version: base.current });
            }}
          />
          {isPreviewed && <Preview text={text} />}
        </div>
      )}
    </Screen>
  );
}

export function Preview({ text }: { text: string }) {
  const marked = useMemo(() => ({ text, marks: [] }), [text]);
  return (
    <div class="scroll desk text-desk" tabIndex={0} role="region" aria-label={t().viewer.preview}>
      <article class="paper text-paper">
        <MarkedTextContext.Provider value={marked}>
          <Markdown text={text} />
        </MarkedTextContext.Provider>
      </article>
    </div>
  );
}
