import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pause } from '../child.ts';
import type { Drill } from '../drill.ts';
import { DrillSkipped } from '../external-programs.ts';

const run = promisify(execFile);
const DISK_MB = 160;
const FULL_MS = 5_000;
const PIECE = Buffer.alloc(64 * 1_024);

export const disk: readonly Drill[] = [
  {
    name: 'disk-full',
    profile: 'standalone',
    does: 'the disk of files and database is full for five seconds',
    prepare: async (dataDir) => {
      if (process.getuid?.() !== 0)
        throw new DrillSkipped('a small disk is mounted, which takes root');
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]).catch(
        (error: Error) => {
          throw new DrillSkipped(`no disk can be mounted (${error.message.trim()})`);
        },
      );
      // Lazily: the disk is no longer in use, but the system may not have noticed.
      return async () => void (await run('umount', ['-l', dataDir]));
    },
    fault: async ({ installation: { dataDir } }) => {
      const path = join(dataDir, 'filler');
      const until = performance.now() + FULL_MS;
      const filler = await open(path, 'w');
      try {
        // Repeatedly: space freed by the service is filled immediately.
        while (performance.now() < until) {
          await filler.appendFile(PIECE).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOSPC') throw error;
            return pause(20);
          });
        }
      } finally {
        await filler.close();
        await rm(path);
      }
      const { bavail, bsize } = await statfs(dataDir);
      if (bavail * bsize < DISK_MB * 2 ** 18) throw new Error('The drill itself needs more disk.');
    },
  },
];
