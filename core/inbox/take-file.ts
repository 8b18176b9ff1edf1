import type { ContentDigest, OwnerBlobs } from '../../ports/blobs.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { AccountRoles, Owner } from '../../ports/identity.ts';
import {
  InboxFileChangedError,
  InboxFileUnreadableError,
  type Inbox,
  type InboxFile,
  type InboxResult,
} from '../../ports/inbox.ts';
import type { ContentSniffer } from '../../ports/text-extraction.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { limitsOf } from '../identity/index.ts';
import { receiveFile, type ReceiveDeps } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError, InvalidInput } from '../shared/errors.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { addAtPath, parseRelativePath, type AddAtPathDeps } from '../uploads/index.ts';
import {
  CLAIM_MS,
  CLAIM_RENEWAL_MS,
  ClaimLostError,
  claimFile,
  endClaim,
  recordTaken,
  renewClaim,
  requireClaim,
  type Claim,
  type ClaimDeps,
} from './claims.ts';
import type { InboxState } from './state.ts';

export interface TakeDeps
  extends Omit<AddAtPathDeps, 'uow'>, Omit<ReceiveDeps, 'uow'>, Omit<ClaimDeps, 'uow'> {
  readonly uow: AddAtPathDeps['uow'] & ReceiveDeps['uow'] & UnitOfWork<'idempotency'>;
  readonly blobs: OwnerBlobs;
  readonly sniffer: ContentSniffer;
  readonly contentDigest: ContentDigest;
  readonly roles: AccountRoles;
  readonly inboxState: InboxState;
}

/** The process stops. The file is tried again later. */
export class InboxStoppedError extends Error {
  override readonly name = 'InboxStoppedError';
}

/** How often a file that another process works on is looked at. */
const BUSY_MS = Math.round(CLAIM_MS / 4);

const TAKEN: InboxResult = { outcome: 'taken' };
const refusal = (reason: string): InboxResult => ({ outcome: 'refused', reason });

interface Work {
  readonly caller: Pick<Caller, 'scope' | 'limits'>;
  readonly file: InboxFile;
  readonly shouldContinue: () => boolean;
}

/**
 * Stores one file and moves it out of the way. Any number of processes may call it for the same file at once, and end at any
 * moment: the object is stored once. Its transaction records the hash of the file, and the file is found to be stored by that
 * until it has been moved.
 *
 * Ends with UnavailableError if something else than this file fails. A failure of the file is noted in the state.
 */
export async function takeFile(
  deps: TakeDeps,
  inbox: Inbox,
  owner: Owner,
  file: InboxFile,
  shouldContinue: () => boolean,
): Promise<void> {
  const { inboxState: state } = deps;
  if (!(await inbox.isCurrent(file))) return state.forget(file);
  const caller = { scope: scopeOf(owner), limits: limitsOf(deps.roles, owner.role) };
  const work: Work = { caller, file, shouldContinue };
  const reason = refusedUnread(deps, file);
  if (reason !== undefined) return void (await move(deps, inbox, work, refusal(reason)));
  const claim = await claimFile(deps, caller.scope, file);
  if (!claim) return state.postpone(file, deps.clock.now() + BUSY_MS);
  let isMoved = false;
  try {
    const known = claim.takenHash === null ? null : state.resultOf(file);
    isMoved = await move(deps, inbox, work, known ?? (await store(deps, inbox, work, claim)));
  } catch (error) {
    if (error instanceof InboxFileChangedError || error instanceof ClaimLostError)
      return state.forget(file);
    state.holdAfterFailure(file, deps.clock.now(), null);
    throw error;
  } finally {
    await endClaim(deps, caller.scope, claim, isMoved).catch((error: unknown) => {
      // The claim lapses. The record of the file outlasts it, and is of use until the file has been moved.
      if (!(error instanceof UnavailableError)) throw error;
    });
  }
}

