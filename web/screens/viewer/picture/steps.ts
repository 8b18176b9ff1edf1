import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { noteChange } from '../../../data/live.ts';
import { makeVersion } from '../shown-version.ts';
import type { Step } from './draft.ts';

export type StepStatus = components['schemas']['ImageStatus'];

export interface Started {
  /** Of the operations that the service has accepted. */
  readonly tasks: readonly string[];
  /** Why it refused the one after them. */
  readonly refusal: unknown;
}

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Requests operations, which the service runs one after another. It stops at the first that is refused. */
export async function startSteps(id: string, steps: readonly Step[]): Promise<Started> {
  const tasks: string[] = [];
  for (const { op, body } of steps) {
    try {
      const accepted = await reply(
        api.POST('/v1/objects/{object_id}/image/{op}', {
          params: { path: { object_id: id, op }, header: { 'Idempotency-Key': newKey() } },
          body,
        }),
      );
      tasks.push(accepted.task_id);
    } catch (refusal) {
      return { tasks, refusal };
    }
  }
  return { tasks, refusal: undefined };
}

export const statusOf = (id: string, task: string, signal: AbortSignal): Promise<StepStatus> =>
  reply(
    api.GET('/v1/objects/{object_id}/image/status/{task_id}', {
      params: { path: { object_id: id, task_id: task } },
      signal,
    }),
  );

/** Makes an earlier version the newest one. */
export async function restoreTo(id: string, version: number): Promise<void> {
  const path = { object_id: id, version };
  await makeVersion(id, () =>
    reply(api.POST('/v1/objects/{object_id}/versions/{version}/restore', { params: { path } })),
  );
  noteChange('objects');
}
