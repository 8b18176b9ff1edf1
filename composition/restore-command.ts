import { existsSync } from 'node:fs';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { tablesOf } from '../adapters/knex/operations/restore-target.ts';
import { hmacKeyFingerprint } from '../adapters/node/key-fingerprint.ts';
import { cryptoRandom, sha256Digest, systemClock } from '../adapters/node/system.ts';
import {
  BackupError,
  openBackup,
  restoreBackup,
  summaryOf,
  verifyBackup,
  type OpenedBackup,
  type RestoreOptions,
  type RestoredAccess,
} from '../core/backup/index.ts';
import type { Shown } from './accounts-commands.ts';
import { openRestoreTarget, sqliteFile } from './profiles.ts';
import { backupBytes } from './backup-file.ts';
import { readConfig, type Config } from './config.ts';
import { claimDataFolder, makeDataFolder } from './data-folder.ts';
import { ConfigError } from './env-variables.ts';
import { installationKey, presentKey } from './installation-key.ts';
import { progressLines } from './progress-output.ts';

export interface RestoreCommandOptions extends Shown {
  /** Commander's name for `--without-key`. */
  readonly withoutKey?: true;
  readonly keepAccess?: true;
}

/** Far more than any disk holds; only the directory is held in memory. */
const LIMITS = { maxEntries: 2 ** 24, maxBytes: Number.MAX_SAFE_INTEGER };

/** Restores a backup into an empty installation. The backup is verified completely before anything is written. */
export async function restore(file: string, options: RestoreCommandOptions): Promise<void> {
  const { json, withoutKey = false, keepAccess = false } = options;
  const config = readConfig();
  if (config.profile === 'memory')
    throw new ConfigError('PROFILE=memory: nothing can be restored into the memory of a process.');
  const key = await presentKey(config.secretKey, config.dataDir);
  const deps = { target: { tablesOf }, key: key === undefined ? null : hmacKeyFingerprint(key) };
  const archive = await zipArchives().open(await backupBytes(file), LIMITS);
  await requireUnused(config);
  const backup = await openBackup(deps, archive, withoutKey);
  const progress = progressLines();
  const { onProgress } = progress;
  await verifyBackup(backup, onProgress);
  const access = await restoreInto(config, backup, { keepAccess, onProgress });
  progress.end();
  const summary = {
    file,
    ...summaryOf(backup.manifest),
    with_key: backup.withKey,
    ...accessSummary(access),
  };
  const lines = [
    `${file} is restored: ${summary.rows} rows and ${summary.files} files`,
    ...accessLines(access),
  ];
  process.stdout.write(`${json ? JSON.stringify(summary) : lines.join('\n')}\n`);
  if (!backup.withKey && summary.sealed > 0)
    process.stderr.write(
      `${summary.sealed} secrets stay closed: \`secrets rotate --from OLD_KEY\` opens them\n`,
    );
}

const accessSummary = (access: RestoredAccess | undefined) => ({
  access_kept: access === undefined,
  ended: {
    tokens: access?.tokens ?? 0,
    shares: access?.shares ?? 0,
    feeds: access?.feeds ?? 0,
    link_codes: access?.linkCodes ?? 0,
  },
  tokens: (access?.bearers ?? []).map(({ ownerId, name, bearer }) => ({
    owner_id: ownerId,
    name,
    token: bearer,
  })),
});

function accessLines(access: RestoredAccess | undefined): readonly string[] {
  if (!access)
    return [
      'Tokens, share links and calendar feeds are valid as at the time of the backup, also those revoked since.',
    ];
  const { tokens, shares, feeds, owners, bearers } = access;
  const others = owners - bearers.length;
  return [
    `Access from the backup was revoked: ${tokens} tokens, ${shares} share links, ${feeds} calendar feeds.`,
    ...bearers.map(({ ownerId, name, bearer }) => `token ${bearer} for ${name} (${ownerId})`),
    ...(others > 0 ? [`${others} more owners need a token: \`token issue --owner ID\``] : []),
  ];
}

/** Checked before the backup is read: a missing installation has nothing to open, and nothing is created. */
async function requireUnused(config: Config): Promise<void> {
  if (config.profile === 'standalone' && !existsSync(sqliteFile(config))) return;
  const place = await openRestoreTarget(config);
  try {
    if ((await place.target.state()) === 'used') throw inUse(config);
  } finally {
    await place.close();
  }
}

async function restoreInto(
  config: Config,
  backup: OpenedBackup,
  options: RestoreOptions,
): Promise<RestoredAccess | undefined> {
  await makeDataFolder(config);
  const release =
    config.profile === 'standalone' ? await claimDataFolder(config.dataDir) : undefined;
  try {
    const place = await openRestoreTarget(config);
    try {
      if ((await place.target.state()) === 'used') throw inUse(config);
      const key = await installationKey(config.secretKey, config.dataDir);
      const files = await place.openFiles();
      try {
        if (!(await files.isClaimedBy(key)))
          throw new ConfigError('BLOB_S3_URL: the bucket belongs to another installation or key.');
        const deps = {
          target: place.target,
          blobs: files.blobs,
          random: cryptoRandom,
          digests: sha256Digest,
          clock: systemClock,
        };
        return await restoreBackup(deps, backup, options);
      } finally {
        await files.close();
      }
    } finally {
      await place.close();
    }
  } finally {
    release?.();
  }
}

const inUse = ({ profile }: Config): BackupError =>
  new BackupError(
    `${profile === 'standalone' ? 'DATA_DIR' : 'DATABASE_URL'}: there is a workspace already. ` +
      'A backup can only be restored into an empty installation.',
  );
