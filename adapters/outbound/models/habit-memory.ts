import type { ModelEndpoint, ModelHabit } from '../../../ports/language-model.ts';

const MAX_MODELS = 1_000;

/**
 * What answers and checks have shown of services, in this process. What the last check of a connection has shown is in its
 * endpoint as well.
 */
export class HabitMemory {
  readonly #models = new Map<string, Set<ModelHabit>>();

  of(endpoint: ModelEndpoint): ReadonlySet<ModelHabit> {
    return new Set([...(endpoint.habits ?? []), ...(this.#models.get(keyOf(endpoint)) ?? [])]);
  }

  add(endpoint: ModelEndpoint, habits: Iterable<ModelHabit>): void {
    const key = keyOf(endpoint);
    const known = this.#models.get(key) ?? new Set();
    for (const habit of habits) known.add(habit);
    if (known.size === 0) return;
    const [oldest] = this.#models.keys();
    if (this.#models.size >= MAX_MODELS && oldest !== undefined) this.#models.delete(oldest);
    this.#models.set(key, known);
  }

  /** Before a check, which finds out again. */
  forget(endpoint: ModelEndpoint): void {
    this.#models.delete(keyOf(endpoint));
  }
}

/** Identifies the model of a service. */
export const keyOf = ({ baseUrl, model }: ModelEndpoint): string =>
  JSON.stringify([baseUrl, model]);
