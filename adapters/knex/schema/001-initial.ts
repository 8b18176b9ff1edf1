import type { Migration } from './migration.ts';
import { accountTables } from './tables/accounts.ts';
import { activityTables } from './tables/activity.ts';
import { botTables } from './tables/bots.ts';
import { calendarTables } from './tables/calendar.ts';
import { chatTables } from './tables/chats.ts';
import { contentTables } from './tables/contents.ts';
import { folderTables } from './tables/folders.ts';
import { notificationTables } from './tables/notifications.ts';
import { objectTables } from './tables/objects.ts';
import { createSearchTables } from './tables/search.ts';
import { shareTables } from './tables/shares.ts';
import { storageTables } from './tables/storage.ts';
import { usageTables } from './tables/usage.ts';

/** Each returns its statements in the order in which they run. */
const AREAS = [
  accountTables,
  usageTables,
  objectTables,
  contentTables,
  folderTables,
  chatTables,
  activityTables,
  notificationTables,
  calendarTables,
  botTables,
  shareTables,
  storageTables,
];

/**
 * The first version of the schema. Rows begin with their owner. Times are epoch milliseconds, flags are 0 or 1, structures
 * are JSON text. A missing folder or theme is '' where an index begins with it. Text is compared byte by byte.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  up: async (knex, types) => {
    for (const statementsOf of AREAS)
      for (const statement of statementsOf(types)) await knex.raw(statement);
    await createSearchTables(knex, types);
  },
};
