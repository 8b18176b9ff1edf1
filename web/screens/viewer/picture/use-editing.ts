import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../api/errors.ts';
import { to } from '../../../app/address.ts';
import { noteChange } from '../../../data/live.ts';
import { t } from '../../../i18n/picture.ts';
import { useActions } from '../../../keys/action.ts';
import { recordChange } from '../../../state/undo.ts';
import { useLeaveGuard } from '../edit/leave-guard.ts';
import type { DocumentDetail } from '../kinds.ts';
import { EMPTY, isEmpty, stepsOf, type Box, type Draft } from './draft.ts';
import { pictureActions } from './picture-actions.ts';
import { reasonText, refusalText } from './reasons.ts';
import { restoreTo, startSteps, type StepStatus } from './steps.ts';
import { useProgress } from './use-progress.ts';
import { useSource } from './use-source.ts';

export interface Note {
  readonly text: string;
  readonly isBad: boolean;
}

const MAX_TASKS = 8;
const TASKS = /^[0-9a-f-]{36}$/;

/** The operations that run are in the address, so that a reload goes on showing them. It has ids only. */
function useRunning(id: string) {
  const { query, route } = useLocation();
  const asked = query['tasks'] ?? '';
  const tasks = useMemo(
    () =>
      asked
        .split(',')
        .filter((each) => TASKS.test(each))
        .slice(0, MAX_TASKS),
    [asked],
  );
  const base = Number(query['base']);
  const path = to(`/object/${id}/picture`);
  return {
    tasks,
    /** The version before the first of them; undefined if the address does not say. */
    base: Number.isSafeInteger(base) && base > 0 ? base : undefined,
    show: (running: readonly string[], version: number) =>
      route(`${path}?tasks=${running.join(',')}&base=${version}`, true),
    clear: () => route(path, true),
    leave: () => route(to(`/object/${id}`)),
  };
}

/** What the editor of a picture shows and does. */
export function useEditing(newest: DocumentDetail) {
  const { id } = newest;
  const running = useRunning(id);
  const { tasks } = running;
  const [isStarting, setStarting] = useState(false);
  const isBusy = isStarting || tasks.length > 0;
  // Versions between the first step and the last one are not shown.
  const held = useRef(newest);
  if (!isBusy) held.current = newest;
  const { current: shown } = held;
  const source = useSource(shown);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [isCropping, setCropping] = useState(false);
  const [isBefore, showBefore] = useState(false);
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const [encodedBytes, setEncodedBytes] = useState<number>();
  const isDirty = !isEmpty(draft) && !isBusy;
  const own = useRef(shown.version);
  useEffect(() => {
    if (own.current === shown.version) return;
    // A draft is of the picture that it was made from.
    if (isDirty) setNotes([{ text: t().picture.elsewhere(shown.version), isBad: true }]);
    own.current = shown.version;
    setDraft(EMPTY);
    setCropping(false);
  }, [shown.version]);

  const finish = (statuses: readonly StepStatus[]) => {
    setNotes((before) => [...before, ...notesOf(statuses)]);
    setDraft(EMPTY);
    setCropping(false);
    const { base } = running;
    const last = Math.max(...statuses.map(({ version }) => version ?? 0));
    own.current = Math.max(own.current, last);
    running.clear();
    noteChange('objects');
    if (base === undefined || last <= base) return;
    recordChange({
      label: t().picture.saved,
      undo: () => restoreTo(id, base),
      redo: () => restoreTo(id, last),
    });
  };
  const progress = useProgress(id, tasks, finish);
  const { error } = progress;
  useEffect(() => {
    // The service does not know them any more: there is nothing to wait for.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422))
      running.clear();
  }, [error]);

  /** Whether the steps were started. */
  const save = async (): Promise<boolean> => {
    if (isBusy || isEmpty(draft)) return false;
    setNotes([]);
    setStarting(true);
    const { tasks: started, refusal } = await startSteps(id, stepsOf(draft));
    setStarting(false);
    if (refusal !== undefined) setNotes([{ text: refusalText(refusal), isBad: true }]);
    if (started.length > 0) running.show(started, shown.version);
    return refusal === undefined;
  };
  useLeaveGuard(isDirty, { save });
  const change = (next: Draft) => {
    if (isBusy) return;
    setNotes([]);
    setDraft(next);
    showBefore(false);
  };
  const actions = {
    change: (make: (draft: Draft) => Draft) => change(make(draft)),
    toggleCrop: () => !isBusy && setCropping(!isCropping),
    toggleBefore: () => showBefore(!isBefore),
    save: () => void save(),
    leave: () => (isCropping ? setCropping(false) : running.leave()),
  };
  const latest = useRef(actions);
  latest.current = actions;
  useActions(
    useMemo(
      () =>
        pictureActions({
          change: (make) => latest.current.change(make),
          toggleCrop: () => void latest.current.toggleCrop(),
          toggleBefore: () => latest.current.toggleBefore(),
          save: () => latest.current.save(),
          leave: () => latest.current.leave(),
        }),
      [],
    ),
  );
  return {
    shown,
    source,
    draft,
    setDraft: change,
    crop: (crop: Box) => change({ ...draft, crop, maxSide: undefined }),
    isCropping,
    setCropping,
    isBefore,
    showBefore,
    isBusy,
    isDirty,
    notes,
    encodedBytes,
    setEncodedBytes,
    tasks,
    progress,
    save: () => void save(),
  };
}

/** What the owner should know of steps that did not do what they were to do. */
function notesOf(statuses: readonly StepStatus[]): readonly Note[] {
  const texts = new Map(
    statuses
      .filter(({ error }) => error !== null)
      .map(
        ({ status, error_code: code }) => [reasonText(code ?? ''), status === 'failed'] as const,
      ),
  );
  return [...texts].map(([text, isBad]) => ({ text, isBad }));
}
