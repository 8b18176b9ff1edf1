import type { AccountRoles, Accounts } from '../../ports/identity.ts';
import type {
  BackupReport,
  DrillReport,
  InstallationCounts,
  InstallationFacts,
  InstallationReports,
  QueueDepth,
  VisibleFiles,
} from '../../ports/installation.ts';
import { REMOVE_BLOB_TASK } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden } from '../shared/common-errors.ts';

export interface OperatorDeps {
  readonly accounts: Pick<Accounts, 'listOwners'>;
  readonly roles: AccountRoles;
  /** Whether the first owner of the installation is its operator, whichever role that owner has. */
  readonly isFirstOwnerOperator: boolean;
}

export interface OperatorStateDeps extends OperatorDeps {
  readonly installationCounts: InstallationCounts;
  readonly installationReports: InstallationReports;
}

/** The state of the installation. It names no owner and nothing that an owner has stored. */
export interface OperatorState {
  readonly facts: InstallationFacts;
  readonly queues: readonly QueueDepth[];
  readonly visible: VisibleFiles;
  readonly freeBytes: number | null;
  readonly backup: BackupReport | null;
  readonly drills: DrillReport | null;
}

/** Whether the caller's owner operates the installation: by the account role, or as its first owner. */
export async function isOperator(
  { accounts, roles, isFirstOwnerOperator }: OperatorDeps,
  { owner }: Pick<Caller, 'owner'>,
): Promise<boolean> {
  const role = Object.hasOwn(roles, owner.role) ? roles[owner.role] : undefined;
  if (role?.isOperator) return true;
  if (!isFirstOwnerOperator) return false;
  const { items } = await accounts.listOwners(1, 0);
  return items[0]?.id === owner.id;
}

/** Ends with `forbidden` for everyone but an operator. */
export async function operatorState(
  deps: OperatorStateDeps,
  caller: Caller,
): Promise<OperatorState> {
  if (!(await isOperator(deps, caller)))
    throw forbidden({}, undefined, 'Only an operator of this installation may see its state.');
  const { installationCounts: counts, installationReports: reports } = deps;
  const [queues, visible, freeBytes, backup, drills] = await Promise.all([
    counts.queues(),
    counts.visibleFiles(),
    reports.freeBytes(),
    reports.lastBackup(),
    reports.lastDrills(),
  ]);
  // Files of a hidden object that is erased or changed wait to be removed as well.
  const shown = queues.filter(({ kind }) => kind !== REMOVE_BLOB_TASK);
  return { facts: reports.facts(), queues: shown, visible, freeBytes, backup, drills };
}
