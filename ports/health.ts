/** A health check of one dependency. */
export interface HealthProbe {
  readonly name: string;
  /** Rejects if the dependency does not work; `off` if this installation does not use it. */
  check(): Promise<{ readonly status: 'ok' | 'off'; readonly detail: string }>;
}
