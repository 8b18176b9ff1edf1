import { dayKey, formatMoment } from '../../i18n/format.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/notifications.ts';
import type { IconName } from '../../ui/icon.tsx';
import { connectionTextOf, unreadTextOf } from '../../ui/reason-words.ts';
import { reasonText } from '../viewer/picture/reasons.ts';
import type { Notification } from './notifications.ts';

/** What a notification says to the owner, in the owner's language, and where it leads. */
export interface Meaning {
  readonly icon: IconName;
  readonly title: string;
  readonly detail?: string;
  /**
   * The second sentence of the service, in English like the title then: the notification is from before it had fields, or
   * its kind is newer than the app.
   */
  readonly english?: string;
  /** Below the app's root; absent if there is no place for it. */
  readonly path?: string;
  readonly isBad?: boolean;
}

/** The data of a notification. A field that is missing is that of an earlier version of the service. */
class Payload {
  readonly #fields: ReadonlyMap<string, unknown>;
  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = new Map(Object.entries(fields));
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#fields.has(name));
  }

  text(name: string): string {
    const value = this.#fields.get(name);
    return typeof value === 'string' ? value : '';
  }

  number(name: string): number {
    const value = this.#fields.get(name);
    return typeof value === 'number' ? value : 0;
  }

  is(name: string): boolean {
    return this.#fields.get(name) === true;
  }

  name(name: string): string {
    return isolated(this.text(name));
  }
}

/** undefined if the data is not enough for a sentence. */
type Reader = (payload: Payload, notification: Notification) => Meaning | undefined;

const objectPath = (payload: Payload): string => `/object/${payload.text('object_id')}`;

/** Why something failed, if the service knows. */
function reasonIn(
  payload: Payload,
  say: (code: string, fact: string) => string,
): { readonly detail?: string } {
  const code = payload.text('error_code');
  return code === '' ? {} : { detail: say(code, payload.text('error_fact')) };
}

const READERS: Readonly<Record<Notification['kind'], Reader>> = {
  'object.ready': (payload) => ({
    icon: 'check',
    title: t().notificationsText.ready(payload.name('filename')),
    path: objectPath(payload),
  }),
  'object.failed': (payload) => {
    const { notReady, notSaved, savedEarlier } = t().notificationsText;
    const name = payload.name('filename');
    const path = objectPath(payload);
    switch (payload.text('failure')) {
      case 'unread':
        return {
          icon: 'alert',
          title: notReady(name),
          ...reasonIn(payload, unreadTextOf),
          path,
          isBad: true,
        };
      case 'unsaved':
        return {
          icon: 'alert',
          title: notSaved(name),
          ...reasonIn(payload, connectionTextOf),
          path,
          isBad: true,
        };
      case 'earlier':
        return { icon: 'alert', title: savedEarlier(name), path };
      default:
        return undefined;
    }
  },
  'image.done': (payload) => {
    if (!payload.has('filename')) return undefined;
    const { edited, editedHint, unchanged } = t().notificationsText;
    const say = new Map(Object.entries(edited)).get(payload.text('op'));
    const name = payload.name('filename');
    const path = objectPath(payload);
    return payload.text('error_code') !== '' || !say
      ? { icon: 'info', title: unchanged(name), ...reasonIn(payload, reasonText), path }
      : { icon: 'edit', title: say(name), detail: editedHint, path };
  },
  'image.failed': (payload) =>
    payload.has('filename')
      ? {
          icon: 'alert',
          title: t().notificationsText.notEdited(payload.name('filename')),
          ...reasonIn(payload, reasonText),
          path: objectPath(payload),
          isBad: true,
        }
      : undefined,
  'reorganize.done': (payload) => {
    const { filed, planned } = t().notificationsText;
    return payload.has('dry_run')
      ? {
          icon: 'tidy',
          title: payload.is('dry_run') ? planned : filed(payload.number('moved')),
          path: `/tidy/${payload.text('task_id')}`,
        }
      : undefined;
  },
  'migration.done': (payload) => {
    const { movedOut, movedBack, movedCount } = t().notificationsText;
    return payload.has('direction')
      ? {
          icon: 'bucket',
          title: payload.text('direction') === 'back' ? movedBack : movedOut,
          detail: movedCount(payload.number('moved'), payload.number('failed')),
          path: '/settings/connections',
        }
      : undefined;
  },
  'migration.failed': (payload) => {
    if (!payload.has('error_code')) return undefined;
    const { notMoved, movedCount } = t().notificationsText;
    const counts = movedCount(payload.number('moved'), payload.number('failed'));
    const { detail = '' } = reasonIn(payload, connectionTextOf);
    return {
      icon: 'alert',
      title: notMoved,
      detail: [detail, counts].filter((each) => each !== '').join(' '),
      path: '/settings/connections',
      isBad: true,
    };
  },
  'calendar.reminder': (payload, { title }) => {
    const at = payload.text('starts_at');
    return {
      icon: 'calendar',
      title: isolated(title),
      detail: t().notificationsText.begins(formatMoment(at)),
      path: `/calendar?d=${dayKey(at)}`,
    };
  },
  'share.opened': (payload) =>
    payload.has('name')
      ? {
          icon: 'link',
          title: t().notificationsText.shareOpened(payload.name('name')),
          path: `/shares/${payload.text('share_id')}`,
        }
      : undefined,
  'share.uploaded': (payload) =>
    payload.has('filename', 'folder')
      ? {
          icon: 'upload',
          title: t().notificationsText.uploaded(payload.name('filename'), payload.name('folder')),
          path: objectPath(payload),
        }
      : undefined,
  'referral.credited': (payload) => ({
    icon: 'person',
    title: t().notificationsText.referred(payload.name('owner')),
    path: '/settings/usage',
  }),
  'integration.failed': (payload) => {
    const { modelFailed, bucketFailed } = t().notificationsText;
    const title = new Map([
      ['llm', modelFailed],
      ['s3', bucketFailed],
    ]).get(payload.text('kind'));
    if (title === undefined || !payload.has('error_code')) return undefined;
    return {
      icon: 'alert',
      title,
      ...reasonIn(payload, connectionTextOf),
      path: '/settings/connections',
      isBad: true,
    };
  },
  'bot.refused': (payload) =>
    payload.has('name')
      ? {
          icon: 'bot',
          title: t().notificationsText.botRefused(payload.name('name')),
          detail: t().notificationsText.botRefusedHint,
          path: '/settings/bots',
          isBad: true,
        }
      : undefined,
  'bot.failed': (payload) => {
    const { botPolled, botConflict } = t().notificationsText;
    const title = new Map([
      ['polling', botPolled],
      ['conflict', botConflict],
    ]).get(payload.text('state'));
    if (!title || !payload.has('name', 'error_code')) return undefined;
    return {
      icon: 'bot',
      title: title(payload.name('name')),
      ...reasonIn(payload, connectionTextOf),
      path: '/settings/bots',
      isBad: true,
    };
  },
  'security.alert': (payload) => {
    const { security } = t().notificationsText;
    const kind = ALERTS.get(payload.text('alert'));
    if (!kind) return undefined;
    return {
      icon: 'key',
      title: security[kind],
      detail: [whereAndWhen(payload), security[`${kind}Hint`]].join(' '),
      path: '/settings/security',
      isBad: true,
    };
  },
};

