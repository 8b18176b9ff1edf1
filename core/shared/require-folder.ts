import type { Stores } from '../../ports/unit-of-work.ts';
import { notFound } from './common-errors.ts';

/** Throws `not_found` unless the folder exists; null stands for no folder and is accepted. */
export async function requireFolder(
  stores: Pick<Stores, 'collections'>,
  collectionId: string | null,
): Promise<void> {
  if (collectionId !== null && !(await stores.collections.find(collectionId))) throw notFound();
}
