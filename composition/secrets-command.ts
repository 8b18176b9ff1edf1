import { readFileSync } from 'node:fs';
import { aesSealer } from '../adapters/node/sealer.ts';
import { print, withCore, type Shown } from './accounts-commands.ts';
import { ConfigError } from './env-variables.ts';

export interface RotationOptions extends Shown {
  /** The old key; `-` reads it from standard input, so that it does not appear in a process list. */
  readonly from: string;
}

/** Seals owners' secrets with the current key. Exit status 1 if a secret opens with neither key. */
export async function rotateSecretsCommand(options: RotationOptions): Promise<void> {
  const from = options.from === '-' ? readFileSync(0, 'utf8').trim() : options.from;
  if (from.length < 32) throw new ConfigError('The old key is shorter than 32 characters.');
  const done = await withCore((core) => core.integrations.rotateSecrets(aesSealer(from)));
  print(options, done, [
    `${done.rotated} sealed again, ${done.current} sealed with the current key already, ${done.lost} that neither key opens`,
  ]);
  process.exitCode = done.lost === 0 ? 0 : 1;
}
