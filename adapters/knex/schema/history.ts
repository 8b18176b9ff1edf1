import type { Migration } from './migration.ts';

/** The rows of `schema_versions`, oldest first: the migrations that a database has been through. */
export type SchemaHistory = readonly Pick<Migration, 'version' | 'name'>[];

/** The data was written by a later version of the program. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The data was written by a build from before the first release. Its migrations no longer exist. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';
}

/**
 * Whether migrations remain to be applied. Throws SchemaTooNewError or SchemaTooOldError if these migrations cannot lead
 * from the history to their newest version. Builds from before the first release had versions 1 to 25 as well, so the name
 * of the first migration tells them apart.
 */
export function isBehind(history: SchemaHistory, migrations: readonly Migration[]): boolean {
  const version = history.at(-1)?.version ?? 0;
  const newest = migrations.at(-1)?.version ?? 0;
  const first = history[0];
  if (first && first.name !== migrations[0]?.name)
    throw new SchemaTooOldError(
      `The database was created by a build from before the first release (its schema ${version}), ` +
        'which this version cannot upgrade. Export each workspace with that build (GET /v1/export), start this ' +
        'version with an empty DATA_DIR and an empty database, and import the exports (POST /v1/import).',
    );
  if (version > newest)
    throw new SchemaTooNewError(
      `The database has schema ${version}, but this program knows only schema ${newest}. ` +
        'Run the version of the program that wrote it, or a newer one.',
    );
  return version < newest;
}
