import { join } from 'node:path';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { hmacKeyFingerprint } from '../adapters/node/key-fingerprint.ts';
import { withInterval } from '../adapters/node/with-interval.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { cryptoRandom, systemClock } from '../adapters/node/system.ts';
import { HOLD_RENEWAL_MS, beginBackup, summaryOf } from '../core/backup/index.ts';
import type { Shown } from './accounts-commands.ts';
import { openForInspection } from './profiles.ts';
import { requireFree, writeBackupFile } from './backup-file.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './env-variables.ts';
import { reportBackup } from './installation-reports.ts';
import { presentKey } from './installation-key.ts';
import { progressLines } from './progress-output.ts';
import { productVersion } from './version.ts';

export interface BackupCommandOptions extends Shown {
  readonly force?: true;
  readonly keepDamaged?: true;
}

/** Writes all data into one file, with or without a running server. The key that seals secrets is not included. */
export async function backup(file: string, options: BackupCommandOptions): Promise<void> {
  const { json, force = false, keepDamaged = false } = options;
  const config = readConfig();
  await requireFree(file, force);
  const opened = await openForInspection(config);
  const progress = progressLines();
  const { onProgress } = progress;
  try {
    const key = await presentKey(config.secretKey, config.dataDir);
    if (key === undefined)
      throw new ConfigError('There is no key: neither SECRET_KEY nor secret.key in DATA_DIR.');
    const deps = {
      ...opened,
      blobs: opened.storage,
      clock: systemClock,
      random: cryptoRandom,
      key: hmacKeyFingerprint(key),
      sealer: aesSealer(key),
    };
    const madeBy = `owner-workspace ${productVersion()}`;
    const { profile } = config;
    const created = await beginBackup(deps, { madeBy, profile, keepDamaged, onProgress });
    let bytes: number;
    try {
      bytes = await withInterval(
        HOLD_RENEWAL_MS,
        () => created.hold.keep(),
        // The hold is checked again at the end.
        (error) => process.stderr.write(`the files: ${(error as Error).message}\n`),
        () => writeBackupFile(file, zipArchives().write(created.entries), force),
      );
    } finally {
      await created.hold.release();
    }
    progress.end();
    const summary = { file, bytes, ...summaryOf(created.manifest()) };
    await reportBackup(config, {
      at: systemClock.now(),
      bytes,
      files: summary.files,
      damaged: summary.damaged,
    }).catch((error: unknown) =>
      process.stderr.write(
        `the backup is complete, but not recorded: ${(error as Error).message}\n`,
      ),
    );
    const line = `${file}: ${summary.rows} rows and ${summary.files} files, ${bytes} bytes`;
    const reportLine = json ? JSON.stringify(summary) : line;
    (file === '-' ? process.stderr : process.stdout).write(`${reportLine}\n`);
    if (summary.damaged > 0)
      process.stderr.write(
        `${summary.damaged} files were missing or damaged, and are so in the backup\n`,
      );
    const where = config.secretKey === '' ? join(config.dataDir, 'secret.key') : 'SECRET_KEY';
    process.stderr.write(
      `the key is not in the backup: store ${where} as well, in another place\n`,
    );
  } finally {
    await opened.close();
  }
}
