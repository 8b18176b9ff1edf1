import { useEffect, useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { ApiError } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import {
  forgetImport,
  isCutOff,
  rememberImport,
  useImportRun,
  type FollowedImport,
} from '../../data/import-runs.ts';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/calendar.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { useId } from '../../ui/use-id.ts';
import { importCalendarFile } from './snapshot.ts';

type Report = components['schemas']['CalendarImported'];

const MAX_BYTES = 8 * 2 ** 20;
/** The service lists at most as many. */
const MAX_FAULTS = 1_000;

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working'; readonly name: string; readonly key: string }
  | {
      readonly kind: 'refused';
      readonly name: string;
      readonly reason: 'tooLarge' | 'notACalendar';
    }
  | { readonly kind: 'failed'; readonly retry?: () => void; readonly error: unknown }
  | { readonly kind: 'done'; readonly name: string; readonly report: Report };

/** A calendar file comes in: chosen, or dropped on its field. */
export function ImportFile() {
  const { exchangeText: text } = t().calendar;
  const id = useId();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const isWorking = state.kind === 'working';
  const followed = useImportRun('calendar', isWorking ? state.key : undefined);
  useEffect(() => {
    if (!isWorking) return;
    // What is on its way would have to be sent again.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isWorking]);
  const take = async (file: File | undefined) => {
    if (!file || isWorking) return;
    const { name } = file;
    if (file.size > MAX_BYTES) return setState({ kind: 'refused', name, reason: 'tooLarge' });
    const key = crypto.randomUUID();
    rememberImport('calendar', key);
    setState({ kind: 'working', name, key });
    try {
      const report = await importCalendarFile(file, key);
      forgetImport('calendar');
      setState({ kind: 'done', name, report });
      noteChange('calendar');
    } catch (error) {
      if (isCutOff(error)) return setState({ kind: 'idle' });
      forgetImport('calendar');
      setState(failureOf(file, error, () => void take(file)));
    }
  };
  return (
    <div class="import-file">
      <label
        class="drop"
        for={id}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          // The window would take it as a document.
          event.stopPropagation();
          void take(event.dataTransfer?.files[0]);
        }}
      >
        <Icon name="upload" />
        <b>{text.choose}</b>
        <span class="soft">{text.kinds}</span>
        <input
          id={id}
          class="vh"
          type="file"
          accept=".ics,text/calendar"
          disabled={isWorking}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </label>
      {state.kind === 'idle' ? <Earlier followed={followed} /> : <Outcome state={state} />}
    </div>
  );
}

function failureOf({ name }: { readonly name: string }, error: unknown, retry?: () => void): State {
  if (error instanceof ApiError && error.code === 'not_a_calendar')
    return { kind: 'refused', name, reason: 'notACalendar' };
  if (error instanceof ApiError && error.status === 413)
    return { kind: 'refused', name, reason: 'tooLarge' };
  return { kind: 'failed', error, ...(retry && { retry }) };
}

/** An import that was begun before a reload, or in another tab. */
function Earlier({ followed: { run, isLost, dismiss } }: { followed: FollowedImport }) {
  const { exchangeText: text } = t().calendar;
  const [error, setError] = useState<unknown>();
  if (!run && !isLost) return null;
  const name = run?.filename ?? '';
  const state = run?.state ?? 'interrupted';
  const hide = (
    <button type="button" class="act" onClick={() => void dismiss().catch(setError)}>
      {text.hide}
    </button>
  );
  if (state === 'receiving' || state === 'checking' || state === 'running')
    return <Working>{text.importing(name)}</Working>;
  return (
    <>
      {state === 'interrupted' && (
        <div class="note warn" role="alert">
          <Icon name="alert" />
          <p class="grow">{text.interrupted}</p>
          {hide}
        </div>
      )}
      {state === 'failed' && (
        <Outcome state={failureOf({ name }, new ApiError(400, run?.code ?? '', '', ''))} />
      )}
      {run?.calendar && <ReportView name={name} report={run.calendar} />}
      {state !== 'interrupted' && <p class="buttons">{hide}</p>}
      {error !== undefined && <Failed error={error} />}
    </>
  );
}

function Outcome({ state }: { state: State }) {
  const { exchangeText: text } = t().calendar;
  switch (state.kind) {
    case 'idle':
      return null;
    case 'working':
      return <Working>{text.importing(state.name)}</Working>;
    case 'refused':
      return (
        <p class="note bad" role="alert">
          <Icon name="alert" />
          <span>
            <b>
              <bdi>{state.name}</bdi>
            </b>
            : {text[state.reason]}
          </span>
        </p>
      );
    case 'failed':
      return <Failed error={state.error} {...(state.retry && { retry: state.retry })} />;
    case 'done':
      return <ReportView name={state.name} report={state.report} />;
  }
}

/** What came of the file, and what is wrong with it, line by line. */
function ReportView({ name, report }: { name: string; report: Report }) {
  const { calendar } = t();
  const { exchangeText: text } = calendar;
  const { created, updated, skipped, errors } = report;
  return (
    <div class="import-report" role="status">
      <div class={`result${errors.length > 0 ? ' bad' : ''}`}>
        <Icon name={errors.length > 0 ? 'alert' : 'check'} />
        <div>
          <b>
            <bdi>{name}</bdi>
          </b>
          <dl class="counts">
            <Count name={text.created} count={created} />
            <Count name={text.updated} count={updated} />
            <Count name={text.skipped} count={skipped} />
            <Count name={text.faulty} count={errors.length} />
          </dl>
        </div>
        <a class="button small" href={to('/calendar')}>
          {text.back}
        </a>
      </div>
      {errors.length > 0 && (
        <details open={errors.length <= 20}>
          <summary>{text.faults(errors.length)}</summary>
          <div class="faults" tabIndex={0} role="region" aria-label={text.faults(errors.length)}>
            <ol>
              {errors.map(({ line, uid, reason }, nth) => (
                <li key={nth}>
                  <b class="num">{text.line(line)}</b> <span lang="en">{reason}</span>
                  {uid && <small class="mono cut">{uid}</small>}
                </li>
              ))}
            </ol>
          </div>
          {errors.length >= MAX_FAULTS && <p class="soft">{text.firstFaults}</p>}
        </details>
      )}
    </div>
  );
}

const Count = ({ name, count }: { name: string; count: number }) => (
  <div>
    <dt>{name}</dt>
    <dd class="num">{count}</dd>
  </div>
);
