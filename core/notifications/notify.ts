import type { NotificationKind } from '../../ports/notifications.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';
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

/** What each kind tells a program, named as on the wire. */
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

/** One thing that happened. Title and body are sentences for a person, made where it happened. */
export type News = {
  readonly [K in NotificationKind]: {
    readonly kind: K;
    readonly title: string;
    readonly body: string;
    readonly payload: Payloads[K];
    /** The object it tells of, as it is from now on: hidden, it hides what tells of it. */
    readonly about?: Pick<StoredObject, 'id' | 'isHidden'>;
  };
}[NotificationKind];

export interface NotifyDeps {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Tells the owner, in the unit of work of what it tells of: both happen or neither. */
export async function notify(
  deps: NotifyDeps,
  { notifications }: Pick<Stores, 'notifications'>,
  { kind, title, body, payload, about }: News,
): Promise<void> {
  await notifications.add({
    id: deps.entropy.uuid(),
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
