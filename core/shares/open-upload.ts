import type { Timer } from '../../ports/runtime.ts';
import { zoneOfBackground } from '../hidden-zone/index.ts';
import {
  receiveFile,
  requireStorageQuota,
  type ReceiveDeps,
  type ReceivedFile,
} from '../objects/index.ts';
import { moreThanLeft, shareQuota, tooSlow } from './errors.ts';
import type { OpenBodies, OpenBody } from './open-bodies.ts';
import type { UploadDestination } from './upload.ts';

const SECOND_MS = 1_000;
/** The most that the form around the files of one body takes. */
const MAX_FORM_BYTES = 100_000;
/** The owner's storage is asked again whenever a body has brought so many bytes more. */
const STORAGE_STEP_BYTES = 2 ** 23;

export interface OpenUploadDeps extends ReceiveDeps {
  readonly timer: Timer;
  readonly openBodies: OpenBodies;
}

/** The body of a request as it arrives. */
export interface IncomingBody {
  /** Bytes, with the form around the files; null if the client has not told. */
  readonly announced: number | null;
  /** Bytes that have arrived, likewise. */
  readonly arrived: () => number;
  /** Whether something else than the sender holds it up at this moment, or it has arrived. */
  readonly isHeldUp: () => boolean;
}

/** A body that is being received. */
export interface OpenUpload {
  /** Resolves only if the body must end early, with the error that the sender gets. */
  readonly stopped: Promise<Error>;
  /** Receives one of its files. Ends with `share_quota`, `too_large` and `plan_limit`. */
  readonly receive: (sent: Parameters<typeof receiveFile>[2]) => Promise<ReceivedFile>;
  /** To be called once the body has ended, however. */
  readonly close: () => void;
}

/**
 * Begins to receive the body of a contributor's request. What it announces and what has arrived of it count against the quota
 * of the share and the storage of the owner for bodies that begin later. A body that is slower than 10 kB/s for ten seconds is
 * ended, and so is the slowest when another one needs its place.
 *
 * Ends with `rate_limited`, `too_large` and `plan_limit`.
 */
export async function openUpload(
  deps: OpenUploadDeps,
  host: UploadDestination,
  incoming: IncomingBody,
): Promise<OpenUpload> {
  const body = deps.openBodies.open(host, incoming.announced);
  const least = Math.max(0, (incoming.announced ?? 0) - MAX_FORM_BYTES);
  try {
    requireRoom(deps, host, body, least);
    await requireStorage(deps, host, body, least);
  } catch (error) {
    body.close();
    throw error;
  }
  void watchPace(deps, body, incoming);
  return {
    stopped: body.stopped,
    receive: receiverOf(deps, host, body),
    close: () => body.close(),
  };
}

/** A file past a quota is rejected while it streams. Small files of a body are received concurrently and share it. */
function receiverOf(
  deps: OpenUploadDeps,
  host: UploadDestination,
  body: OpenBody,
): OpenUpload['receive'] {
  let files = host.maxFiles;
  let judgedAt = 0;
  async function* accepted(sent: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of sent) {
      requireRoom(deps, host, body, body.fileBytes + chunk.length);
      body.fileBytes += chunk.length;
      if (body.fileBytes >= judgedAt + STORAGE_STEP_BYTES) {
        judgedAt = body.fileBytes;
        await requireStorage(deps, host, body, judgedAt);
      }
      yield chunk;
    }
  }
  return async (sent) => {
    if (files < 1) throw shareQuota();
    files -= 1;
    return receiveFile(deps, host, { ...sent, bytes: accepted(sent.bytes) });
  };
}

function requireRoom(
  { openBodies }: Pick<OpenUploadDeps, 'openBodies'>,
  host: UploadDestination,
  body: OpenBody,
  bytes: number,
): void {
  const left = Math.max(0, host.maxBytes - openBodies.reservedBefore(body, 'share'));
  if (bytes > left) throw moreThanLeft(left);
}

const requireStorage = (
  deps: OpenUploadDeps,
  host: UploadDestination,
  body: OpenBody,
  bytes: number,
): Promise<void> =>
  deps.uow.read(host.scope, async (stores) => {
    const more = deps.openBodies.reservedBefore(body, 'owner') + bytes;
    const zone = await zoneOfBackground(stores.pinLock);
    await requireStorageQuota(stores, host, more, zone);
  });

async function watchPace(
  { timer }: Pick<OpenUploadDeps, 'timer'>,
  body: OpenBody,
  { arrived, isHeldUp }: IncomingBody,
): Promise<void> {
  for (;;) {
    await timer.wait(SECOND_MS, body.closed);
    if (!body.isOpen) return;
    if (isHeldUp()) continue;
    body.pace.tick(arrived());
    if (body.pace.isTooSlow) return body.stop(tooSlow());
  }
}
