import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that the fixtures share with the spec of the runner. */
const FOLDER = process.env['RUNNER_FIXTURE_DIR'] ?? '';

export function writeToFolder(name: string, text: string): void {
  writeFileSync(join(FOLDER, name), text);
}

/** True in the first process that calls it with this name. */
export function isFirstTime(name: string): boolean {
  if (existsSync(join(FOLDER, name))) return false;
  writeToFolder(name, '');
  return true;
}
