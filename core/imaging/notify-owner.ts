import type { ImageOp } from '../../ports/image-editor.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import { pictureReason } from '../../ports/reasons.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { failureOf, notify, type NotifyDeps } from '../notifications/index.ts';

const DONE: Readonly<Record<ImageOp, string>> = {
  compress: 'was compressed',
  resize: 'was resized',
  rotate: 'was rotated',
  flip: 'was mirrored',
  crop: 'was cropped',
};

/** Notifies the owner of the end of an operation, in its unit of work. */
export async function notifyOperationEnd(
  deps: NotifyDeps,
  stores: Pick<Stores, 'notifications'>,
  { id, operation: { op }, state, error }: PendingImageOperation,
  object: StoredObject,
): Promise<void> {
  const { filename } = object;
  const failure = failureOf(error, pictureReason);
  const payload = { object_id: object.id, filename, task_id: id, op, ...failure };
  if (state === 'failed')
    await notify(deps, stores, {
      kind: 'image.failed',
      title: `${filename} could not be edited`,
      body: error ?? 'The picture stays as it is.',
      payload,
      about: object,
    });
  else
    await notify(deps, stores, {
      kind: 'image.done',
      title: error === null ? `${filename} ${DONE[op]}` : `${filename} stays as it is`,
      body: error ?? 'The picture as it was can be restored from its versions.',
      payload,
      about: object,
    });
}
