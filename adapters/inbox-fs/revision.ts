import type { BigIntStats } from 'node:fs';
import type { InboxEntryKind, InboxFile } from '../../ports/inbox.ts';

/** Without the number of the inode: some network file systems give a file another one from time to time. */
export const revisionOf = ({ size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${size}-${mtimeNs}-${ctimeNs}`;

/** A move changes the time of the inode (ctime), and nothing else. */
export const isSameContent = (
  { revision, kind }: Pick<InboxFile, 'revision' | 'kind'>,
  stats: BigIntStats,
): boolean => kind === kindOf(stats) && revision.startsWith(`${stats.size}-${stats.mtimeNs}-`);

export const isSameFile = (
  { revision, kind }: Pick<InboxFile, 'revision' | 'kind'>,
  stats: BigIntStats,
): boolean => kind === kindOf(stats) && revision === revisionOf(stats);

export const kindOf = (stats: BigIntStats): InboxEntryKind =>
  stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
