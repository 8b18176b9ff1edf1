import type {
  Integration,
  IntegrationStore,
  RetiredBucket,
} from '../../../../ports/integrations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const INTEGRATION = recordMap<Integration>({
  kind: plain('kind'),
  config: json('config'),
  sealedSecret: plain('sealed_secret'),
  secretHint: plain('secret_hint'),
  enabled: flag('enabled'),
  health: plain('health'),
  checkedAt: plain('checked_at'),
  lastError: plain('last_error'),
  habits: json('habits'),
  updatedAt: plain('updated_at'),
});
const FIND = `select ${INTEGRATION.columns.join(', ')} from integrations
  where owner_id = ? and kind = ?`;
const PUT = saveText('integrations', INTEGRATION, ['kind']);
const REMOVE = 'delete from integrations where owner_id = ? and kind = ?';

const RETIRED = recordMap<RetiredBucket>({
  id: plain('id'),
  config: json('config'),
  sealedSecret: plain('sealed_secret'),
});
const ALL_RETIRED = `select ${RETIRED.columns.join(', ')} from retired_buckets
  where owner_id = ? order by id`;
const RETIRE = saveText('retired_buckets', RETIRED, ['id']);
const FORGET_RETIRED = 'delete from retired_buckets where owner_id = ? and id = ?';

export function knexIntegrations(sql: Sql, { ownerId }: OwnerScope): IntegrationStore {
  return {
    find: async (kind) => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId, kind]);
      return row && INTEGRATION.from(row);
    },
    put: (integration) => sql.enqueueChange(PUT, [ownerId, ...INTEGRATION.values(integration)]),
    remove: async (kind) => (await sql.run(REMOVE, [ownerId, kind])) > 0,
    retired: async () =>
      (await sql.all<Record<string, Value>>(ALL_RETIRED, [ownerId])).map(RETIRED.from),
    retire: (bucket) => sql.enqueueChange(RETIRE, [ownerId, ...RETIRED.values(bucket)]),
    forgetRetired: (id) => sql.enqueueChange(FORGET_RETIRED, [ownerId, id]),
  };
}
