import { UnavailableError } from '../../../ports/errors.ts';
import {
  ModelError,
  type LanguageModel,
  type ModelCheck,
  type ModelEndpoint,
  type ModelEvent,
  type ModelHabit,
  type ModelRequest,
} from '../../../ports/language-model.ts';
import type { Scheduler } from '../../../ports/runtime.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import type { exchange, ExchangeStep } from './completion-http.ts';
import { failureOf, tooSlow } from './failures.ts';
import { HabitMemory } from './habit-memory.ts';
import { yieldBetweenEvents } from './yielding.ts';
import { RequestTimeout } from '../request-timeout.ts';

/** Loading the HTTP client takes a third of a second and 28 MB, so it is deferred to the first request. */
const exchangeLater = async (...how: Parameters<typeof exchange>) =>
  (await import('./completion-http.ts')).exchange(...how);

const CHECK_BYTES = 2 ** 20;
/** How long a check reads on once the model has begun to answer, to see in which form it reasons. */
const READ_ON_MS = 3_000;
/** Has what real requests have: a system message, a question and a tool. */
const CHECK_REQUEST: Pick<ModelRequest, 'messages' | 'tools'> = {
  messages: [
    { role: 'system', content: 'You answer in one word and call no tool.' },
    { role: 'user', content: 'Answer with the word: ready' },
  ],
  tools: [
    {
      name: 'report_problem',
      description: 'Reports that the question cannot be read.',
      parameters: { type: 'object', properties: { problem: { type: 'string' } } },
    },
  ],
};

/**
 * Models with the OpenAI chat completions API over HTTP: no redirects, no proxy, no cookies, every connection
 * guarded.
 */
export class HttpLanguageModel implements LanguageModel {
  readonly #scheduler: Scheduler;
  readonly #rules: Readonly<Record<ModelEndpoint['chosenBy'], OutboundPolicy>>;
  readonly #running = new Set<RequestTimeout>();
  readonly #habits = new HabitMemory();
  #closed = false;

  /** Policy for owners' endpoints, and the operator's own endpoint. */
  constructor(scheduler: Scheduler, owner: OutboundPolicy, operator: OutboundPolicy = owner) {
    this.#scheduler = scheduler;
    this.#rules = { owner, operator };
  }

  answer(request: ModelRequest): AsyncIterable<ModelEvent> {
    return { [Symbol.asyncIterator]: () => this.#drawn(request) };
  }

  async check(endpoint: ModelEndpoint, timeMs: number): Promise<ModelCheck> {
    const watch = new RequestTimeout({ idleMs: timeMs, totalMs: timeMs }, tooSlow);
    const bounds = { idleMs: timeMs, totalMs: timeMs, maxBytes: CHECK_BYTES };
    this.#habits.forget(endpoint);
    const habits = new Set<ModelHabit>();
    const request = { endpoint: { ...endpoint, habits: [] }, ...CHECK_REQUEST, ...bounds };
    const steps = this.#steps(request, watch, habits, true);
    let isStarted = false;
    let readingOn: NodeJS.Timeout | undefined;
    try {
      for await (const { started } of steps) {
        if (started && !isStarted)
          readingOn = setTimeout(() => watch.end(tooSlow(READ_ON_MS)), READ_ON_MS);
        isStarted ||= started;
      }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (!isStarted) return { ok: false, reason: error.message };
    } finally {
      clearTimeout(readingOn);
    }
    this.#habits.add(endpoint, habits);
    return habits.size === 0 ? { ok: true } : { ok: true, habits: [...habits] };
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const watch of this.#running) watch.end(closing());
    return Promise.resolve();
  }

  /** A generator alone would notice that the consumer has stopped only after its pending await. */
  #drawn(request: ModelRequest): AsyncIterator<ModelEvent> {
    const watch = new RequestTimeout(request, tooSlow);
    const unwanted = new Error('The consumer has stopped reading.');
    const paced = yieldBetweenEvents(this.#scheduler);
    const { endpoint } = request;
    const habits = new Set(this.#habits.of(endpoint));
    const remember = () => {
      // Only a check lets streams be held back.
      const shown = [...habits].filter((habit) => habit !== 'open_reasoning');
      this.#habits.add(endpoint, shown);
    };
    const steps = this.#steps(request, watch, habits, false);
    const events = (async function* (): AsyncGenerator<ModelEvent> {
      try {
        for await (const { started, events } of steps) {
          if (started) remember();
          if (watch.signal.reason === unwanted) return;
          yield* paced(events);
        }
      } catch (error) {
        if (error !== unwanted) throw error;
      }
    })();
    return {
      next: () => events.next(),
      return: () => {
        watch.end(unwanted);
        return events.return(undefined);
      },
    };
  }

  async *#steps(
    request: ModelRequest,
    watch: RequestTimeout,
    habits: Set<ModelHabit>,
    mayLackTools: boolean,
  ): AsyncGenerator<ExchangeStep> {
    if (this.#closed) throw closing();
    this.#running.add(watch);
    watch.begin();
    try {
      const rules = this.#rules[request.endpoint.chosenBy];
      yield* await watch.within(exchangeLater(rules, request, watch, habits, mayLackTools));
    } catch (error) {
      throw failureOf(error);
    } finally {
      watch.end(new Error('It is over.'));
      this.#running.delete(watch);
    }
  }
}

const closing = (): UnavailableError =>
  new UnavailableError('language-model', 'The service is closing.');
