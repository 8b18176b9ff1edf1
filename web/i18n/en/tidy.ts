import { pluralOf } from '../plural.ts';

const n = pluralOf('en');
const documents = (count: number) => n(count, { one: '# document', other: '# documents' });
const folders = (count: number) => n(count, { one: '# folder', other: '# folders' });

export const tidy = {
  title: 'Tidy up',
  isPlan: 'A plan: nothing has been moved yet',
  scope: 'What is looked at',
  scopes: { uncategorized: 'In no folder', all: 'Everything' },
  intro:
    'Let documents be put into folders by what is in them. You see the plan before anything moves.',
  start: 'Make a plan',
  looking: (done: number, total: number) => `Looking at documents: ${done} of ${total}`,
  moving: (done: number, total: number) => `Moving documents: ${done} of ${total}`,
  lookedAt: (count: number) => `${count} looked at.`,
  wouldMove: (count: number) => n(count, { one: '# would move', other: '# would move' }),
  into: (count: number, fresh: number) =>
    fresh === 0 ? `into ${folders(count)}.` : `into ${folders(count)}, ${fresh} of them new.`,
  stay: (count: number) =>
    n(count, { one: '# stays where it is.', other: '# stay where they are.' }),
  nothing: 'Nothing would move: every document is where it fits best.',
  plan: 'Plan',
  newFolder: 'New folder',
  renameFolder: (name: string) => `Rename ${name}`,
  folderName: 'Name of the new folder',
  after: (before: number, after: number) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name: string, folder: string) => `Move ${name} to ${folder}`,
  noFolder: 'No folder',
  stays: 'Stays where it is',
  ticked: (count: number, total: number) =>
    `${count} of ${total} are ticked. You can take all of it back afterwards.`,
  tooMany: 'At most 500 documents can be left out. Discard the plan instead.',
  discard: 'Discard',
  move: (count: number) => `Move ${documents(count)}`,
  moved: (count: number) => `Moved ${documents(count)}`,
  skipped: (count: number) =>
    n(count, { one: '# stayed where it was.', other: '# stayed where they were.' }),
  before: 'Tidied before',
  noneBefore: 'Nothing has been tidied up yet.',
  foldersMade: (count: number) =>
    n(count, { one: '# folder was made.', other: '# folders were made.' }),
  takenBack: (count: number, stayed: number) =>
    stayed === 0
      ? `${count} went back.`
      : `${count} went back; ${stayed} stayed, for they were changed since.`,
  runs: 'Runs before this one',
  failed: 'The run stopped before its end.',
  rules:
    'Folders that are there come first. Nothing hidden or in the trash is looked at, and no folder is made for a single document.',
  again: 'Make another plan',
  toLibrary: 'To the library',
};
