import { UnavailableError } from '../../ports/errors.ts';
import type { HealthProbe } from '../../ports/health.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { InboxState } from './state.ts';

const HOW = {
  events: 'Watching.',
  polling: 'Polling.',
  unavailable: 'Polling, because the folder can not be watched.',
} as const;

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** The state of the inbox as this process knows it, without names. */
export const inboxProbe = (inbox: Inbox, state: InboxState): HealthProbe => ({
  name: 'inbox',
  check: () => {
    if (!state.isReadable)
      return Promise.reject(new UnavailableError('inbox', 'The folder can not be read.'));
    const [stuck] = counted(state.stuck, 'file can not be moved.', 'files can not be moved.');
    if (stuck !== undefined) return Promise.reject(new UnavailableError('inbox', stuck));
    const last =
      state.lastTakenAt === null
        ? 'No file taken yet.'
        : `Last file taken at ${new Date(state.lastTakenAt).toISOString()}.`;
    const detail = [
      HOW[inbox.watching()],
      last,
      ...counted(state.refused, 'file refused.', 'files refused.'),
      ...counted(state.unknownFolders, 'folder without an owner.', 'folders without an owner.'),
      ...counted(
        state.ambiguousFolders,
        'folder named like several owners.',
        'folders named like several owners.',
      ),
      ...counted(state.strayEntries, 'entry is no folder.', 'entries are no folders.'),
    ].join(' ');
    return Promise.resolve({ status: 'ok', detail });
  },
});
