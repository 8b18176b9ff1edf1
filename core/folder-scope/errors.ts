import { forbidden } from '../shared/common-errors.ts';
import type { DomainError } from '../shared/errors.ts';

/** The operation concerns the account, or folders and themes themselves. */
export const boundToFolders = (): DomainError =>
  forbidden({}, undefined, 'This token is bound to folders, and may not do that.');

/** A write would put an object into no folder, or into one that the token does not see. */
export const outsideFolders = (): DomainError =>
  forbidden(
    {},
    undefined,
    'This token is bound to folders: send the id of one of them as `collection_id`.',
  );
