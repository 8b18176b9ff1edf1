import type { Reorganization } from '../../ports/reorganizations.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';

/** Notifies the owner of a successful run, in the unit of work of its end. */
export async function notifyRunEnd(
  deps: NotifyDeps,
  stores: Pick<Stores, 'notifications'>,
  { id, dryRun, moved, total }: Reorganization,
): Promise<void> {
  await notify(deps, stores, {
    kind: 'reorganize.done',
    title: dryRun
      ? `A dry run would put ${objects(moved)} into folders`
      : `${objects(moved)} put into folders`,
    body: dryRun
      ? `${objects(total)} looked at, none moved.`
      : `${objects(total)} looked at, ${total - moved} left where they were.`,
    payload: { task_id: id, moved: dryRun ? 0 : moved, total, dry_run: dryRun },
  });
}

const objects = (count: number): string => (count === 1 ? '1 object' : `${count} objects`);
