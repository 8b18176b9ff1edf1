import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import type { Sql } from '../sql.ts';

/** The short number that the search index has for an owner. */
export interface OwnerNumber {
  /** 0, which is never assigned, until the first object is indexed. */
  get(): Promise<number>;
  /** The same, and gives the owner a number if there is none. */
  assign(): Promise<number>;
  /** It was read along with something else. */
  learn(number: number | undefined): void;
}

export function createOwnerNumber(sql: Sql, { tenantId, ownerId }: OwnerScope): OwnerNumber {
  let known: number | undefined;
  const read = async (): Promise<number> => {
    const found = await sql.get<{ owner_no: number }>(
      'select owner_no from search_owners where tenant_id = ? and owner_id = ?',
      [tenantId, ownerId],
    );
    return (known ??= found?.owner_no) ?? 0;
  };
  const get = async (): Promise<number> => known ?? read();
  return {
    get,
    assign: async () => {
      if ((await get()) === 0)
        await sql.enqueueChange(
          'insert into search_owners (tenant_id, owner_id) values (?, ?) on conflict do nothing',
          [tenantId, ownerId],
        );
      return get();
    },
    learn: (number) => {
      known ??= number;
    },
  };
}
