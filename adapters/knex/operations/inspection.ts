import {
  MAX_EXAMPLES,
  type Finding,
  type BlobReference,
  type IntegrityChecks,
} from '../../../ports/integrity.ts';
import type { CopyLocation } from '../../../ports/blob-locations.ts';
import { titleRowNumber } from '../../../ports/search.ts';
import type { Database } from '../database.ts';
import { BLOB_REFERENCES, checksFor, indexedRows, type Check } from './inspection-checks.ts';
import type { Sql, Value } from '../sql.ts';
import { SECURITY_EVENTS_OF_ALL, toSecurityEvent } from '../stores/account/security-events.ts';

const OWNERS_AT_ONCE = 500;
/** Objects whose index entries are checked in one step. */
const OBJECTS_AT_ONCE = 500;

const HELD = `select h.*, p.location, p.copy_id from (${BLOB_REFERENCES.map(
  ([table, blobId, sha256, size]) =>
    `select * from (select ${blobId} as blob_id, ${sha256} as sha256, ${size} as size,
      '${table}' as holder from ${table} where ${blobId} > ? order by ${blobId} limit ?) ${table}_part`,
).join(' union all ')} order by blob_id limit ?) h
  left join blob_locations p on p.blob_id = h.blob_id and p.state = 'current' order by h.blob_id`;

interface HeldRow {
  readonly blob_id: string;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly holder: string;
  readonly location: CopyLocation | null;
  readonly copy_id: string | null;
}

/** Every step is one read statement and sees one snapshot. No transaction stays open between two steps. */
export function knexInspection({
  queryOnce,
  dialect,
}: Pick<Database, 'queryOnce' | 'dialect'>): IntegrityChecks {
  const checks = checksFor({ dialect });
  const steps = { owner: ownerSteps, numbers: numberSteps };

  return {
    examine: async (name) => {
      const check = checks[name];
      let count = 0;
      const examples: string[] = [];
      for await (const { owner, values } of steps[check.each](queryOnce)) {
        const rows = await queryOnce((sql) => wrongRows(sql, check, values));
        count += rows[0]?.n ?? 0;
        examples.push(...rows.map(({ what }) => `${owner}/${what}`));
      }
      return { name, count, examples: examples.slice(0, MAX_EXAMPLES) } satisfies Finding;
    },
    blobReferences: async (after, limit) => {
      const values = [...BLOB_REFERENCES.flatMap(() => [after ?? '', limit]), limit];
      const rows = await queryOnce((sql) => sql.all<HeldRow>(HELD, values));
      return rows.map(({ blob_id: blobId, location, copy_id: copyId, ...row }): BlobReference => {
        const storedAs = (location ?? 'service') === 'service' ? (copyId ?? blobId) : null;
        return { blobId, storedAs, ...row };
      });
    },
    subjects: async (taskKind) => {
      const rows = await queryOnce((sql) =>
        sql.all<{ subject: string }>(
          'select subject from tasks where kind = ? and claimable_at is not null',
          [taskKind],
        ),
      );
      return rows.map(({ subject }) => subject);
    },
    securityEvents: async (after, limit) => {
      const values = [after?.ownerId ?? '', after?.seq ?? 0, limit];
      const rows = await queryOnce((sql) =>
        sql.all<Record<string, Value>>(SECURITY_EVENTS_OF_ALL, values),
      );
      return rows.map((row) => ({
        ownerId: String(row['owner_id']),
        event: toSecurityEvent(row),
      }));
    },
  };
}

interface Step {
  readonly owner: string;
  /** For the marks of the check, in their order and as often as needed. */
  readonly values: readonly Value[];
}

async function* ownerSteps(look: Database['queryOnce']): AsyncGenerator<Step> {
  for (let last = ''; ;) {
    const owners = await look((sql) =>
      sql.all<{ id: string }>('select id from owners where id > ? order by id limit ?', [
        last,
        OWNERS_AT_ONCE,
      ]),
    );
    for (const { id } of owners) yield { owner: id, values: [id] };
    const end = owners.at(-1);
    if (!end) return;
    last = end.id;
  }
}

async function* numberSteps(look: Database['queryOnce']): AsyncGenerator<Step> {
  const highest = await look((sql) =>
    sql.get<{ number: number }>(
      `select coalesce(max(number), 0) as number from (
         select max(number) as number from search_passages
         union all select max(number) from ${indexedRows(sql)} t) numbers`,
    ),
  );
  const step = titleRowNumber(OBJECTS_AT_ONCE);
  for (let from = 0; from <= (highest?.number ?? 0); from += step)
    yield { owner: 'search', values: [from, from + step] };
}

/** A few of the wrong rows, each with how many there are in all. */
function wrongRows(
  sql: Sql,
  { query }: Check,
  values: readonly Value[],
): Promise<{ what: string; n: number }[]> {
  const marks = query.split('?').length - 1;
  const repeated = Array.from({ length: marks }, (_, i) => values[i % values.length] ?? null);
  return sql.all(
    `select what, count(*) over () as n from (${query}) wrong order by what limit ${MAX_EXAMPLES}`,
    repeated,
  );
}
