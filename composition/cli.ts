import { enableCompileCache } from 'node:module';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { BackupError } from '../core/backup/index.ts';
import { OperatorError } from '../core/identity/index.ts';
import { ArchiveDamaged } from '../ports/archives.ts';
import { PortFailure } from '../ports/failures.ts';
import type { Shown, WantedOwner, WantedToken } from './accounts-commands.ts';
import type { WantedBackup } from './backup-command.ts';
import type { WantedInspection } from './doctor-command.ts';
import { ConfigError } from './environment.ts';
import type { WantedRestore } from './restore-command.ts';
import type { WantedRotation } from './secrets-command.ts';
import type { Wanted } from './serve.ts';
import { keepYoungSpaceSmall } from './heap-growth.ts';

/** One line on standard error, exit status 1: what an operator or a script can act on. */
function fail(error: unknown): never {
  const known =
    error instanceof OperatorError ||
    error instanceof ConfigError ||
    error instanceof BackupError ||
    error instanceof ArchiveDamaged ||
    error instanceof PortFailure;
  const cause = error instanceof PortFailure ? ` (${String(error.cause)})` : '';
  process.stderr.write(
    known
      ? `owner-workspace: ${error.message}${cause}\n`
      : `${(error as Error).stack ?? String(error)}\n`,
  );
  process.exit(1);
}

const wholeDays = (text: string): number => {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 3650)
    throw new InvalidArgumentError('A whole number from 1 to 3650 is needed.');
  return days;
};

const access = (text: string): 'full' | 'read' => {
  if (text !== 'full' && text !== 'read') throw new InvalidArgumentError('full or read is needed.');
  return text;
};

const port = (text: string): string => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('A whole number from 0 to 65535 is needed.');
  return text;
};

// Files of the workspace, and backups of it, are for the user it runs as and for no other.
process.umask(0o077);

// Compiled code is kept in the system's folder for temporary files: a start takes half the time from the second on.
enableCompileCache();

// Each command loads what it needs when it runs: `--help` and a wrong word answer at once.
const accounts = () => import('./accounts-commands.ts');
const serving = () => {
  keepYoungSpaceSmall();
  return import('./serve.ts');
};

// What this is told before a command is made, the command is told as well.
const program = new Command('owner-workspace')
  .exitOverride()
  .description('A self-hosted personal document workspace behind an HTTP JSON API.')
  .showHelpAfterError('(--help shows every command)')
  // Before there are subcommands: each takes over what its parent has when it is made.
  .exitOverride();

/** Adds a command with the options that all of them take. */
const command = (parent: Command, words: string, description: string): Command =>
  parent.command(words).description(description).option('--json', 'print JSON');

command(program, 'start', 'serve; on an empty workspace first make a tenant, an owner and a token')
  .option('--port <port>', 'port to listen on', port)
  .option('--host <host>', 'address to listen on')
  .action(async (options: Wanted) => (await serving()).start(options));
command(program, 'serve', 'serve the interface and work on background tasks')
  .option('--port <port>', 'port to listen on', port)
  .option('--host <host>', 'address to listen on')
  .action(async (options: Wanted) => (await serving()).serve(options));
command(program, 'worker', 'work on background tasks only').action(async (options: Wanted) =>
  (await serving()).worker(options),
);
command(program, 'migrate', 'bring the database to this version').action(async (options: Shown) =>
  (await accounts()).migrate(options),
);
command(program, 'openapi', 'print the OpenAPI document').action(async () =>
  (await import('./reference.ts')).printOpenApi(),
);

command(
  program,
  'doctor',
  'look for orphans and drift, beside a server or without one; exit 1 if any',
)
  .option('--verify', 'read every file and compare it with its row')
  .action(async (options: WantedInspection) =>
    (await import('./doctor-command.ts')).doctor(options),
  );

command(
  program,
  'backup <file>',
  'write all rows and files into one file, beside a server or without one; - is standard output',
)
  .option('--force', 'write over the file where it is there')
  .option('--keep-damaged', 'go on where files are missing or damaged')
  .action(async (file: string, options: WantedBackup) =>
    (await import('./backup-command.ts')).backup(file, options),
  );
command(program, 'restore <file>', 'put a backup into an empty data folder or database')
  .option('--without-key', 'restore under another key; what is sealed stays closed')
  .option(
    '--keep-access',
    'keep the tokens, share links and calendar feeds of the backup; what was revoked since works again',
  )
  .action(async (file: string, options: WantedRestore) =>
    (await import('./restore-command.ts')).restore(file, options),
  );

const tenant = program.command('tenant').description('tenants');
command(tenant, 'create <name>', 'make a tenant').action(async (name: string, options: Shown) =>
  (await accounts()).createTenant(name, options),
);

const owner = program.command('owner').description('owners');
command(owner, 'create <name>', 'make an owner with a first token')
  .requiredOption('--tenant <tenant>', 'id or name of the tenant')
  .option('--role <role>', 'account role')
  .action(async (name: string, options: WantedOwner) =>
    (await accounts()).createOwner(name, options),
  );
command(owner, 'list', 'list all owners').action(async (options: Shown) =>
  (await accounts()).listOwners(options),
);

const token = program.command('token').description('bearer tokens');
command(token, 'issue', 'issue a token; its secret is shown this once')
  .requiredOption('--owner <id>', 'id of the owner')
  .option('--name <name>', 'what it is for', 'issued')
  .option('--days <days>', 'days until it expires', wholeDays)
  .option('--access <access>', 'full or read', access, 'full')
  .action(async (options: WantedToken) => (await accounts()).issueToken(options));
command(token, 'revoke <prefix>', 'revoke the token with this prefix at once').action(
  async (prefix: string, options: Shown) => (await accounts()).revokeToken(prefix, options),
);

const secrets = program.command('secrets').description('what is sealed under the key');
command(secrets, 'rotate', 'seal the secrets of owners anew, under the key of today')
  .requiredOption('--from <key>', 'the old key; - reads it from standard input')
  .action(async (options: WantedRotation) =>
    (await import('./secrets-command.ts')).rotate(options),
  );

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own complaint, or the help that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
