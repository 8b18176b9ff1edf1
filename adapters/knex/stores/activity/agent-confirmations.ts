import type {
  AgentConfirmation,
  AgentConfirmationStore,
} from '../../../../ports/agent-confirmations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const CONFIRMATION = recordMap<AgentConfirmation>({
  id: plain('id'),
  sessionId: plain('session_id'),
  run: plain('run'),
  createdAt: plain('created_at'),
  expiresAt: plain('expires_at'),
});
const COLUMNS = CONFIRMATION.columns.join(', ');
const ADD = `insert into agent_confirmations (owner_id, ${COLUMNS})
  values (${placeholders(CONFIRMATION.columns.length + 1)})`;
const FIND = `select ${COLUMNS} from agent_confirmations where owner_id = ? and id = ?`;
const OF_SESSION = `select ${COLUMNS} from agent_confirmations
  where owner_id = ? and session_id = ?`;
const RETAIN = `delete from agent_confirmations where owner_id = ? and id not in (
  select id from agent_confirmations where owner_id = ? order by created_at desc, id desc limit ?)`;

export function knexAgentConfirmations(sql: Sql, { ownerId }: OwnerScope): AgentConfirmationStore {
  return {
    find: async (id) => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId, id]);
      return row && CONFIRMATION.from(row);
    },
    ofSession: async (sessionId) =>
      (await sql.all<Record<string, Value>>(OF_SESSION, [ownerId, sessionId])).map(
        CONFIRMATION.from,
      ),
    add: (confirmation) => sql.enqueueChange(ADD, [ownerId, ...CONFIRMATION.values(confirmation)]),
    remove: async (id) =>
      (await sql.run('delete from agent_confirmations where owner_id = ? and id = ?', [
        ownerId,
        id,
      ])) > 0,
    removeExpired: (now) =>
      sql.enqueueChange('delete from agent_confirmations where owner_id = ? and expires_at <= ?', [
        ownerId,
        now,
      ]),
    retain: (newest) => sql.enqueueChange(RETAIN, [ownerId, ownerId, newest]),
  };
}
