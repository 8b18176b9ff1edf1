import { enableCompileCache } from 'node:module';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { BackupError } from '../core/backup/index.ts';
import { DEFAULT_TOKEN_DAYS, OperatorError } from '../core/identity/index.ts';
import { CorruptArchiveError } from '../ports/archives.ts';
import { UnavailableError } from '../ports/errors.ts';
import { MAX_TOKEN_FOLDERS, TOKEN_SCOPES, type TokenScope } from '../ports/identity.ts';
import type { Shown, OwnerOptions, TokenOptions } from './accounts-commands.ts';
import type { BackupCommandOptions } from './backup-command.ts';
import type { DoctorOptions } from './doctor-command.ts';
import { ConfigError } from './env-variables.ts';
import type { RestoreCommandOptions } from './restore-command.ts';
import type { RotationOptions } from './secrets-command.ts';
import type { ServeOptions, StartOptions } from './serve.ts';
import { limitYoungGeneration } from './heap-limits.ts';

/** One line on standard error, exit status 1: what an operator or a script can act on. */
function fail(error: unknown): never {
  const known =
    error instanceof OperatorError ||
    error instanceof ConfigError ||
    error instanceof BackupError ||
    error instanceof CorruptArchiveError ||
    error instanceof UnavailableError;
  const cause = error instanceof UnavailableError ? ` (${String(error.cause)})` : '';
  process.stderr.write(
    known
      ? `owner-workspace: ${error.message}${cause}\n`
      : `${(error as Error).stack ?? String(error)}\n`,
  );
  process.exit(1);
}

const lifetime = (text: string): number | 'never' => {
  if (text === 'never') return text;
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 3650)
    throw new InvalidArgumentError('It has to be a whole number from 1 to 3650, or never.');
  return days;
};

const scopeList = (text: string): readonly TokenScope[] =>
  distinct(text).map((word) => {
    const scope = TOKEN_SCOPES.find((each) => each === word);
    if (!scope)
      throw new InvalidArgumentError(`It has to be a list of ${TOKEN_SCOPES.join(', ')}.`);
    return scope;
  });

const folderList = (text: string): readonly string[] => {
  const ids = distinct(text);
  if (ids.length > MAX_TOKEN_FOLDERS)
    throw new InvalidArgumentError(`It has to be a list of at most ${MAX_TOKEN_FOLDERS} ids.`);
  if (!ids.every((id) => UUID.test(id)))
    throw new InvalidArgumentError('It has to be a list of ids of folders.');
  return ids;
};

/** The words of a list with commas, in lower case, each once. */
const distinct = (text: string): readonly string[] => [
  ...new Set(text.split(',').map((word) => word.trim().toLowerCase())),
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const access = (text: string): 'full' | 'read' => {
  if (text !== 'full' && text !== 'read')
    throw new InvalidArgumentError('It has to be full or read.');
  return text;
};

const port = (text: string): string => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It has to be a whole number from 0 to 65535.');
  return text;
};

// Files of the workspace, and its backups, are accessible only to the user it runs as.
process.umask(0o077);

// The compile cache is in the system's temporary folder: from the second start on it halves the startup time.
enableCompileCache();

// Each command is loaded when it runs, so that `--help` and invalid arguments respond immediately.
const accounts = () => import('./accounts-commands.ts');
const serving = () => {
  limitYoungGeneration();
  return import('./serve.ts');
};

// Settings made before a command is added apply to the command as well.
const program = new Command('owner-workspace')
  .exitOverride()
  .description('A self-hosted personal document workspace behind an HTTP JSON API.')
  .showHelpAfterError('(--help shows every command)')
  // Before subcommands are added: each inherits the settings of its parent.
  .exitOverride();

/** Adds a command with the common options. */
const command = (parent: Command, words: string, description: string): Command =>
  parent.command(words).description(description).option('--json', 'print JSON');

