import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { ENRICH_TASK } from './model-pause.ts';

/**
 * The number of the owner's documents that have built-in findings because the model was busy, and wait for it. Hidden
 * ones are never counted, even while the zone is unlocked: they are not sent to a model.
 */
export const countWaitingDocuments = (
  { uow }: { readonly uow: UnitOfWork<'tasks'> },
  { scope }: Pick<Caller, 'scope'>,
): Promise<number> => uow.read(scope, ({ tasks }) => tasks.countDelayed(ENRICH_TASK));
