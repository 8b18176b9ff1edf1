import type { components } from '../api/schema.js';
import { t } from '../i18n/reasons.ts';

type UnreadCode = NonNullable<components['schemas']['ObjectDetail']['error_code']>;
type ConnectionCode = NonNullable<components['schemas']['Integration']['last_error_code']>;
type FactKind = keyof ReturnType<typeof t>['reasons']['facts'];

/** What the number or name in a reason is. Of other reasons it is not shown. */
const UNREAD_FACTS: Readonly<Partial<Record<UnreadCode, FactKind>>> = {
  too_large: 'megabytes',
  page_too_large: 'megabytes',
  timed_out: 'seconds',
  page_timed_out: 'seconds',
  page_status: 'status',
  unsupported_format: 'format',
};
const CONNECTION_FACTS: Readonly<Partial<Record<ConnectionCode, FactKind>>> = {
  timed_out: 'seconds',
  unreachable: 'detail',
  not_fetched: 'detail',
  redirects: 'status',
  wrong_key: 'status',
  unknown_model: 'status',
  busy: 'status',
  rejected: 'status',
  server_error: 'status',
  webhook_status: 'status',
};

/** Why a document has no text, in the owner's language. */
export const unreadText = (code: UnreadCode, fact: string): string =>
  sentence(t().reasons.unread, UNREAD_FACTS, code, fact);

/** Why a connection fails, or why files could not be moved. */
export const connectionText = (code: ConnectionCode, fact: string): string =>
  sentence(t().reasons.connection, CONNECTION_FACTS, code, fact);

/** The codes of notifications are not typed: one that is newer than the app has no text of its own. */
function sentence(
  texts: Readonly<Record<string, string>> & { readonly other: string },
  facts: Readonly<Record<string, FactKind>>,
  code: string,
  fact: string,
): string {
  const text = Object.hasOwn(texts, code) ? (texts[code] ?? texts.other) : texts.other;
  const kind = Object.hasOwn(facts, code) ? facts[code] : undefined;
  if (kind === undefined || fact === '') return text;
  return `${text} ${t().reasons.facts[kind].replace('#', () => fact)}`;
}

export const unreadTextOf = (code: string, fact: string): string =>
  unreadText(code as UnreadCode, fact);
export const connectionTextOf = (code: string, fact: string): string =>
  connectionText(code as ConnectionCode, fact);
