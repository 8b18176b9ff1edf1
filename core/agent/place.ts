import type { StoredObject } from '../../ports/objects.ts';
import { notFound } from '../shared/common-errors.ts';
import type { Work } from './tool.ts';

/** The object, where the session may deal in it: to one about a folder whatever lies elsewhere is not there. */
export function within(
  { collectionId }: Pick<Work, 'collectionId'>,
  object: StoredObject,
): StoredObject {
  if (collectionId !== null && object.collectionId !== collectionId) throw notFound();
  return object;
}
