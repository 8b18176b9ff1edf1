import type { SecurityFacts } from '../../ports/security-events.ts';
import type { Share } from '../../ports/shares.ts';
import type { SecurityEventInput } from './record.ts';

type ShareEventKind = 'created' | 'changed' | 'revoked' | 'unlocked' | 'unlock_failed';

/** A share of a file concerns that file: its events are listed like the share itself. The file is not named. */
export const shareEvent = (
  { id, kind, resourceId, name }: Share,
  what: ShareEventKind,
  effect: string,
  facts: SecurityFacts = {},
): SecurityEventInput => ({
  kind: `share_${what}`,
  subject: id,
  detail: `The link ${name === '' ? '' : `"${name}" `}to a ${kind} ${effect}.`,
  facts: { name, resource: kind, ...facts },
  objectId: kind === 'file' ? resourceId : null,
});
