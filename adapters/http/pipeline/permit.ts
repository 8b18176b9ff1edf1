/** The place of a request among those that the process works on at once: see `server/admission.ts`. */
export interface Permit {
  /** Gives the place back. Calling it again has no effect. */
  release(): void;
  /** Gives the place back while the request waits for its client. The returned function takes a place again. */
  suspend(): () => void;
}

const NOTHING = (): void => undefined;

/** Of a request that is not subject to admission control. */
export const NO_PERMIT: Permit = { release: NOTHING, suspend: () => NOTHING };
