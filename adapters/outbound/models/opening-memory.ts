import type { ModelEndpoint } from '../../../ports/language-model.ts';

const MAX_MODELS = 1_000;

/**
 * The models whose answers begin with reasoning that has no opening marker, because the template of the prompt opens
 * it. Their streams are held back until the reasoning ends. Learnt from checks, forgotten with the process.
 */
export class OpeningMemory {
  readonly #models = new Set<string>();

  isKnown(endpoint: ModelEndpoint): boolean {
    return this.#models.has(keyOf(endpoint));
  }

  /** `beganOpen` is undefined if an answer has not shown it. */
  record(endpoint: ModelEndpoint, beganOpen: boolean | undefined): void {
    if (beganOpen === undefined) return;
    const key = keyOf(endpoint);
    if (!beganOpen) return void this.#models.delete(key);
    const [oldest] = this.#models;
    if (this.#models.size >= MAX_MODELS && oldest !== undefined) this.#models.delete(oldest);
    this.#models.add(key);
  }
}

const keyOf = ({ baseUrl, model }: ModelEndpoint): string => JSON.stringify([baseUrl, model]);
