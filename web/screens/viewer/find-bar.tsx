import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/viewer.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ViewState } from './view-state.ts';

/** The field to search in the document. */
export function FindBar({ state, count }: { state: ViewState; count: number }) {
  const { viewer, shell } = t();
  const ref = useRef<HTMLInputElement>(null);
  const opener = useRef(document.activeElement);
  useEffect(() => ref.current?.focus(), []);
  const step = (by: 1 | -1) => {
    if (count > 0) state.hit.value = (state.hit.value + by + count) % count;
  };
  const close = () => {
    state.isFinding.value = false;
    state.query.value = '';
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return (
    <form
      class="find-bar"
      role="search"
      aria-label={viewer.find}
      onSubmit={(event) => {
        event.preventDefault();
        step(1);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
        if (event.key === 'Enter' && event.shiftKey) {
          event.preventDefault();
          step(-1);
        }
      }}
    >
      <Icon name="search" small />
      <input
        ref={ref}
        class="input grow"
        type="text"
        inputmode="search"
        aria-label={viewer.find}
        placeholder={viewer.find}
        autocomplete="off"
        value={state.query.value}
        onInput={({ currentTarget }) => {
          state.query.value = currentTarget.value;
          state.hit.value = 0;
        }}
      />
      <span class="soft num" role="status">
        {state.query.value.trim() !== '' &&
          (count === 0 ? viewer.noHits : viewer.hitOf(state.hit.value + 1, count))}
      </span>
      <button
        type="button"
        class="tool small"
        aria-label={viewer.hitBefore}
        disabled={count === 0}
        onClick={() => step(-1)}
      >
        <Icon name="up" small />
      </button>
      <button
        type="button"
        class="tool small"
        aria-label={viewer.hitAfter}
        disabled={count === 0}
        onClick={() => step(1)}
      >
        <Icon name="down" small />
      </button>
      <button type="button" class="tool small" aria-label={shell.close} onClick={close}>
        <Icon name="x" small />
      </button>
    </form>
  );
}
