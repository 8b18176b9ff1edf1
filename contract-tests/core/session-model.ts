import fc from 'fast-check';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The limits of the interface, written down a second time. */
const [LIFETIME, IDLE, RECENT] = [30 * DAY, 14 * DAY, 15 * MINUTE];

/** What a cookie stands for in the model: secrets that a later sign-in replaced are cookies of their own. */
export interface ModelCookie {
  readonly secret: string;
  readonly session: ModelSession;
  isReplaced: boolean;
}

export interface ModelSession {
  readonly id: string;
  readonly owner: number;
  signedInAt: number;
  usedAt: number;
  isEnded: boolean;
}

/** The reference: who may be answered, by the text of the interface. */
export class SessionModel {
  now: number;
  readonly cookies: ModelCookie[] = [];

  constructor(now: number) {
    this.now = now;
  }

  #isAlive({ isEnded, signedInAt, usedAt }: ModelSession): boolean {
    return !isEnded && signedInAt + LIFETIME > this.now && usedAt + IDLE > this.now;
  }

  accepts({ session, isReplaced }: ModelCookie): boolean {
    return !isReplaced && this.#isAlive(session);
  }

  hasSignedInRecently({ session }: ModelCookie): boolean {
    return session.signedInAt + RECENT > this.now;
  }

  /** The sessions of an owner that are alive, each once. */
  alive(owner: number): readonly ModelSession[] {
    const all = new Set(this.cookies.map(({ session }) => session));
    return [...all].filter((session) => session.owner === owner && this.#isAlive(session));
  }

  use({ session }: ModelCookie): void {
    session.usedAt = Math.floor(this.now / MINUTE) * MINUTE;
  }

  signIn(owner: number, id: string, secret: string): void {
    const known = this.cookies.find(({ session }) => session.id === id)?.session;
    for (const cookie of this.cookies) if (cookie.session === known) cookie.isReplaced = true;
    const session = known ?? { id, owner, signedInAt: 0, usedAt: 0, isEnded: false };
    const cookie = { secret, session, isReplaced: false };
    session.signedInAt = this.now;
    this.use(cookie);
    this.cookies.push(cookie);
  }
}

const any = fc.nat({ max: 1_000 });
const step = { process: any, cookie: any };

/** One step of a random sequence. `cookie` and `process` are indices modulo what there is. */
export type SessionStep =
  | {
      readonly kind: 'signIn';
      readonly process: number;
      readonly cookie: number | null;
      readonly owner: number;
    }
  | {
      readonly kind: 'use' | 'signOut' | 'endOtherSessions' | 'list';
      readonly process: number;
      readonly cookie: number;
    }
  | {
      readonly kind: 'end';
      readonly process: number;
      readonly cookie: number;
      readonly other: number;
    }
  | { readonly kind: 'sweep'; readonly process: number }
  | { readonly kind: 'wait'; readonly ms: number };

const kinds = (...all: ('use' | 'signOut' | 'endOtherSessions' | 'list')[]) =>
  fc.record({ kind: fc.constantFrom(...all), ...step });

export const sessionSteps: fc.Arbitrary<SessionStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('signIn' as const),
      process: any,
      cookie: fc.option(any, { nil: null }),
      owner: fc.nat({ max: 1 }),
    }),
  },
  { weight: 5, arbitrary: kinds('use', 'use', 'list') },
  { weight: 3, arbitrary: kinds('signOut', 'signOut', 'endOtherSessions') },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), ...step, other: any }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), process: any }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.constantFrom(RECENT - 1, RECENT, DAY, IDLE - MINUTE, IDLE, LIFETIME - 1, LIFETIME),
        fc.nat({ max: 20 * DAY }),
        fc.nat({ max: 20 * MINUTE }),
      ),
    }),
  },
);
