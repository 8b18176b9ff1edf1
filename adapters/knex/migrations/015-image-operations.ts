import type { Migration } from './migration.ts';

/** Operations on pictures, in the order in which their owner asked for them. */
export const imageOperations: Migration = {
  version: 15,
  name: 'image operations',
  up: async (knex, { text, int, flag, small }) => {
    await knex.raw(`create table image_operations (
      owner_id ${text} not null,
      id ${text} not null,
      ord ${int} not null,
      object_id ${text} not null,
      operation ${text} not null,
      state ${text} not null,
      ended ${flag} not null,
      error ${text},
      version ${int},
      created_at ${int} not null,
      updated_at ${int} not null,
      primary key (owner_id, id)
    )${small}`);
    await knex.raw(
      'create index image_operations_in_order on image_operations (owner_id, ended, ord)',
    );
    await knex.raw(
      'create index image_operations_of_object on image_operations (owner_id, object_id, ended, ord)',
    );
  },
};
