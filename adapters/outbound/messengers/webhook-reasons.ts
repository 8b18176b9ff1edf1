import type { ConnectionSentence } from '../../../ports/reasons.ts';
import { truncate } from './fields.ts';

/** Wordings of the Bot API and of the networking libraries beneath it, with the reason that each stands for. */
const WORDINGS: readonly (readonly [RegExp, ConnectionSentence])[] = [
  [
    /\bonly on ports?\b|\bports? (80|443|88|8443)\b|\bport (is )?not (allowed|supported)/i,
    'The platform delivers updates to the ports 443, 80, 88 and 8443 only. PUBLIC_URL has another port.',
  ],
  [
    /\b(is )?reserved\b|\bprivate (ip|address|network)|\bloopback\b|\blocal ?host\b/i,
    'The platform delivers no updates to private addresses. PUBLIC_URL leads to one.',
  ],
  [
    /resolve|name or service not known|nodename nor servname|no address associated|\bunknown host\b|temporary failure in name|ENOTFOUND|EAI_AGAIN/i,
    'The platform cannot resolve the host name in PUBLIC_URL.',
  ],
  [
    /\bssl\b|\btls\b|certificate|handshake/i,
    'The platform does not trust the certificate of the server at PUBLIC_URL.',
  ],
  [/time(d)? ?-?out|ETIMEDOUT/i, 'The server at PUBLIC_URL did not answer the platform in time.'],
  [
    /refused|unreachable|no route|\breset\b|connection (was )?(closed|aborted|failed)|(can't|cannot|failed to) connect|broken pipe|ECONN/i,
    'The platform cannot connect to the server at PUBLIC_URL.',
  ],
];
const STATUS = /wrong response from the webhook:?\s*(\d{3})\b/i;
const MAX_QUOTE_LENGTH = 120;

/** Why the platform rejects the address of a webhook, by its description. */
export const refusedAddressReason = (description: string): ConnectionSentence =>
  knownReason(description) ??
  withDetail(
    'The platform does not accept the address in PUBLIC_URL for updates',
    description.replace(/^bad request:\s*/i, ''),
  );

/** Why the platform could not deliver an update, by its description. */
export const failedDeliveryReason = (description: string): ConnectionSentence =>
  knownReason(description) ??
  withDetail('The platform does not deliver updates to the address in PUBLIC_URL', description);

function knownReason(description: string): ConnectionSentence | undefined {
  const status = STATUS.exec(description)?.[1];
  if (status !== undefined)
    return `The server at PUBLIC_URL answered the platform with status ${status}.`;
  return WORDINGS.find(([wording]) => wording.test(description))?.[1];
}

/** A description is text of another server: shortened, printable, and without tokens, secrets and addresses. */
const withDetail = <Start extends string>(
  start: Start,
  description: string,
): `${Start}.` | `${Start}: ${string}.` => {
  const detail = truncate(
    description
      .replace(/\bhttps?:\/\/\S+/gi, '…')
      .replace(/[\w:-]{24,}/g, '…')
      .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
      .trim(),
    MAX_QUOTE_LENGTH,
  ).replace(/[.\s]+$/, '');
  return detail === '' ? `${start}.` : `${start}: ${detail}.`;
};
