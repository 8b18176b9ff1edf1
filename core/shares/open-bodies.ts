import type { ShareOwner } from './visitor-access.ts';
import { gaveWay, tooManyUploads } from './errors.ts';
import { Pace } from './pace.ts';

/** Limits of the bodies that one process receives concurrently: for one share, and of these from one network. */
export const MAX_OPEN_BODIES = 16;
export const MAX_OPEN_BODIES_PER_NETWORK = 2;
const RETRY_SECONDS = 5;
/** What the form around one file takes, about. */
const FORM_BYTES = 1_024;

/** The sender of a body, and its destination. */
export interface BodySender extends Pick<ShareOwner, 'scope' | 'shareId'> {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
}

/** A body with files that a visitor is sending. */
export class OpenBody {
  readonly pace = new Pace();
  /** Bytes of its files that have been received. */
  fileBytes = 0;
  readonly sender: BodySender;
  readonly #announced: number;
  /** Resolves once it is closed. */
  readonly closed: Promise<void>;
  /** Resolves only if it must end early, with the error that the sender gets. */
  readonly stopped: Promise<Error>;
  #announceClosed: () => void = () => undefined;
  #announceStopped: (error: Error) => void = () => undefined;
  readonly #remove: () => void;
  #isOpen = true;

  /** `announced`: bytes of the body with its form; null if that is unknown. `remove` takes it out of the register. */
  constructor(sender: BodySender, announced: number | null, remove: () => void) {
    this.sender = sender;
    this.#announced = announced ?? 0;
    this.#remove = remove;
    this.closed = new Promise((resolve) => (this.#announceClosed = resolve));
    this.stopped = new Promise((resolve) => (this.#announceStopped = resolve));
  }

  /** What it counts against quotas from its first byte, although it may never arrive. */
  get reserved(): number {
    return Math.max(this.fileBytes, this.#announced - FORM_BYTES);
  }

  /** Its place is free at once, although the sender has not learned it. */
  stop(reason: Error): void {
    this.#announceStopped(reason);
    this.close();
  }

  close(): void {
    this.#isOpen = false;
    this.#remove();
    this.#announceClosed();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }
}

/** The bodies that visitors are sending to one process, by share and by owner. */
export class OpenBodies {
  readonly #sets = new Map<string, Set<OpenBody>>();

  /**
   * Takes a place for a body. When all places of the share are taken, the slowest body whose pace is known gives way to it.
   * Ends with `rate_limited`.
   */
  open(sender: BodySender, announced: number | null): OpenBody {
    const ofShare = [...this.#of(sender.shareId)];
    const ofNetwork = ofShare.filter((body) => body.sender.network === sender.network);
    if (ofNetwork.length >= MAX_OPEN_BODIES_PER_NETWORK) throw tooManyUploads({}, RETRY_SECONDS);
    if (ofShare.length >= MAX_OPEN_BODIES) {
      const slowest = slowestOf(ofShare);
      if (!slowest) throw tooManyUploads({}, RETRY_SECONDS);
      slowest.stop(gaveWay({}, RETRY_SECONDS));
    }
    const keys = [sender.shareId, sender.scope.ownerId];
    const body = new OpenBody(sender, announced, () => this.#remove(keys, body));
    for (const key of keys) this.#sets.set(key, this.#of(key).add(body));
    return body;
  }

  /** What earlier bodies of the share, or of all shares of its owner, count against the quota. */
  reservedBefore(body: OpenBody, whose: 'share' | 'owner'): number {
    const { scope, shareId } = body.sender;
    let sum = 0;
    for (const earlier of this.#of(whose === 'share' ? shareId : scope.ownerId)) {
      if (earlier === body) break;
      sum += earlier.reserved;
    }
    return sum;
  }

  #of(key: string): Set<OpenBody> {
    return this.#sets.get(key) ?? new Set();
  }

  #remove(keys: readonly string[], body: OpenBody): void {
    for (const key of keys) {
      const set = this.#of(key);
      set.delete(body);
      if (set.size === 0) this.#sets.delete(key);
    }
  }
}

function slowestOf(bodies: readonly OpenBody[]): OpenBody | undefined {
  let slowest: { readonly body: OpenBody; readonly pace: number } | undefined;
  for (const body of bodies) {
    const pace = body.pace.bytesPerSecond;
    if (pace !== undefined && pace < (slowest?.pace ?? Infinity)) slowest = { body, pace };
  }
  return slowest?.body;
}
