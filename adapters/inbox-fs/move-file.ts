import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import { InboxFileChangedError, type InboxFile, type InboxResult } from '../../ports/inbox.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { isTaken } from './errors.ts';
import { MAX_NAME_BYTES, type OpenFolder } from './open-folder.ts';
import { isSameContent } from './revision.ts';

const REASON_EXTENSION = '.txt';
/** Numbered names. Afterwards they are random, so that many files of one name do not take ever longer. */
const MAX_NUMBERED = 50;
const MAX_TRIES = 100;

/** Moves a file that is still the one that was returned. `name` is its name, as bytes. */
export async function moveFile(
  from: OpenFolder,
  to: OpenFolder,
  name: string,
  file: InboxFile,
  result: InboxResult,
): Promise<void> {
  const reason = result.outcome === 'refused' ? result.reason : undefined;
  const target = await reserve(to, name, reason);
  try {
    await rename(from.path(name), to.path(target));
  } catch (error) {
    await release(to, target, reason);
    throw error;
  }
  const moved = await to.stat(target);
  // Between the last look and the move another file may have come to its path.
  if (!moved || !isSameContent(file, moved)) {
    await moveBack(from, to, name, target, moved);
    if (reason !== undefined) await unlink(to.path(target + REASON_EXTENSION));
    throw new InboxFileChangedError();
  }
  await to.sync();
  await from.sync();
}

/** An empty file at a free name, which the move replaces: no file is ever replaced. */
async function reserve(to: OpenFolder, name: string, reason?: string): Promise<string> {
  for (let nth = 1; nth <= MAX_TRIES; nth++) {
    const target = nthName(name, nth);
    if (!(await create(to, target, ''))) continue;
    if (reason === undefined) return target;
    try {
      if (await create(to, target + REASON_EXTENSION, `${reason}\n`)) return target;
    } catch (error) {
      await release(to, target, reason);
      throw error;
    }
    await unlink(to.path(target));
  }
  throw new UnavailableError('inbox', 'The inbox does not work: there is no free name.');
}

/** False if there is something of this name. */
async function create(folder: OpenFolder, name: string, text: string): Promise<boolean> {
  try {
    const mode = (await folder.mode()) & 0o666;
    await writeFile(folder.path(name), text, { flag: 'wx', mode, flush: true });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

async function release(to: OpenFolder, target: string, reason?: string): Promise<void> {
  // What is left over is empty, or says why a file is not there. The error of the move matters more.
  await unlink(to.path(target)).catch(() => undefined);
  if (reason !== undefined) await unlink(to.path(target + REASON_EXTENSION)).catch(() => undefined);
}

/** A file that was moved instead of another one returns to the inbox, under a free name. */
async function moveBack(
  from: OpenFolder,
  to: OpenFolder,
  name: string,
  target: string,
  moved: BigIntStats | undefined,
): Promise<void> {
  if (!moved) return;
  for (let nth = 1; nth <= MAX_TRIES; nth++)
    try {
      const back = nthName(name, nth);
      await (await open(from.path(back), 'wx')).close();
      return await rename(to.path(target), from.path(back));
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
}

/** `a.pdf`, `a (2).pdf` and so on, short enough for its reason beside it. */
export function nthName(name: string, nth: number): string {
  const number = nth <= MAX_NUMBERED ? String(nth) : randomBytes(4).toString('hex');
  const mark = nth === 1 ? '' : ` (${number})`;
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/s.exec(name) ?? [];
  const left = MAX_NAME_BYTES - REASON_EXTENSION.length - mark.length - extension.length;
  return cutBytes(stem, left) + mark + extension;
}

/** Bytes written as Latin-1, without half a character of UTF-8 at the end. */
function cutBytes(bytes: string, max: number): string {
  if (bytes.length <= max) return bytes;
  let end = max;
  while (end > 0 && (bytes.charCodeAt(end) & 0xc0) === 0x80) end--;
  return bytes.slice(0, end || max);
}
