import { useLocation } from 'preact-iso';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/viewer.ts';
import { useActions } from '../../keys/action.ts';
import { keepDraft } from '../../state/drafts.ts';
import { InZone } from '../../state/in-zone.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { contentDraft, useDraft } from '../viewer/edit/draft.tsx';
import { EditHead, type SaveState } from '../viewer/edit/edit-head.tsx';
import { useLeaveGuard } from '../viewer/edit/leave-guard.ts';
import { createNoteWriter } from './note-writer.ts';

/** Typing has to rest for so long before the note is saved. */
const REST_MS = 1_500;
const NEW_NOTE = 'new note';

/** A note that is saved as it is typed. */
export default function NewNoteScreen() {
  const { viewer } = t();
  const { query, route } = useLocation();
  const isHidden = useContext(InZone);
  const writer = useMemo(() => createNoteWriter({ folder: query['folder'], isHidden }), []);
  const drafts = useDraft(NEW_NOTE, isHidden);
  const [draft] = useState(drafts.find);
  const [text, setText] = useState(draft?.text ?? '');
  const [state, setState] = useState<SaveState>(draft ? 'unsaved' : 'clean');
  const [failure, setFailure] = useState<unknown>();
  const [id, setId] = useState<string>();
  const current = useRef(text);
  current.current = text;
  /** Whether it is saved. */
  const save = async (): Promise<boolean> => {
    const saved = current.current;
    if (saved.trim() === '') return true;
    setState('saving');
    setFailure(undefined);
    try {
      setId(await writer.save(saved));
      setState(current.current === saved ? 'saved' : 'unsaved');
      drafts.drop();
      return true;
    } catch (cause) {
      setState('unsaved');
      setFailure(cause);
      return false;
    }
  };
  const isDiscarded = useRef(false);
  /** The screen is gone: what can not be saved is kept for the next note. */
  const saveBehind = (left: string): void => {
    writer.save(left).then(drafts.drop, () => {
      if (isHidden) return toast(t().viewer.noteNotSaved);
      const { note } = writer;
      if (note) keepDraft(contentDraft(note.id), { text: left, version: note.version });
      else drafts.keep({ text: left, version: 0 });
      toast(t().viewer.noteKept);
    });
  };
  useEffect(() => {
    if (text.trim() === '') return;
    const timer = setTimeout(() => void save(), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(
    () => () => {
      // Leaving the screen does not lose what was typed last. When the zone locks nothing of it is sent any more.
      const isLocked = isHidden && whileUnlocked() === undefined;
      if (!isLocked && !isDiscarded.current && current.current.trim() !== '')
        saveBehind(current.current);
    },
    [],
  );
  // It is saved as it is left. Only if that has failed before does the owner decide.
  useLeaveGuard(
    failure !== undefined && state === 'unsaved',
    {
      save,
      discard: () => {
        isDiscarded.current = true;
        drafts.drop();
      },
    },
    state === 'unsaved' || state === 'saving',
  );
  const leave = useRef<() => void>(() => undefined);
  leave.current = () => {
    void save().then(() =>
      route(writer.note ? to(`/object/${writer.note.id}`) : to(isHidden ? '/hidden' : '/library')),
    );
  };
  useActions(
    useMemo(
      () => [
        {
          id: 'save',
          group: 'document' as const,
          label: () => t().viewer.openNote,
          keys: ['Ctrl+Enter'],
          inFields: true as const,
          run: () => leave.current(),
        },
      ],
      [],
    ),
  );
  return (
    <Screen
      title={viewer.newNote}
      head={
        <EditHead
          id={id}
          name={id === undefined ? t().shell.places.library : viewer.openNote}
          title={viewer.newNote}
          state={state}
          onSave={() => void save()}
        />
      }
    >
      {failure !== undefined && <Failed error={failure} retry={() => void save()} />}
      <p class="note page-note">{viewer.noteHint}</p>
      <div class="editor-desk">
        <textarea
          class="editor"
          aria-label={viewer.content}
          dir="auto"
          spellcheck
          autofocus
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setState('unsaved');
          }}
        />
      </div>
    </Screen>
  );
}
