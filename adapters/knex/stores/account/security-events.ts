import type { SecurityEvent, SecurityEventStore } from '../../../../ports/security-events.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

type Flat = Omit<SecurityEvent, 'actor'> & {
  readonly actorKind: SecurityEvent['actor']['kind'];
  readonly actorId: string;
  readonly actorName: string;
};
const EVENT = recordMap<Flat>({
  seq: plain('seq'),
  id: plain('id'),
  at: plain('at'),
  kind: plain('kind'),
  actorKind: plain('actor_kind'),
  actorId: plain('actor_id'),
  actorName: plain('actor_name'),
  network: plain('network'),
  subject: plain('subject'),
  detail: plain('detail'),
  facts: json('facts'),
  objectId: plain('object_id'),
  previousDigest: plain('previous_digest'),
  digest: plain('digest'),
});
const COLUMNS = EVENT.columns.join(', ');
const APPEND = `insert into security_events (owner_id, ${COLUMNS})
  values (${placeholders(EVENT.columns.length + 1)})`;
const LAST = `select ${COLUMNS} from security_events where owner_id = ? order by seq desc limit 1`;
const CHAIN = `select ${COLUMNS} from security_events where owner_id = ? and seq > ?
  order by seq limit ?`;
/** By the index over times: ids have none. */
const POSITION = `select seq from security_events where at = ? and owner_id = ? and id = ?`;
const COUNT = `select count(*) as n from (select 1 as one from security_events
  where owner_id = ? and kind = ? and at >= ? limit ?) e`;
/** Whether an object was hidden when it was erased is not known, so its events count as hidden. */
const VISIBLE = ` and (e.object_id is null or exists (select 1 from objects o
  where o.owner_id = e.owner_id and o.id = e.object_id and o.is_hidden = 0))`;

/** The events of all owners, for `IntegrityChecks`. */
export const SECURITY_EVENTS_OF_ALL = `select owner_id, ${COLUMNS} from security_events
  where (owner_id, seq) > (?, ?) order by owner_id, seq limit ?`;

export const toSecurityEvent = (row: Record<string, Value>): SecurityEvent => {
  const { actorKind, actorId, actorName, ...event } = EVENT.from(row);
  return { ...event, actor: { kind: actorKind, id: actorId, name: actorName } };
};

export function knexSecurityEvents(sql: Sql, { ownerId }: OwnerScope): SecurityEventStore {
  return {
    append: ({ actor, ...event }) =>
      sql.enqueueChange(APPEND, [
        ownerId,
        ...EVENT.values({
          ...event,
          actorKind: actor.kind,
          actorId: actor.id,
          actorName: actor.name,
        }),
      ]),
    last: async () => {
      const row = await sql.get<Record<string, Value>>(LAST, [ownerId]);
      return row && toSecurityEvent(row);
    },
    page: async ({ visibility, kind }, { limit, after }) => {
      const ofKind = kind === undefined ? '' : ' and e.kind = ?';
      const later = after === undefined ? '' : ' and e.seq < ?';
      const rows = await sql.all<Record<string, Value>>(
        `select ${COLUMNS} from security_events e
         where e.owner_id = ?${ofKind}${later}${visibility === 'visible' ? VISIBLE : ''}
         order by e.seq desc limit ?`,
        [ownerId, ...(kind === undefined ? [] : [kind]), ...(after ? [after.seq] : []), limit],
      );
      return rows.map(toSecurityEvent);
    },
    positionOf: ({ at, id }) => sql.get<{ seq: number }>(POSITION, [at, ownerId, id]),
    chain: async (afterSeq, limit) => {
      const rows = await sql.all<Record<string, Value>>(CHAIN, [ownerId, afterSeq, limit]);
      return rows.map(toSecurityEvent);
    },
    countSince: async (kind, since, limit) =>
      (await sql.get<{ n: number }>(COUNT, [ownerId, kind, since, limit]))?.n ?? 0,
    removeBefore: async (before, limit) => {
      // One more than may be removed, so that the last event of the chain is recognized.
      const first = await sql.all<{ seq: number; at: number }>(
        'select seq, at from security_events where owner_id = ? order by seq limit ?',
        [ownerId, limit + 1],
      );
      const firstRemaining = first.findIndex(({ at }) => at >= before);
      const removed = first
        .slice(0, firstRemaining < 0 ? first.length : firstRemaining)
        .slice(0, first.length - 1);
      const last = removed.at(-1);
      if (last)
        await sql.enqueueChange('delete from security_events where owner_id = ? and seq <= ?', [
          ownerId,
          last.seq,
        ]);
    },
  };
}
