import { t as common } from '../../../i18n/data.ts';
import { t } from '../../../i18n/event-text.ts';
import { formatList, formatMoment } from '../../../i18n/format.ts';
import { settingsText } from '../../../i18n/settings-text.ts';
import type { EventKind, SecurityEvent } from './read-events.ts';

/** Who did it, and from which network. */
export function sourceOf({ actor, network }: SecurityEvent): string {
  const { dataText: text } = common();
  const who = text.actors[actor.kind](actor.name);
  return [who, network === '' ? '' : text.network(network)]
    .filter((each) => each !== '')
    .join(' · ');
}

/** The fields of an event. Their types are those that the service sent. */
class Facts {
  readonly #facts: ReadonlyMap<string, unknown>;
  constructor(facts: Readonly<Record<string, unknown>>) {
    this.#facts = new Map(Object.entries(facts));
  }

  text(name: string): string {
    const value = this.#facts.get(name);
    return typeof value === 'string' ? value : '';
  }

  number(name: string): number {
    const value = this.#facts.get(name);
    return typeof value === 'number' ? value : 0;
  }

  is(name: string): boolean {
    return this.#facts.get(name) === true;
  }

  list(name: string): readonly string[] {
    const value = this.#facts.get(name);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  /** The text of a code; '' for one that is newer than the app. */
  of(texts: Readonly<Record<string, string>>, name: string): string {
    return textOf(texts, this.text(name));
  }

  moment(name: string): string {
    const at = this.text(name);
    return at === '' ? '' : formatMoment(at);
  }
}

const textOf = (texts: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? '';

/** What it is about: the name of a token, a passkey or a link, a browser, or the kind of a connection. */
export function subjectOf({ subject, facts }: SecurityEvent): string | undefined {
  const names = new Facts(facts ?? {});
  const connection = textOf(common().dataText.connections, subject);
  const name = connection || names.text('name') || names.text('passkey') || names.text('client');
  return name === '' ? undefined : name;
}

const end = (facts: Facts): string => {
  const when = facts.moment('expires_at');
  return when === '' ? t().eventText.noEnd : t().eventText.until(when);
};

function tokenRights(facts: Facts): readonly string[] {
  const text = t().eventText;
  const scopes = facts.list('scopes').map((each) => textOf(settingsText().scopes, each) || each);
  const rights =
    scopes.length > 0
      ? text.scopes(formatList(scopes))
      : facts.text('access') === 'full'
        ? text.fullAccess
        : text.readAccess;
  return [rights, facts.is('is_folder_bound') ? text.boundToFolders : '', end(facts)];
}

function shareTerms(facts: Facts): readonly string[] {
  const text = t().eventText;
  return [
    text.resources[facts.text('resource') === 'file' ? 'file' : 'folder'],
    facts.of(text.roles, 'role'),
    facts.is('has_password') ? text.withPassword : text.withoutPassword,
    end(facts),
  ];
}

const shareKind = (facts: Facts): readonly string[] => [
  facts.of(t().eventText.resources, 'resource'),
  facts.of(t().eventText.causes, 'cause'),
];

function connection(facts: Facts): readonly string[] {
  const where = [facts.text('target'), facts.text('server')].filter((each) => each !== '');
  return [facts.of(t().eventText.effects, 'effect'), where.join(' @ ')];
}

const again = (facts: Facts): readonly string[] => [
  facts.is('is_change') ? t().eventText.again : t().eventText.first,
];
const cause = (facts: Facts): readonly string[] => [facts.of(t().eventText.causes, 'cause')];

/** What the event says beyond its kind and its subject. Kinds that are not here say no more. */
const PARTS: Readonly<Partial<Record<EventKind, (facts: Facts) => readonly string[]>>> = {
  signed_in: (facts) => [facts.of(t().eventText.methods, 'method')],
  sign_in_failed: (facts) => {
    const count = facts.number('count');
    return [...cause(facts), count > 1 ? t().eventText.lastOf(count) : ''];
  },
  session_ended: (facts) => {
    const count = facts.number('count');
    return [...cause(facts), count > 0 ? t().eventText.sessions(count) : ''];
  },
  password_set: again,
  pin_set: again,
  oidc_linked: cause,
  token_created: tokenRights,
  zone_locked_out: (facts) => [
    t().eventText.wrongPins(facts.number('attempts')),
    t().eventText.until(facts.moment('until')),
  ],
  share_created: shareTerms,
  share_changed: (facts) => {
    const { changed, fields } = t().eventText;
    const names = facts.list('changes').map((each) => textOf(fields, each.replaceAll(' ', '_')));
    return [changed(formatList(names.filter((each) => each !== ''))), ...shareTerms(facts)];
  },
  share_revoked: shareKind,
  share_unlocked: shareKind,
  share_unlock_failed: (facts) => [
    ...shareKind(facts),
    facts.is('is_last_recorded') ? t().eventText.lastRecorded : '',
  ],
  exported: (facts) => [
    facts.text('extent') === 'folders' ? t().eventText.foldersOnly : '',
    facts.of(t().eventText.zones, 'zone'),
  ],
  restored: (facts) => [
    t().eventText.backupOf(facts.moment('backup_of')),
    facts.is('keeps_access') ? t().eventText.accessStays : t().eventText.accessEnded,
  ],
  connection_changed: connection,
  connection_removed: connection,
  trash_emptied: (facts) => [facts.is('is_folder_bound') ? t().eventText.foldersOnly : ''],
};

/** Kinds whose sentence says more than the name of the kind, also in events that have no fields. */
const SAYS_MORE: ReadonlySet<EventKind> = new Set([
  ...(Object.keys(PARTS) as EventKind[]),
  'passkey_added',
  'passkey_removed',
  'token_revoked',
]);

export interface EventWords {
  readonly text: string;
  /** It is the sentence of the service: the event is from before it had fields. */
  readonly isEnglish: boolean;
}

export function wordsOf({ kind, facts, detail }: SecurityEvent): EventWords {
  if (facts === null) return { text: SAYS_MORE.has(kind) ? detail : '', isEnglish: true };
  const parts = PARTS[kind]?.(new Facts(facts)) ?? [];
  return { text: parts.filter((each) => each !== '').join(' · '), isEnglish: false };
}
