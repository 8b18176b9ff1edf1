import { bareDatabases } from './backends.ts';
import { backupRowsContract } from './suites/backup-rows.ts';

// Each gives its rows to the other: one format serves both.
for (const [i, [name, open]] of bareDatabases.entries()) {
  const [otherName, openOther] = bareDatabases[(i + 1) % bareDatabases.length] ?? [name, open];
  describe(`${name}, from ${otherName}: BackupSource and RestoreTarget`, () =>
    backupRowsContract(open, openOther));
}
