import { UnavailableError } from '../../ports/errors.ts';
import { InboxFileChangedError, InboxFileUnreadableError } from '../../ports/inbox.ts';

/** A part of the path is missing, or it has been replaced by something else. */
const GONE = /^(ENOENT|ENOTDIR|ELOOP|ESTALE|ENXIO)$/;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const isOurs = (error: unknown): boolean =>
  error instanceof InboxFileChangedError ||
  error instanceof InboxFileUnreadableError ||
  error instanceof UnavailableError;

/** The message and the stack of a system error name the path, which is the owner's. Only its code is passed on. */
const unavailable = (error: unknown): UnavailableError =>
  new UnavailableError('inbox', `The inbox does not work: ${codeOf(error) || 'unknown error'}.`);

/** An error of the inbox, of an owner's folder or of a move. */
export const inboxError = (error: unknown): Error =>
  isOurs(error) ? (error as Error) : unavailable(error);

/** An error of reading a file. */
export function fileError(error: unknown): Error {
  if (isOurs(error)) return error as Error;
  if (GONE.test(codeOf(error))) return new InboxFileChangedError();
  if (/^(EACCES|EPERM)$/.test(codeOf(error))) return new InboxFileUnreadableError();
  return unavailable(error);
}

export const isGone = (error: unknown): boolean => GONE.test(codeOf(error));
export const isTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';
