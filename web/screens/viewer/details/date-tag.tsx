import { useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Failed } from '../../../ui/notice.tsx';
import type { MadeEvent } from '../../calendar/make-event.ts';
import type { DocumentText } from '../document.ts';
import type { DocumentDetail } from '../kinds.ts';

interface DateTagProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly value: string;
  readonly onFind: (words: string) => void;
}

type State =
  'none' | 'working' | 'noDay' | { readonly made: MadeEvent } | { readonly error: unknown };

/** A date that was found: a press searches for it, another makes an event of it. Hidden documents make none. */
export function DateTag({ document: shown, reading, value, onFind }: DateTagProps) {
  const { viewer } = t();
  const [state, setState] = useState<State>('none');
  const make = async () => {
    if (state === 'working') return;
    setState('working');
    try {
      const { makeEvent } = await import('../../calendar/make-event.ts');
      const made = await makeEvent(shown, reading, value);
      setState(made ? { made } : 'noDay');
    } catch (error) {
      setState({ error });
    }
  };
  const isMade = typeof state === 'object' && 'made' in state;
  return (
    <>
      <span class="date">
        <button type="button" class="tag num" onClick={() => onFind(value)}>
          <bdi class="cut">{value}</bdi>
        </button>
        {!shown.is_hidden && shown.deleted_at === null && !isMade && (
          <button
            type="button"
            class="tool small"
            aria-label={viewer.makeEvent(value)}
            title={viewer.makeEvent(value)}
            onClick={() => void make()}
          >
            <Icon name="calendar" small />
          </button>
        )}
      </span>
      {isMade && (
        <a class="act" href={state.made.address}>
          {viewer.inCalendar(state.made.day)}
        </a>
      )}
      {state === 'noDay' && (
        <p class="soft" role="status">
          {viewer.noDayInIt}
        </p>
      )}
      {typeof state === 'object' && 'error' in state && <Failed error={state.error} />}
    </>
  );
}
