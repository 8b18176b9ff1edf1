import type { Enrichment, EnrichmentStore } from '../../../../ports/enrichments.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import { selectByIds, type Sql, type Value } from '../../sql.ts';

const ENRICHMENT = recordMap<Enrichment>({
  objectId: plain('object_id'),
  version: plain('version'),
  model: plain('model'),
  language: plain('language'),
  title: plain('title'),
  description: plain('description'),
  summary: plain('summary'),
  docType: plain('doc_type'),
  keywords: json('keywords'),
  entities: json('entities'),
});
const SELECT = `select ${ENRICHMENT.columns.join(', ')} from enrichments where owner_id = ?`;
const PUT = saveText('enrichments', ENRICHMENT, ['object_id']);

type Row = Record<string, Value>;

export function knexEnrichments(sql: Sql, { ownerId }: OwnerScope): EnrichmentStore {
  return {
    find: async (objectId) => {
      const row = await sql.get<Row>(`${SELECT} and object_id = ?`, [ownerId, objectId]);
      return row && ENRICHMENT.from(row);
    },
    findMany: async (objectIds) => {
      const text = (placeholders: string) => `${SELECT} and object_id in (${placeholders})`;
      return (await selectByIds<Row>(sql, text, [ownerId], objectIds)).map(ENRICHMENT.from);
    },
    put: (enrichment) => sql.enqueueChange(PUT, [ownerId, ...ENRICHMENT.values(enrichment)]),
    remove: (objectId) =>
      sql.enqueueChange('delete from enrichments where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]),
  };
}
