import { foldName, type Theme } from '../../ports/library.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { Instant, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { PartialUpload } from '../../ports/uploads.ts';
import { RUNS_KEPT } from '../organize/index.ts';
import { folderNameOf } from './relative-path.ts';

const THEMES_PER_PAGE = 200;

/** Where a dropped file goes, and what had to be made for it. */
interface DropPlacement {
  readonly collectionId: string;
  readonly made: readonly PlannedLocation[];
}

/**
 * Finds or makes the folder of a dropped file, in the theme with the name of the top folder. A hidden theme is never
 * used: the name of a visible folder would reveal it.
 */
export async function placeDropped(
  { random }: { readonly random: RandomSource },
  stores: Pick<Stores, 'themes' | 'collections'>,
  { folderPath }: Pick<PartialUpload, 'folderPath'>,
  now: Instant,
): Promise<DropPlacement> {
  const folders = folderPath.split('/');
  const [top = ''] = folders;
  const made: PlannedLocation[] = [];
  const make = (kind: PlannedLocation['kind'], name: string, themeId: string | null) => {
    const id = random.uuid();
    made.push({ id, kind, name, description: '', icon: '', themeId, resolvedId: id });
    return { id, name, icon: '', createdAt: now, updatedAt: now };
  };
  const known = await visibleTheme(stores, top);
  const theme: Theme = known ?? { ...make('theme', top, null), isHidden: false };
  if (!known) await stores.themes.save(theme);
  const name = folderNameOf(folders);
  const there = await stores.collections.named(theme.id, name);
  if (there) return { collectionId: there.id, made };
  const folder = { ...make('folder', name, theme.id), description: '', themeId: theme.id };
  await stores.collections.save(folder);
  return { collectionId: folder.id, made };
}

async function visibleTheme(
  { themes }: Pick<Stores, 'themes'>,
  name: string,
): Promise<Theme | undefined> {
  for (let offset = 0; ; offset += THEMES_PER_PAGE) {
    const request = { limit: THEMES_PER_PAGE, offset };
    const { items } = await themes.page({ includeHidden: false }, request);
    const found = items.find((each) => foldName(each.name) === foldName(name));
    if (found || items.length < THEMES_PER_PAGE) return found;
  }
}

/** Notes a placed file in the run of its drop, which is undone like a reorganization. */
export async function recordDrop(
  { reorganizations }: Pick<Stores, 'reorganizations'>,
  runId: string,
  { id: objectId, collectionId }: StoredObject,
  made: readonly PlannedLocation[],
  now: Instant,
): Promise<void> {
  if (collectionId === null) return;
  const known = await reorganizations.find(runId);
  const run = known ?? newRun(runId, now);
  const count = (kind: PlannedLocation['kind']) => made.filter((it) => it.kind === kind).length;
  await reorganizations.save({
    ...run,
    total: run.total + 1,
    processed: run.processed + 1,
    moved: run.moved + 1,
    createdFolders: run.createdFolders + count('folder'),
    createdThemes: run.createdThemes + count('theme'),
    updatedAt: now,
  });
  if (!known) await reorganizations.pruneToNewest(RUNS_KEPT);
  for (const location of made) await reorganizations.savePlace(runId, location);
  const move = { objectId, ord: run.moved, from: null, to: collectionId };
  await reorganizations.saveMove(runId, { ...move, state: 'moved', undone: false });
}

/** It has ended after each file: it can be undone at any time, and blocks no reorganization. */
const newRun = (id: string, now: Instant): Reorganization => ({
  id,
  scope: 'upload',
  dryRun: false,
  state: 'SUCCESS',
  phase: 'done',
  planned: true,
  total: 0,
  processed: 0,
  moved: 0,
  skipped: 0,
  createdFolders: 0,
  createdThemes: 0,
  createdAt: now,
  updatedAt: now,
});
