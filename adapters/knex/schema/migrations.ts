import { initial } from './001-initial.ts';
import type { Migration } from './migration.ts';

/** All versions of the schema, oldest first. A released migration is never changed; a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [initial];
