const MAX_SECRETS = 1_000;
/** Longer than a request of the same browser usually takes. */
const RETENTION_MS = 60_000;

/**
 * Secrets of session cookies that a sign-in of this process has just replaced. A request that the browser sent before it
 * got the new cookie is rejected like any other, but must not clear the cookie: that would be the new one.
 */
export class ReplacedSecrets {
  /** Times by secret, earliest first. The secrets are no longer valid. */
  readonly #times = new Map<string, number>();

  add(secret: string): void {
    this.#times.set(secret, performance.now());
    for (const [oldest] of this.#times) {
      if (this.#times.size <= MAX_SECRETS) break;
      this.#times.delete(oldest);
    }
  }

  has(secret: string): boolean {
    const at = this.#times.get(secret);
    return at !== undefined && performance.now() - at < RETENTION_MS;
  }
}
