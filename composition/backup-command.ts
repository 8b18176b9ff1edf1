import { join } from 'node:path';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { hmacKeyMark } from '../adapters/node/key-mark.ts';
import { meanwhile } from '../adapters/node/meanwhile.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { cryptoEntropy, systemClock } from '../adapters/node/system.ts';
import { KEEP_HOLD_MS, beginBackup, summaryOf } from '../core/backup/index.ts';
import type { Shown } from './accounts-commands.ts';
import { openInspected } from './backings.ts';
import { requireFree, writeBackupFile } from './backup-file.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './environment.ts';
import { presentKey } from './key.ts';
import { progressLines } from './progress-lines.ts';
import { productVersion } from './version.ts';

export interface WantedBackup extends Shown {
  readonly force?: true;
  readonly keepDamaged?: true;
}

/** Writes all data into one file, with or without a running server. The key that seals secrets is not included. */
export async function backup(file: string, options: WantedBackup): Promise<void> {
  const { json, force = false, keepDamaged = false } = options;
  const config = readConfig();
  await requireFree(file, force);
  const opened = await openInspected(config);
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
      entropy: cryptoEntropy,
      key: hmacKeyMark(key),
      sealer: aesSealer(key),
    };
    const madeBy = `owner-workspace ${productVersion()}`;
    const { profile } = config;
    const made = await beginBackup(deps, { madeBy, profile, keepDamaged, onProgress });
    let bytes: number;
    try {
      bytes = await meanwhile(
        KEEP_HOLD_MS,
        () => made.hold.keep(),
        // The hold is checked again at the end.
        (error) => process.stderr.write(`the files: ${(error as Error).message}\n`),
        () => writeBackupFile(file, zipArchives().write(made.entries), force),
      );
    } finally {
      await made.hold.letGo();
    }
    progress.end();
    const summary = { file, bytes, ...summaryOf(made.manifest()) };
    const line = `${file}: ${summary.rows} rows and ${summary.files} files, ${bytes} bytes`;
    const told = json ? JSON.stringify(summary) : line;
    (file === '-' ? process.stderr : process.stdout).write(`${told}\n`);
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
