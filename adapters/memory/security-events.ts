import type { SecurityEvent, SecurityEventStore } from '../../ports/security-events.ts';
import type { Tables } from './database.ts';

const bySeq = (a: SecurityEvent, b: SecurityEvent) => a.seq - b.seq;

export function memorySecurityEvents({
  securityEvents: events,
  objects,
}: Tables): SecurityEventStore {
  const chain = () => events.values().sort(bySeq);
  /** Whether an object was hidden when it was erased is not known, so its events count as hidden. */
  const isVisible = ({ objectId }: SecurityEvent) =>
    objectId === null || objects.get(objectId)?.isHidden === false;
  return {
    append: async (event) => {
      if (events.get(event.seq)) throw new Error('The chain has an event with this number.');
      const facts = event.facts && Object.freeze({ ...event.facts });
      const actor = Object.freeze({ ...event.actor });
      events.set(event.seq, Object.freeze({ ...event, actor, facts }));
    },
    last: async () => chain().at(-1),
    page: async ({ visibility, kind }, { limit, after }) =>
      chain()
        .filter((event) => kind === undefined || event.kind === kind)
        .filter(({ seq }) => after === undefined || seq < after.seq)
        .filter((event) => visibility === 'any' || isVisible(event))
        .reverse()
        .slice(0, limit),
    positionOf: async ({ at, id }) => {
      const found = events.values().find((event) => event.at === at && event.id === id);
      return found && { seq: found.seq };
    },
    chain: async (afterSeq, limit) =>
      chain()
        .filter(({ seq }) => seq > afterSeq)
        .slice(0, limit),
    countSince: async (kind, since, limit) =>
      Math.min(limit, chain().filter((event) => event.kind === kind && event.at >= since).length),
    removeBefore: async (before, limit) => {
      for (const { seq, at } of chain().slice(0, -1).slice(0, limit)) {
        if (at >= before) return;
        events.delete(seq);
      }
    },
  };
}
