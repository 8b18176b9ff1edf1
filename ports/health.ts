/** One thing the service depends on, asked how it is. */
export interface HealthProbe {
  readonly name: string;
  /** Rejects when the thing does not work; `off` when this installation does without it. */
  check(): Promise<{ readonly status: 'ok' | 'off'; readonly detail: string }>;
}
