/** The permit of a request to count among those in flight: see `server/admission.ts`. */
export interface Permit {
  /** Releases the permit. Later calls have no effect. */
  release(): void;
  /** Suspends the permit while the request waits for its client. The returned function resumes it. */
  suspend(): () => void;
}

const NOTHING = (): void => undefined;

/** Of a request that is not subject to admission control. */
export const NO_PERMIT: Permit = { release: NOTHING, suspend: () => NOTHING };
