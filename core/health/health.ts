import { UnavailableError } from '../../ports/errors.ts';
import type { HealthProbe } from '../../ports/health.ts';
import type { Clock } from '../../ports/runtime.ts';

export interface HealthDeps {
  readonly probes: readonly HealthProbe[];
  readonly clock: Clock;
}

export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'off';
  readonly detail: string;
  /** Duration of the check in milliseconds. */
  readonly ms: number;
}

export interface HealthReport {
  readonly status: 'ok' | 'degraded';
  readonly checks: readonly CheckResult[];
}

/** Runs all checks concurrently. Each probe is bounded by its adapter. `degraded` as soon as one is not `ok`. */
export async function deepHealth(deps: HealthDeps): Promise<HealthReport> {
  const checks = await Promise.all(deps.probes.map((probe) => checked(deps.clock, probe)));
  return { status: checks.every(({ status }) => status === 'ok') ? 'ok' : 'degraded', checks };
}

async function checked(clock: Clock, probe: HealthProbe): Promise<CheckResult> {
  const { name } = probe;
  const from = clock.now();
  try {
    const { status, detail } = await probe.check();
    return { name, status, detail, ms: clock.now() - from };
  } catch (error) {
    // The reason is only logged: a response could leak an address or a secret.
    return { name, status: 'failed', detail: reason(error), ms: clock.now() - from };
  }
}

const reason = (error: unknown): string =>
  error instanceof UnavailableError ? error.message : 'It did not answer.';
