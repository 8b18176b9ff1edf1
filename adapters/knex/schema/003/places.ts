import type { DialectTypes } from '../migration.ts';

/** Where words are on pages. */
export const placesStatements = (_types: DialectTypes): readonly string[] => [];
