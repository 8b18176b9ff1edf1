import { access, constants, stat } from 'node:fs/promises';
import type { Config } from './config.ts';

/** The warning for an inbox that can not work; undefined if it can, or if there is none. */
export async function inboxWarning({ inbox }: Pick<Config, 'inbox'>): Promise<string | undefined> {
  if (!inbox) return undefined;
  const of = (reason: string) => `INBOX_DIR=${JSON.stringify(inbox.path)}: ${reason}.`;
  try {
    if (!(await stat(inbox.path)).isDirectory()) return of('it is not a folder');
    await access(inbox.path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return of((error as Error).message);
  }
}
