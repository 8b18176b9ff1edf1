import { readFileSync } from 'node:fs';
import { aesSealer } from '../adapters/node/sealer.ts';
import { print, withCore, type Shown } from './accounts-commands.ts';
import { ConfigError } from './environment.ts';

export interface WantedRotation extends Shown {
  /** The old key; `-` reads it from standard input, where no list of processes shows it. */
  readonly from: string;
}

/** Seals what owners keep secret under the key of today. Exit status 1 when a secret opens with neither key. */
export async function rotate(options: WantedRotation): Promise<void> {
  const from = options.from === '-' ? readFileSync(0, 'utf8').trim() : options.from;
  if (from.length < 32) throw new ConfigError('The old key is shorter than 32 characters.');
  const done = await withCore((core) => core.integrations.rotateSecrets(aesSealer(from)));
  print(options, done, [
    `${done.rotated} sealed anew, ${done.current} under the key of today already, ${done.lost} that neither key opens`,
  ]);
  process.exitCode = done.lost === 0 ? 0 : 1;
}
