import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Reorganization } from '../../ports/reorganizations.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';

export interface ListRunsDeps {
  readonly uow: UnitOfWork<'reorganizations'>;
}

/** The stored runs, newest first. */
export const listReorganizations = (
  deps: ListRunsDeps,
  caller: Caller,
  request: PageRequest,
): Promise<Page<Reorganization>> =>
  deps.uow.read(caller.scope, ({ reorganizations }) => reorganizations.page(request));