/** Why a file is refused without being read; undefined if it is read. */
function refusedUnread(
  { maxUploadBytes }: Pick<TakeDeps, 'maxUploadBytes'>,
  { kind, path, size }: InboxFile,
): string | undefined {
  if (kind === 'link') return 'It is a symbolic link. Put the file itself here.';
  if (kind === 'other') return 'It is not a file, but a pipe, a socket or a device.';
  if (path === null) return 'Its name, or the name of one of its folders, is not valid UTF-8.';
  if (size > maxUploadBytes)
    return `It is larger than ${maxUploadBytes} bytes, the maximum of this installation.`;
  try {
    parseRelativePath(path);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return `Its path is not valid: ${error.message}`;
    throw error;
  }
}

/** Makes the object, unless an earlier process has made it. */
async function store(deps: TakeDeps, inbox: Inbox, work: Work, claim: Claim): Promise<InboxResult> {
  const { caller, file } = work;
  if (claim.takenHash !== null) {
    const { sha256 } = await deps.contentDigest.of(bytesOf(deps, inbox, work, claim));
    if (sha256 === claim.takenHash) return TAKEN;
  }
  try {
    const { folders, filename } = parseRelativePath(file.path ?? '');
    const received = await receive(deps, inbox, work, claim, filename);
    const at = { file: received, folders, origin: 'inbox' } as const;
    await addAtPath(deps, caller, at, async (stores, add) => {
      await requireClaim(stores, claim);
      await add();
      await recordTaken(deps, stores, claim, received.blob.sha256);
    });
    return TAKEN;
  } catch (error) {
    if (error instanceof InboxFileUnreadableError) return refusal(error.message);
    if (error instanceof DomainError && !isTemporary(error)) return refusal(error.message);
    throw error;
  }
}

const isTemporary = ({ kind }: DomainError): boolean =>
  kind === 'unavailable' || kind === 'rate-limited' || kind === 'upstream-failed';

/** An error of the file itself is not mistaken for one of the storage. */
async function receive(deps: TakeDeps, inbox: Inbox, work: Work, claim: Claim, filename: string) {
  let failure: unknown;
  const source = async function* () {
    try {
      yield* bytesOf(deps, inbox, work, claim);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    return await receiveFile(deps, work.caller, { filename, bytes: source() });
  } catch (error) {
    throw failure ?? error;
  }
}

/** The bytes of a file. The claim is renewed while they are read. */
async function* bytesOf(
  deps: TakeDeps,
  inbox: Inbox,
  { caller, file, shouldContinue }: Work,
  claim: Claim,
): AsyncIterable<Uint8Array> {
  let renewedAt = deps.clock.now();
  for await (const chunk of inbox.read(file)) {
    if (!shouldContinue()) throw new InboxStoppedError('The process stops.');
    if (deps.clock.now() - renewedAt >= CLAIM_RENEWAL_MS) {
      await renewClaim(deps, caller.scope, claim);
      renewedAt = deps.clock.now();
    }
    yield chunk;
  }
}

/** Returns whether the file was moved. Otherwise the result is remembered, and the move is tried again. */
async function move(
  { inboxState: state, clock }: TakeDeps,
  inbox: Inbox,
  { file }: Work,
  result: InboxResult,
): Promise<boolean> {
  const isNew = state.resultOf(file)?.outcome !== result.outcome;
  if (isNew && result.outcome === 'taken') {
    state.taken++;
    state.lastTakenAt = clock.now();
  } else if (isNew) state.refused++;
  try {
    await inbox.move(file, result);
    state.forget(file);
    return true;
  } catch (error) {
    if (error instanceof InboxFileChangedError) {
      state.forget(file);
      // Another process has moved it, or there is another file now, with a hash of its own.
      return false;
    }
    if (!(error instanceof UnavailableError)) throw error;
    state.holdAfterFailure(file, clock.now(), result);
    return false;
  }
}
