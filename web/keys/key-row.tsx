import { useLayoutEffect, useState } from 'preact/hooks';
import { messageOf } from '../i18n/errors.ts';
import { t } from '../i18n/own-keys.ts';
import { ownKeys } from '../state/preferences.ts';
import type { Action } from './action.ts';
import { beginsSequence, canChangeKey, changeKey, userOf } from './change-key.ts';
import { KeyNames } from './key-names.tsx';
import { keyOf } from './keyboard.ts';
import { isSingleKey } from './single-key.ts';

/** What an action does, its keys, and a way to give it another one. */
export function KeyRow({ action }: { action: Action }) {
  const { ownKeys: text } = t();
  const { id, label, keys = [] } = action;
  const [isRecording, setRecording] = useState(false);
  const [problem, setProblem] = useState('');
  const save = async (key: string | undefined) => {
    setRecording(false);
    setProblem('');
    try {
      const user = key === undefined ? undefined : await userOf(key, id);
      if (user) setProblem(text.usedBy(user.action.label(), user.screen));
      else await changeKey(id, key);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <div>
      <dt class="grow">{label()}</dt>
      <dd>
        {isRecording ? (
          <Recorder onEnd={() => setRecording(false)} onKey={(key) => void save(key)} />
        ) : (
          <KeyNames keys={keys} />
        )}
        {canChangeKey(action) && !isRecording && (
          <button
            type="button"
            class="act"
            aria-label={text.changeOf(label())}
            onClick={() => setRecording(true)}
          >
            {text.change}
          </button>
        )}
        {ownKeys.value.has(id) && !isRecording && (
          <button
            type="button"
            class="act"
            aria-label={text.resetOf(label())}
            onClick={() => void save(undefined)}
          >
            {text.reset}
          </button>
        )}
        {problem !== '' && (
          <p class="bad-count" role="alert">
            {problem}
          </p>
        )}
      </dd>
    </div>
  );
}

interface RecorderProps {
  readonly onKey: (key: string) => void;
  readonly onEnd: () => void;
}

/** Takes the next key, or the next two. Escape leaves it as it was. */
function Recorder({ onKey, onEnd }: RecorderProps) {
  const { ownKeys: text } = t();
  const [first, setFirst] = useState('');
  // From the first frame on: the key is pressed as soon as the row says so.
  useLayoutEffect(() => {
    // The second key may come before the first is shown.
    let before = '';
    const take = (event: KeyboardEvent) => {
      if (event.isComposing || event.key === 'Shift') return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape' || event.key === 'Tab') return onEnd();
      const key = keyOf(event);
      if (!isSingleKey(key)) return;
      if (before === '' && beginsSequence(key)) setFirst((before = key));
      else onKey(before === '' ? key : `${before} ${key}`);
    };
    document.addEventListener('keydown', take, { capture: true });
    return () => document.removeEventListener('keydown', take, { capture: true });
  }, []);
  return (
    <span class="soft" role="status">
      {first === '' ? text.press : text.pressNext(first)}
    </span>
  );
}
