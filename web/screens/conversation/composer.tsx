import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { nameOf } from '../../keys/key-names.tsx';
import type { NamedDocument } from '../../state/ask-about.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Chosen } from './chosen.tsx';

const DocumentChooser = lazily(() => import('./document-chooser.tsx'));

const MAX_MESSAGE_LENGTH = 8_000;

export interface ComposerText {
  readonly label: string;
  readonly placeholder: string;
  /** Of the button, with the name of its key. */
  readonly send: (key: string) => string;
  readonly stop: string;
  /** Of the documents that the message is about. */
  readonly chosen: string;
  readonly noneChosen: string;
  readonly choose: string;
  readonly chooseCount: (count: number) => string;
}

export interface ComposerProps {
  readonly text: ComposerText;
  readonly isFirst: boolean;
  readonly isRunning: boolean;
  readonly about: readonly NamedDocument[];
  /** At the start of the buttons. */
  readonly scope: ComponentChildren;
  readonly onAbout: (documents: readonly NamedDocument[]) => void;
  readonly onSend: (message: string) => void;
  readonly onStop: () => void;
  /** The field, for the key that leads to it. */
  readonly fieldRef: { current: HTMLTextAreaElement | null };
}

/** Where a message is written: Enter sends it, Shift Enter breaks the line. */
export function Composer(props: ComposerProps) {
  const { text, isFirst, isRunning, about, onAbout, onSend, onStop, fieldRef } = props;
  const isChoosing = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const field = fieldRef.current;
    const message = field?.value.trim() ?? '';
    if (!field || message === '' || isRunning) return;
    field.value = '';
    onSend(message);
  };
  // A keyboard on the screen covers nothing of it on a phone only if it does not open by itself.
  useEffect(() => {
    if (isFirst && matchMedia('(hover: hover)').matches) fieldRef.current?.focus();
  }, [isFirst, fieldRef]);
  return (
    <div class="composer">
      <form ref={form} onSubmit={submit}>
        {about.length > 0 && (
          <Chosen label={text.chosen} none={text.noneChosen} documents={about} onChange={onAbout} />
        )}
        <label class="vh" for="say">
          {text.label}
        </label>
        <textarea
          id="say"
          ref={fieldRef}
          dir="auto"
          maxLength={MAX_MESSAGE_LENGTH}
          placeholder={text.placeholder}
          enterkeyhint="send"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            form.current?.requestSubmit();
          }}
        />
        <div class="buttons">
          {props.scope}
          <button
            type="button"
            class="tool"
            aria-label={text.choose}
            title={text.choose}
            onPointerEnter={DocumentChooser.preload}
            onFocus={DocumentChooser.preload}
            onClick={() => (isChoosing.value = true)}
          >
            <Icon name="attach" />
          </button>
          {isRunning ? (
            <button type="button" class="button send" aria-label={text.stop} onClick={onStop}>
              <Icon name="x" />
            </button>
          ) : (
            <button
              type="submit"
              class="button strong send"
              aria-label={text.send(nameOf('Enter'))}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </form>
      {isChoosing.value && (
        <DocumentChooser
          title={text.choose}
          action={text.chooseCount}
          chosen={about}
          onChoose={onAbout}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </div>
  );
}
