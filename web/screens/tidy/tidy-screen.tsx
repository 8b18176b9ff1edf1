import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/errors.ts';
import { ROOT, to } from '../../app/address.ts';
import { noteChange } from '../../data/live.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/tidy.ts';
import { recordChange } from '../../state/undo.ts';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import {
  applyPlan,
  readPlan,
  readRuns,
  startPlan,
  undoRun,
  whenDone,
  type Plan,
  type RunCard,
} from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { RunsPanel } from './runs-panel.tsx';

type Scope = Exclude<RunCard['scope'], 'upload'>;

/** Puts documents into folders: a plan first, which is applied as it is shown. */
export default function TidyScreen() {
  const { tidy } = t();
  const { path, route } = useLocation();
  const task = path.slice(ROOT.length).split('/')[2];
  const runs = useResource('runs', readRuns, ['objects', 'tasks']);
  const run = runs.data?.find(({ task_id: id }) => id === task);
  const [chosen, setChosen] = useState<Scope>('uncategorized');
  const [error, setError] = useState<unknown>();
  const scope = !run || run.scope === 'upload' ? chosen : run.scope;
  const start = async (wanted: Scope) => {
    setChosen(wanted);
    setError(undefined);
    try {
      const id = await startPlan(wanted);
      noteChange('tasks');
      route(to(`/tidy/${id}`));
    } catch (cause) {
      const isRunning = cause instanceof ApiError && cause.code === 'already_running';
      const running = isRunning && (await readRuns()).find(({ done }) => !done);
      if (running) route(to(`/tidy/${running.task_id}`));
      else setError(cause);
    }
  };
  const isPlan = run?.dry_run === true;
  return (
    <Screen
      title={tidy.title}
      detail={isPlan ? tidy.isPlan : ''}
      sheet="keep slim-panel"
      panel={<RunsPanel runs={runs.data ?? []} />}
      end={
        <div class="segmented" role="group" aria-label={tidy.scope}>
          {(['uncategorized', 'all'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={scope === each}
              onClick={() => (task ? void start(each) : setChosen(each))}
            >
              {tidy.scopes[each]}
            </button>
          ))}
        </div>
      }
    >
      {error !== undefined && (
        <div class="list-note">
          <Failed error={error} retry={() => void start(scope)} />
        </div>
      )}
      {task ? (
        <Task key={task} id={task} again={() => void start(scope)} />
      ) : (
        <div class="scroll">
          <Empty title={tidy.title}>
            <p>{tidy.intro}</p>
            <button type="button" class="button strong" onClick={() => void start(scope)}>
              {tidy.start}
            </button>
          </Empty>
        </div>
      )}
    </Screen>
  );
}

type Shown =
  | { readonly kind: 'working'; readonly text: string }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'done'; readonly moved: number; readonly skipped: number }
  | { readonly kind: 'failed'; readonly error?: unknown };

/** A run: while it looks, its plan, while it moves, and what it moved. */
function Task({ id, again }: { id: string; again: () => void }) {
  const { tidy } = t();
  const { route } = useLocation();
  const [shown, setShown] = useState<Shown>({ kind: 'working', text: tidy.looking(0, 0) });
  const [applied, setApplied] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    follow(id, signal, setShown, applied > 0).catch((error: unknown) => {
      if (!signal.aborted) setShown({ kind: 'failed', error });
    });
    return () => controller.abort();
  }, [id, applied]);
  const apply = async (except: readonly string[], rename: ReadonlyMap<string, string>) => {
    setShown({ kind: 'working', text: tidy.moving(0, 0) });
    try {
      await applyPlan(id, except, rename);
      setApplied(applied + 1);
    } catch (error) {
      setShown({ kind: 'failed', error });
    }
  };
  const buttons = (
    <div class="buttons">
      <button type="button" class="button" onClick={again}>
        {tidy.again}
      </button>
      <a class="button strong" href={to('/library')}>
        {tidy.toLibrary}
      </a>
    </div>
  );
  switch (shown.kind) {
    case 'working':
      return (
        <div class="scroll plan-line">
          <Working>{shown.text}</Working>
        </div>
      );
    case 'failed':
      return (
        <div class="list-note">
          {shown.error === undefined ? (
            <p class="note bad" role="alert">
              {tidy.failed}
            </p>
          ) : (
            <Failed error={shown.error} retry={() => setApplied(applied + 1)} />
          )}
        </div>
      );
    case 'done':
      return (
        <div class="scroll">
          <Empty title={tidy.moved(shown.moved)}>
            {shown.skipped > 0 && <p>{tidy.skipped(shown.skipped)}</p>}
            {buttons}
          </Empty>
        </div>
      );
    case 'plan':
      if (shown.plan.groups.length === 0)
        return (
          <div class="scroll">
            <Empty title={tidy.nothing}>{buttons}</Empty>
          </div>
        );
      return (
        <PlanView
          plan={shown.plan}
          onApply={(except, rename) => void apply(except, rename)}
          onDiscard={() => route(to('/tidy'))}
        />
      );
  }
}

/** Shows a run until it has ended. One that moved documents while it was followed is reported with its undo. */
async function follow(
  id: string,
  signal: AbortSignal,
  show: (shown: Shown) => void,
  isApplied: boolean,
): Promise<void> {
  const { tidy } = t();
  const card = (await readRuns(signal)).find(({ task_id: each }) => each === id);
  const wasRunning = card?.done === false;
  const done = await whenDone(id, signal, ({ processed, total }) => {
    if (wasRunning)
      show({
        kind: 'working',
        text: card.dry_run ? tidy.looking(processed, total) : tidy.moving(processed, total),
      });
  });
  if (done.state === 'FAILURE') show({ kind: 'failed' });
  else if (card?.dry_run) show({ kind: 'plan', plan: await readPlan(id, signal) });
  else {
    show({ kind: 'done', moved: done.moved, skipped: done.skipped });
    if (!wasRunning && !isApplied) return;
    recordChange({
      label: tidy.moved(done.moved),
      undo: async () => {
        await undoRun(id);
        noteChange('objects', 'folders');
      },
    });
    noteChange('objects', 'folders');
  }
}
