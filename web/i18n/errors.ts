import { ApiError, OfflineError, UnreadableError } from '../api/errors.ts';
import { t } from './language.ts';

/** What a failure means to the owner, in one sentence. */
export function messageOf(error: unknown): string {
  const { errors } = t();
  if (error instanceof OfflineError) return errors.offline;
  if (error instanceof UnreadableError) return errors.unreadable;
  if (!(error instanceof ApiError)) return errors.unknown;
  const message = new Map(Object.entries(errors.codes)).get(error.code);
  return message ?? (error.message || errors.unknown);
}
