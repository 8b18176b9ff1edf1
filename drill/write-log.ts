/**
 * Compares the requests and responses of a drill with the data found afterwards. Pure, so that it can be tested
 * without a service.
 */

/** Bytes that were sent with one idempotency key, possibly repeatedly. `id`: of the acknowledged object. */
export interface Write {
  /** SHA-256 in lower-case hex; no two writes send the same bytes. */
  readonly hash: string;
  readonly id: string | null;
}

/** A requested image operation. `task`: null if it was never acknowledged. */
export interface Edit {
  readonly objectId: string;
  readonly task: string | null;
}

export interface SurvivingObject {
  readonly id: string;
  readonly status: string;
  /** Hash of the bytes returned for its first version; null if there were none. */
  readonly hash: string | null;
  readonly versions: number;
}

export interface WorkspaceSurvey {
  readonly objects: readonly SurvivingObject[];
  /** State of each acknowledged operation. */
  readonly edits: ReadonlyMap<string, string>;
  /** One entry for each notification of an operation that is done. */
  readonly told: readonly { readonly objectId: string; readonly task: string }[];
}

export interface DurabilityReport {
  readonly acknowledged: number;
  readonly survived: number;
  /** With its problem. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

export function verifyDurability(
  writes: readonly Write[],
  edits: readonly Edit[],
  { objects, edits: states, told }: WorkspaceSurvey,
): DurabilityReport {
  const byId = new Map(objects.map((it) => [it.id, it]));
  const lost: string[] = [];
  for (const { id, hash } of writes) {
    if (id === null) continue;
    const found = byId.get(id);
    if (!found) lost.push(`object ${id} is gone`);
    else if (found.hash === null) lost.push(`object ${id} has no bytes`);
    else if (found.hash !== hash) lost.push(`object ${id} has other bytes`);
    else if (found.status !== 'ready') lost.push(`object ${id} is ${found.status}`);
  }
  const tasks = edits.flatMap(({ task }) => (task === null ? [] : [task]));
  const acknowledgedOf = countOf(told.map(({ task }) => task));
  for (const task of tasks) {
    const state = states.get(task) ?? 'gone';
    if (state !== 'done') lost.push(`operation ${task} is ${state}`);
    else if (!acknowledgedOf.has(task)) lost.push(`operation ${task} was never notified`);
  }

  const acknowledged = writes.filter(({ id }) => id !== null).length + tasks.length;
  const survived = acknowledged - lost.length;

  const twice: string[] = [];
  for (const [hash, count] of countOf(objects.map(({ hash }) => hash)))
    if (hash !== null && count > 1) twice.push(`${count} objects hold the bytes ${hash}`);
  for (const [task, count] of acknowledgedOf)
    if (count > 1) twice.push(`operation ${task} was notified ${count} times`);
  for (const [task, count] of countOf(tasks))
    if (count > 1) twice.push(`operation ${task} was given to ${count} requests`);
  // One version per operation; a completed operation has a notification, whether its request was acknowledged or not.
  const doneOn = countOf([...new Map(told.map((it) => [it.task, it.objectId])).values()]);
  for (const { id, versions } of objects) {
    const options = 1 + (doneOn.get(id) ?? 0);
    if (versions > options) twice.push(`object ${id} has ${versions} versions, not ${options}`);
    if (versions < options) lost.push(`object ${id} has ${versions} versions, not ${options}`);
  }
  return { acknowledged, survived, lost, twice };
}

function countOf<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
