import type { NotificationKind } from '../../ports/notifications.ts';
import type { Reason } from '../../ports/reasons.ts';
import type { StorageMigration } from '../../ports/storage-migrations.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

interface OfObject {
  readonly object_id: string;
  readonly filename: string;
}
/** Why something failed: a code of `ports/reasons.ts`, null for none, and the fact in the reason. */
interface Failure {
  readonly error_code: string | null;
  readonly error_fact: string;
}
interface OfPicture extends Failure {
  readonly object_id: string;
  readonly filename: string;
  readonly task_id: string;
  readonly op: string;
}
interface OfMigration extends Failure {
  readonly direction: StorageMigration['direction'];
  readonly moved: number;
  readonly failed: number;
  readonly total: number;
}
/** `unread`: its text could not be read. `unsaved`: an edit was lost. `earlier`: an edit became an earlier version. */
type ObjectFailure = OfObject &
  Failure &
  (
    | { readonly failure: 'unread' | 'unsaved' }
    | { readonly failure: 'earlier'; readonly version: number }
  );
/** `attempts` of a PIN or sign-in, `passkey`: its name; '' and 0 where they do not apply. */
interface OfAlert {
  readonly event_id: string;
  readonly kind: string;
  readonly alert: 'new_client' | 'copied_passkey' | 'pin_locked' | 'failed_sign_ins';
  readonly client: string;
  readonly network: string;
  /** In ISO 8601. */
  readonly at: string;
  readonly attempts: number;
  readonly passkey: string;
}

/** The parts of a stored sentence for programs; null if nothing failed. */
export const failureOf = (
  sentence: string | null,
  reasonOf: (sentence: string) => Reason<string>,
): Failure => {
  const reason = sentence === null ? undefined : reasonOf(sentence);
  return { error_code: reason?.code ?? null, error_fact: reason?.fact ?? '' };
};

/** The data of each kind for programs, named as in the API. */
export interface Payloads {
  readonly 'object.ready': OfObject;
  readonly 'object.failed': ObjectFailure;
  /** With a reason if the picture stays as it is. */
  readonly 'image.done': OfPicture;
  readonly 'image.failed': OfPicture;
  readonly 'reorganize.done': {
    readonly task_id: string;
    readonly moved: number;
    readonly total: number;
    readonly dry_run: boolean;
  };
  readonly 'migration.done': OfMigration;
  readonly 'migration.failed': OfMigration;
  /** `starts_at` in ISO 8601, `minutes` before it. */
  readonly 'calendar.reminder': {
    readonly event_id: string;
    readonly starts_at: string;
    readonly minutes: number;
  };
  /** `name`: of the link, or of what it leads to if it has none. */
  readonly 'share.opened': {
    readonly share_id: string;
    readonly object_id: string | null;
    readonly name: string;
  };
  readonly 'share.uploaded': {
    readonly share_id: string;
    readonly object_id: string;
    readonly filename: string;
    readonly folder: string;
  };
  readonly 'referral.credited': { readonly owner: string };
  readonly 'integration.failed': Failure & { readonly kind: string };
  readonly 'bot.refused': {
    readonly bot_id: string;
    readonly name: string;
    readonly cause: 'revoked' | 'sealed';
  };
  /** `polling`: updates are polled because the webhook failed. `conflict`: another program receives them. */
  readonly 'bot.failed': Failure & {
    readonly bot_id: string;
    readonly name: string;
    readonly state: 'polling' | 'conflict';
  };
  readonly 'security.alert': OfAlert;
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
