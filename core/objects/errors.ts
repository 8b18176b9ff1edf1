import { defineError } from '../shared/errors.ts';

export const inTrash = defineError(
  'conflict',
  'in_trash',
  'The object is in the trash. Restore it first.',
);
export const versionConflict = defineError(
  'conflict',
  'version_conflict',
  'The content has changed since. Read it again and retry.',
);
export const nothingSuggested = defineError(
  'conflict',
  'nothing_suggested',
  'There is no suggestion for this object.',
);
export const alreadyExists = defineError(
  'conflict',
  'already_exists',
  'A file with the same bytes already exists.',
);
export const unsupportedType = defineError(
  'unsupported-type',
  'unsupported_type',
  'This type of file does not support the operation.',
);
export const unknownKind = defineError(
  'invalid-argument',
  'unknown_kind',
  'This kind does not exist.',
);
export const unknownDocType = defineError(
  'invalid-argument',
  'unknown_doc_type',
  'This doc_type does not exist.',
);
export const tooLarge = defineError('too-large', 'too_large', 'The file is too large.');
export const changedSince = defineError(
  'conflict',
  'changed_since',
  'The object has been changed since.',
);
export const notUndoable = defineError(
  'conflict',
  'not_undoable',
  'Erased objects can not be restored.',
);
export const stillRunning = defineError(
  'conflict',
  'still_running',
  'The change is still running. Wait until it has finished.',
);
export const tooManyObjects = defineError(
  'invalid-argument',
  'too_many_objects',
  'The filter selects too many objects for one change. Narrow it.',
);
export const tooManyBulkRuns = defineError(
  'rate-limited',
  'too_many_bulk_runs',
  'Too many changes are running. Wait until one has finished.',
);
