import type { NotificationKind } from '../../ports/notifications.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

interface OfObject {
  readonly object_id: string;
  readonly filename: string;
}
interface OfPicture {
  readonly object_id: string;
  readonly task_id: string;
  readonly op: string;
}
interface OfMigration {
  readonly moved: number;
  readonly failed: number;
}

/** The data of each kind for programs, named as in the API. */
export interface Payloads {
  readonly 'object.ready': OfObject;
  readonly 'object.failed': OfObject;
  readonly 'image.done': OfPicture;
  readonly 'image.failed': OfPicture;
  readonly 'reorganize.done': { readonly task_id: string; readonly moved: number };
  readonly 'migration.done': OfMigration;
  readonly 'migration.failed': OfMigration;
  /** `starts_at` in ISO 8601, `minutes` before it. */
  readonly 'calendar.reminder': {
    readonly event_id: string;
    readonly starts_at: string;
    readonly minutes: number;
  };
  readonly 'share.opened': { readonly share_id: string; readonly object_id: string | null };
  readonly 'share.uploaded': { readonly share_id: string; readonly object_id: string };
  readonly 'referral.credited': { readonly owner: string };
  readonly 'integration.failed': { readonly kind: string };
  readonly 'bot.refused': { readonly bot_id: string };
}

/**
 * An event to notify the owner of. Title and body are sentences for people, written by the component that reports it.
 */
export type NotificationInput = {
  readonly [K in NotificationKind]: {
    readonly kind: K;
    readonly title: string;
    readonly body: string;
    readonly payload: Payloads[K];
    /** The object it concerns, in its new state: if hidden, the notification is hidden too. */
    readonly about?: Pick<StoredObject, 'id' | 'isHidden'>;
  };
}[NotificationKind];

export interface NotifyDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Notifies the owner in the unit of work of the event: both are committed or neither. */
export async function notify(
  deps: NotifyDeps,
  { notifications }: Pick<Stores, 'notifications'>,
  { kind, title, body, payload, about }: NotificationInput,
): Promise<void> {
  await notifications.add({
    id: deps.random.uuid(),
    kind,
    title,
    body,
    payload: { ...payload },
    objectId: about?.id ?? null,
    isHidden: about?.isHidden ?? false,
    readAt: null,
    createdAt: deps.clock.now(),
  });
}
