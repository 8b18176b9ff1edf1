import { sha256ContentDigest } from '../adapters/node/content-digest.ts';
import { sha256Digest } from '../adapters/node/system.ts';
import { checkIntegrity, isDamage } from '../core/integrity/index.ts';
import type { Finding } from '../ports/integrity.ts';
import type { Shown } from './accounts-commands.ts';
import { openForInspection } from './profiles.ts';
import { readConfig } from './config.ts';
import { openFolderWarning } from './data-folder.ts';
import { inboxWarning } from './inbox-folder.ts';
import { ORPHAN_GRACE_MS } from './service.ts';

export interface DoctorOptions extends Shown {
  readonly verify?: true;
}

/**
 * Checks the integrity of the workspace and prints the findings line by line. Exit status 1 if anything is damaged.
 */
export async function doctor({ json, verify }: DoctorOptions): Promise<void> {
  const config = readConfig();
  const backing = await openForInspection(config);
  const checks: Finding[] = [];
  try {
    const options = { settledBefore: Date.now() - ORPHAN_GRACE_MS, verify: verify ?? false };
    const deps = { ...backing, digest: sha256ContentDigest, digests: sha256Digest };
    for await (const finding of checkIntegrity(deps, options)) {
      checks.push(finding);
      if (!json) process.stdout.write(`${lineOf(finding)}\n`);
    }
  } finally {
    await backing.close();
  }
  const ok = !checks.some(isDamage);
  // No damage, so it does not change the exit status: a monitoring script would report it permanently.
  for (const note of [await openFolderWarning(config), await inboxWarning(config)])
    if (note !== undefined) process.stderr.write(`${note}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ ok, checks })}\n`);
  process.exitCode = ok ? 0 : 1;
}

function lineOf({ name, count, examples }: Finding): string {
  const shown =
    examples.length === 0 ? '' : `  ${examples.join(' ')}${count > examples.length ? ' …' : ''}`;
  return `${name.padEnd(32)}${count}${shown}`;
}
