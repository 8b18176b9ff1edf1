import { useLocation } from 'preact-iso';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/viewer.ts';
import { useActions } from '../../keys/action.ts';
import { InZone } from '../../state/in-zone.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EditHead, type SaveState } from '../viewer/edit/edit-head.tsx';
import { useLeaveGuard } from '../viewer/edit/leave-guard.ts';
import { createNoteWriter } from './note-writer.ts';

/** Typing has to rest for so long before the note is saved. */
const REST_MS = 1_500;

/** A note that is saved as it is typed. */
export default function NewNoteScreen() {
  const { viewer } = t();
  const { query, route } = useLocation();
  const isHidden = useContext(InZone);
  const writer = useMemo(() => createNoteWriter({ folder: query['folder'], isHidden }), []);
  const [text, setText] = useState('');
  const [state, setState] = useState<SaveState>('clean');
  const [failure, setFailure] = useState<unknown>();
  const [id, setId] = useState<string>();
  const current = useRef(text);
  current.current = text;
  const save = async (): Promise<void> => {
    const saved = current.current;
    if (saved.trim() === '') return;
    setState('saving');
    setFailure(undefined);
    try {
      setId(await writer.save(saved));
      setState(current.current === saved ? 'saved' : 'unsaved');
    } catch (cause) {
      setState('unsaved');
      setFailure(cause);
    }
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
      if (!isLocked && current.current.trim() !== '')
        void writer.save(current.current).catch(() => undefined);
    },
    [],
  );
  useLeaveGuard(state === 'unsaved' || state === 'saving');
  const leave = useRef<() => void>(() => undefined);
  leave.current = () => {
    void save().then(() =>
      route(writer.id ? to(`/object/${writer.id}`) : to(isHidden ? '/hidden' : '/library')),
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
