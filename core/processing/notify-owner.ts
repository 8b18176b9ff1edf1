import { unreadReason } from '../../ports/reasons.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { failureOf, notify, type NotifyDeps } from '../notifications/index.ts';
import { shouldNotifyOwner } from '../objects/index.ts';

/**
 * Notifies the owner of the end of reading an object, in the same unit of work. Success is reported only on request;
 * while OCR is pending, reading has not ended.
 */
export async function notifyReadEnd(
  deps: NotifyDeps,
  stores: Pick<Stores, 'notifications'>,
  task: Task,
  object: StoredObject,
): Promise<void> {
  const { id, filename, status, error } = object;
  const payload = { object_id: id, filename };
  if (status === 'failed')
    await notify(deps, stores, {
      kind: 'object.failed',
      title: `${filename} could not be read`,
      body: error ?? 'The file itself is stored unchanged.',
      payload: { ...payload, failure: 'unread', ...failureOf(error, unreadReason) },
      about: object,
    });
  else if (status === 'ready' && shouldNotifyOwner(task))
    await notify(deps, stores, {
      kind: 'object.ready',
      title: `${filename} is ready`,
      body: error ?? readyBody(object),
      payload,
      about: object,
    });
}

const readyBody = ({ textState, kind }: StoredObject): string => {
  if (textState === 'available') return 'Its text can be searched and used in answers.';
  return kind === 'link'
    ? 'Its page has no text to search.'
    : 'It has no text to search. You can find it by its name.';
};
