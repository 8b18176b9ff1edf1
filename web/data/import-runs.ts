import { useEffect } from 'preact/hooks';
import { api } from '../api/client.ts';
import { ApiError, OfflineError, UnreadableError, reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { me } from '../state/session.ts';
import { whileUnlocked, zoneChanges } from '../state/zone-token.ts';
import { useResource } from './resource.ts';

/** An import as the service knows it: of this tab or of another one. */
export type ImportRun = components['schemas']['ImportRunResult'];
export type ImportKind = ImportRun['kind'];

/** How often the progress is loaded. */
const POLL_MS = 1_000;
/** How long a request that a reload has cut off may take to show up. */
const LOOKUP_MS = 5_000;

/** When a request was cut off: by the load of this page, or by the network. */
let cutOffAt = Date.now();

const markOf = (kind: ImportKind): string => `import ${kind}`;

/**
 * Remembers in this tab that an import was begun, without anything of its file: if the page is left before the service has
 * heard of it, there is no run. Nothing is remembered of an import into the open zone.
 */
export function rememberImport(kind: ImportKind, key: string): void {
  forgetImport(kind);
  if (!whileUnlocked()) sessionStorage.setItem(markOf(kind), `${me.value?.owner.id ?? ''} ${key}`);
}

/** Whether the outcome of an import is not known here, because its response is missing. The service is asked for it. */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof OfflineError || error instanceof UnreadableError)) return false;
  cutOffAt = Date.now();
  return true;
}

export const forgetImport = (kind: ImportKind): void => sessionStorage.removeItem(markOf(kind));

/** The key of an import that this tab has begun and not seen the end of, for the same owner. */
function rememberedKey(kind: ImportKind): string | undefined {
  const [owner, key] = sessionStorage.getItem(markOf(kind))?.split(' ') ?? [];
  return owner === (me.value?.owner.id ?? '') ? key : undefined;
}

interface Found {
  readonly run: ImportRun | undefined;
  /** The service has not heard of an import that this tab began, so nothing came in. */
  readonly isLost: boolean;
}

async function find(
  kind: ImportKind,
  running: string | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const { items } = await reply(api.GET('/v1/imports', { signal }));
  const ofKind = items.filter((each) => each.kind === kind);
  const key = running ?? rememberedKey(kind);
  const newest = key === undefined ? ofKind[0] : ofKind.find((each) => each.key === key);
  // The one that this tab runs is remembered until its end.
  if (newest && running === undefined) forgetImport(kind);
  if (!newest) return { run: undefined, isLost: key !== undefined };
  const isDone = newest.state === 'done';
  const run = isDone ? await detailsOf(newest.import_id, signal) : undefined;
  return { run: run ?? { ...newest, workspace: null, calendar: null }, isLost: false };
}

async function detailsOf(import_id: string, signal: AbortSignal): Promise<ImportRun | undefined> {
  try {
    return await reply(
      api.GET('/v1/imports/{import_id}', { params: { path: { import_id } }, signal }),
    );
  } catch (error) {
    // Another tab has hidden it.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

const UNFINISHED: ReadonlySet<ImportRun['state']> = new Set(['receiving', 'checking', 'running']);
export const isUnfinished = ({ state }: ImportRun): boolean => UNFINISHED.has(state);

export interface FollowedImport {
  readonly run: ImportRun | undefined;
  /** It was cut off before the service has heard of it. */
  readonly isLost: boolean;
  /** Forgets an import that has ended. */
  readonly dismiss: () => Promise<void>;
}

/**
 * The newest import of its kind, wherever it was begun. Its progress is loaded again until it ends.
 *
 * @param running the key of the import that this tab runs.
 */
export function useImportRun(kind: ImportKind, running?: string): FollowedImport {
  const { data, error, reload } = useResource(
    `${kind} ${running ?? ''} ${zoneChanges.value}`,
    (signal) => find(kind, running, signal),
    ['tasks'],
  );
  const { run, isLost = false } = data ?? {};
  const isSought = isLost && (running !== undefined || Date.now() - cutOffAt < LOOKUP_MS);
  const isRetried = error !== undefined && !data && rememberedKey(kind) !== undefined;
  const isAwaited = isSought || isRetried || (run !== undefined && isUnfinished(run));
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [data, error, isAwaited, reload]);
  const dismiss = async () => {
    forgetImport(kind);
    if (run) {
      const params = { path: { import_id: run.import_id } };
      await reply(api.DELETE('/v1/imports/{import_id}', { params })).catch((failure: unknown) => {
        if (!(failure instanceof ApiError && failure.status === 404)) throw failure;
      });
    }
    reload();
  };
  return { run, isLost: isLost && !isSought, dismiss };
}
