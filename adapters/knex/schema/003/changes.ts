import type { DialectTypes } from '../migration.ts';

/** What the stream of changes needs. */
export const changesStatements = (_types: DialectTypes): readonly string[] => [];
