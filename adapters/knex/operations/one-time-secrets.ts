import {
  MAX_ONE_TIME_SECRETS,
  ONE_TIME_PURPOSES,
  type OneTimeSecret,
  type OneTimeSecrets,
} from '../../../ports/sign-in.ts';
import type { Database } from '../database.ts';
import { plain, recordMap } from '../record-mapper.ts';
import { upsertText, type Value } from '../sql.ts';

const SECRET = recordMap<OneTimeSecret>({
  digest: plain('digest'),
  purpose: plain('purpose'),
  ownerId: plain('owner_id'),
  payload: plain('payload'),
  expiresAt: plain('expires_at'),
});
const ADD = upsertText('one_time_secrets', SECRET.columns, ['digest']);
/** The added secret itself is never dropped. */
const DROP_FIRST = `delete from one_time_secrets where digest in (
  select digest from one_time_secrets where purpose = ? and digest <> ?
  order by expires_at desc, digest desc limit ? offset ?)`;
const DROP_FIRST_OF_OWNER = `delete from one_time_secrets where digest in (
  select digest from one_time_secrets where owner_id = ? and purpose = ? and digest <> ?
  order by expires_at desc, digest desc limit ? offset ?)`;
const CONSUME = `delete from one_time_secrets where digest = ? and purpose = ?
  returning ${SECRET.columns.join(', ')}`;

const LOCK_KEY = 'one-time-secrets';

export function knexOneTimeSecrets({ write }: Database): OneTimeSecrets {
  return {
    add: (secret, limit = MAX_ONE_TIME_SECRETS, limitOfOwner = limit) =>
      write(`${LOCK_KEY} ${secret.purpose}`, async (sql) => {
        const { purpose, digest, ownerId } = secret;
        await sql.enqueueChange(ADD, SECRET.values(secret));
        await sql.enqueueChange(DROP_FIRST, [purpose, digest, MAX_ONE_TIME_SECRETS, limit - 1]);
        if (ownerId !== null && limitOfOwner < limit)
          await sql.enqueueChange(DROP_FIRST_OF_OWNER, [
            ...[ownerId, purpose, digest],
            ...[MAX_ONE_TIME_SECRETS, limitOfOwner - 1],
          ]);
      }),
    consume: (digest, purpose, now) =>
      write(`${LOCK_KEY} ${purpose}`, async (sql) => {
        const [row] = await sql.all<Record<string, Value>>(CONSUME, [digest, purpose]);
        const secret = row && SECRET.from(row);
        return secret && secret.expiresAt > now ? secret : undefined;
      }),
    removeOf: (ownerId, purpose) =>
      write(`${LOCK_KEY} ${purpose}`, (sql) =>
        sql.enqueueChange('delete from one_time_secrets where owner_id = ? and purpose = ?', [
          ownerId,
          purpose,
        ]),
      ),
    removeExpired: async (before) => {
      for (const purpose of ONE_TIME_PURPOSES)
        await write(`${LOCK_KEY} ${purpose}`, (sql) =>
          sql.enqueueChange('delete from one_time_secrets where purpose = ? and expires_at < ?', [
            purpose,
            before,
          ]),
        );
    },
  };
}
