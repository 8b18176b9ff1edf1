import type { AgentUndo, AgentUndoState, AgentUndoStore } from '../../../../ports/agent-undos.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const UNDO = recordMap<AgentUndo>({
  id: plain('id'),
  sessionId: plain('session_id'),
  tool: plain('tool'),
  effects: json('effects'),
  createdAt: plain('created_at'),
  expiresAt: plain('expires_at'),
  undoneAt: plain('undone_at'),
});
const STATE = recordMap<AgentUndoState>({
  id: plain('id'),
  expiresAt: plain('expires_at'),
  undoneAt: plain('undone_at'),
});
const SAVE = saveText('agent_undos', UNDO, ['id']);
const FIND = `select ${UNDO.columns.join(', ')} from agent_undos where owner_id = ? and id = ?`;
const STATES = `select ${STATE.columns.join(', ')} from agent_undos
  where owner_id = ? and session_id = ?`;
const EXPIRED = (isUndone: boolean) => `owner_id = ? and id in (
  select id from agent_undos
  where owner_id = ? and expires_at < ? and undone_at is ${isUndone ? 'not ' : ''}null limit ?)`;
const REMOVE_EXPIRED = `delete from agent_undos where ${EXPIRED(false)}`;
const CLEAR_EXPIRED = `update agent_undos set effects = '[]', expires_at = null
  where ${EXPIRED(true)}`;

type Row = Record<string, Value>;

export function knexAgentUndos(sql: Sql, { ownerId }: OwnerScope): AgentUndoStore {
  return {
    find: async (id) => {
      const row = await sql.get<Row>(FIND, [ownerId, id]);
      return row && UNDO.from(row);
    },
    save: (undo) => sql.enqueueChange(SAVE, [ownerId, ...UNDO.values(undo)]),
    statesOf: async (sessionId) =>
      (await sql.all<Row>(STATES, [ownerId, sessionId])).map(STATE.from),
    removeOf: (sessionId) =>
      sql.enqueueChange('delete from agent_undos where owner_id = ? and session_id = ?', [
        ownerId,
        sessionId,
      ]),
    removeExpired: async (before, limit) => {
      const removed = await sql.run(REMOVE_EXPIRED, [ownerId, ownerId, before, limit]);
      if (removed >= limit) return removed;
      const cleared = [ownerId, ownerId, before, limit - removed];
      return removed + (await sql.run(CLEAR_EXPIRED, cleared));
    },
  };
}