const ALERTS = new Map<string, 'newPlace' | 'copiedPasskey' | 'pinLocked' | 'failedSignIns'>([
  ['new_client', 'newPlace'],
  ['copied_passkey', 'copiedPasskey'],
  ['pin_locked', 'pinLocked'],
  ['failed_sign_ins', 'failedSignIns'],
]);

/** `Firefox on Linux, network 192.0.2.0/24, 20 Nov 2026, 09:15.` */
function whereAndWhen(payload: Payload): string {
  const { network } = t().notificationsText;
  const parts = [
    payload.text('passkey') || payload.text('client'),
    payload.text('network') && network(payload.text('network')),
    formatMoment(payload.text('at')),
  ];
  return `${parts.filter((each) => each !== '').join(' · ')}.`;
}

const PLACES = new Map<string, (payload: Payload) => string>([
  ['object.failed', objectPath],
  ['image.done', objectPath],
  ['image.failed', objectPath],
  ['share.uploaded', objectPath],
  ['reorganize.done', (payload) => `/tidy/${payload.text('task_id')}`],
  ['share.opened', (payload) => `/shares/${payload.text('share_id')}`],
  ['migration.done', () => '/settings/connections'],
  ['migration.failed', () => '/settings/connections'],
  ['integration.failed', () => '/settings/connections'],
  ['bot.refused', () => '/settings/bots'],
  ['bot.failed', () => '/settings/bots'],
  ['security.alert', () => '/settings/security'],
]);

/** What a notification says: in the service's words if it has not the fields, or its kind is newer than the app. */
export function meaningOf(notification: Notification): Meaning {
  const payload = new Payload(notification.payload);
  const reader = new Map<string, Reader>(Object.entries(READERS)).get(notification.kind);
  const meaning = reader?.(payload, notification);
  if (meaning) return meaning;
  const { title, body, kind } = notification;
  const path = PLACES.get(kind)?.(payload);
  return {
    icon: 'info',
    title: isolated(title),
    english: body,
    ...(path !== undefined && { path }),
  };
}