command(
  program,
  'start',
  'serve; in an empty workspace first create a tenant, an owner and a token',
)
  .option('--port <port>', 'port to listen on', port)
  .option('--host <host>', 'address to listen on')
  .option('--owner <name>', 'name of the first owner', 'me')
  .action(async (options: StartOptions) => (await serving()).start(options));
command(program, 'serve', 'serve the API and run background tasks')
  .option('--port <port>', 'port to listen on', port)
  .option('--host <host>', 'address to listen on')
  .action(async (options: ServeOptions) => (await serving()).serve(options));
command(program, 'worker', 'work on background tasks only').action(async (options: ServeOptions) =>
  (await serving()).worker(options),
);
command(program, 'migrate', 'migrate the database to this version').action(async (options: Shown) =>
  (await accounts()).migrate(options),
);
command(program, 'openapi', 'print the OpenAPI document').action(async () =>
  (await import('./reference.ts')).printOpenApi(),
);

command(
  program,
  'doctor',
  'check the integrity of rows and files, with or without a running server; exit 1 if anything is damaged',
)
  .option('--verify', 'read every file and compare it with its row')
  .action(async (options: DoctorOptions) => (await import('./doctor-command.ts')).doctor(options));

command(
  program,
  'backup <file>',
  'write all rows and files into one file, with or without a running server; - is standard output',
)
  .option('--force', 'overwrite the file if it exists')
  .option('--keep-damaged', 'go on where files are missing or damaged')
  .action(async (file: string, options: BackupCommandOptions) =>
    (await import('./backup-command.ts')).backup(file, options),
  );
command(program, 'restore <file>', 'restore a backup into an empty data folder or database')
  .option('--without-key', 'restore with another key; sealed secrets cannot be opened')
  .option(
    '--keep-access',
    'keep the tokens, share links and calendar feeds of the backup valid, also those revoked since',
  )
  .action(async (file: string, options: RestoreCommandOptions) =>
    (await import('./restore-command.ts')).restore(file, options),
  );

const tenant = program.command('tenant').description('tenants');
command(tenant, 'create <name>', 'create a tenant').action(async (name: string, options: Shown) =>
  (await accounts()).createTenant(name, options),
);

const owner = program.command('owner').description('owners');
command(owner, 'create <name>', 'create an owner with a first token')
  .requiredOption('--tenant <tenant>', 'id or name of the tenant')
  .option('--role <role>', 'account role')
  .action(async (name: string, options: OwnerOptions) =>
    (await accounts()).createOwner(name, options),
  );
command(owner, 'list', 'list all owners').action(async (options: Shown) =>
  (await accounts()).listOwners(options),
);

command(
  owner,
  'sign-in-link <owner>',
  'print a link that signs an owner, by id or name, in once within 30 minutes',
).action(async (who: string, options: Shown) => (await accounts()).createSignInLink(who, options));

const token = program.command('token').description('bearer tokens');
command(token, 'issue', 'issue a token; its secret is shown only once')
  .requiredOption('--owner <id>', 'id of the owner')
  .option('--name <name>', 'label of the token', 'issued')
  .option(
    '--days <days>',
    `days until it expires, or never; ${DEFAULT_TOKEN_DAYS} by default`,
    lifetime,
  )
  .option('--access <access>', 'full or read; full by default', access)
  .option('--scopes <list>', 'instead of --access: scopes with commas', scopeList)
  .option('--folders <list>', 'ids of the folders that it is bound to, with commas', folderList)
  .action(async (options: TokenOptions) => (await accounts()).issueToken(options));
command(token, 'revoke <prefix>', 'revoke the token with this prefix immediately').action(
  async (prefix: string, options: Shown) => (await accounts()).revokeToken(prefix, options),
);

const secrets = program.command('secrets').description('commands for sealed secrets');
command(secrets, 'rotate', 'seal the secrets of owners again with the current key')
  .requiredOption('--from <key>', 'the old key; - reads it from standard input')
  .action(async (options: RotationOptions) =>
    (await import('./secrets-command.ts')).rotateSecretsCommand(options),
  );

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own error, or the requested help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
