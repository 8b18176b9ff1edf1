import { Agent, request as send } from 'undici';
import type { ModelEvent, ModelHabit, ModelRequest } from '../../../ports/language-model.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import { CompletionParser } from './completion-parser.ts';
import { contextTooLong, noTools, notAModel, rejectedWith, tooLong } from './failures.ts';
import { habitBehind, isTooLong, refusalIn, type Refusal } from './refusals.ts';
import { completionsUrl, testedBy, toRequestBody } from './completion-request.ts';
import { retryAfterIn } from './retry-after.ts';
import type { RequestTimeout } from '../request-timeout.ts';
import { ResponseReader } from './response-reader.ts';

const MAX_HEADER_BYTES = 65_536;
/** How long to wait for the usage once the answer is complete. */
const AFTERWARDS_MS = 1_000;

type Response = Awaited<ReturnType<typeof send>>;

/** What has been received so far. */
export interface ExchangeStep {
  /** Whether a model has begun to answer. */
  readonly started: boolean;
  readonly events: readonly ModelEvent[];
}

/**
 * One request and its response, over a dedicated connection. Yields also for a mere keep-alive. Ends with its
 * RequestTimeout, and closes the connection when the consumer stops.
 *
 * @param habits of the service, as far as they are known; what this request shows is added
 * @param mayLackTools the request is useful also without its tools
 */
export async function* exchange(
  rules: OutboundPolicy,
  request: ModelRequest,
  watch: RequestTimeout,
  habits: Set<ModelHabit>,
  mayLackTools: boolean,
): AsyncGenerator<ExchangeStep> {
  const agent = new Agent({
    connect: createSsrfSafeConnector(rules, request.totalMs),
    // RequestTimeout enforces the time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const end = () => void agent.destroy().catch(() => undefined);
  watch.signal.addEventListener('abort', end, { once: true });
  try {
    const answer = new CompletionParser(request.endpoint, habits.has('open_reasoning'));
    const step = (events: readonly ModelEvent[]): ExchangeStep => {
      if (answer.beganOpen === true) habits.add('open_reasoning');
      return { started: answer.started, events };
    };
    try {
      const response = await ask(agent, request, watch, habits, mayLackTools);
      for await (const events of eventsOf(response, request, watch, answer)) yield step(events);
    } catch (error) {
      yield step(answer.rest());
      throw error;
    }
    yield step(answer.rest());
    yield step(answer.end());
  } finally {
    watch.signal.removeEventListener('abort', end);
    end();
  }
}

async function* eventsOf(
  response: Response,
  request: ModelRequest,
  watch: RequestTimeout,
  answer: CompletionParser,
): AsyncGenerator<readonly ModelEvent[]> {
  const { body } = response;
  // A truncated response is detected by its missing end.
  body.on('error', () => undefined);
  // The type is not considered: streams are sent under any. A compressed body was not requested.
  if (String(response.headers['content-encoding'] ?? 'identity') !== 'identity') throw notAModel();
  const read = new ResponseReader(answer);
  const text = new TextDecoder();
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let size = 0;
  const isOver = async (): Promise<boolean> => {
    const patience = answer.finished ? Math.min(AFTERWARDS_MS, request.idleMs) : request.idleMs;
    const { done, value } = await watch.within(chunks.next(), patience);
    if (done) return read.close(text.decode());
    size += value.length;
    if (size > request.maxBytes) throw tooLong();
    return read.feed(text.decode(value, { stream: true }));
  };
  try {
    for (let over = false; !over;) {
      let failure: Error | undefined;
      try {
        over = await isOver();
      } catch (error) {
        // After a complete answer only the end of the stream is missing.
        if (answer.finished) over = true;
        else failure = error as Error;
      }
      yield read.taken();
      if (failure) throw failure;
    }
  } finally {
    body.destroy();
  }
}

/** Sends the request, and again without what the service refuses. What it has refused is added to `habits`. */
async function ask(
  agent: Agent,
  request: ModelRequest,
  watch: RequestTimeout,
  habits: Set<ModelHabit>,
  mayLackTools: boolean,
): Promise<Response> {
  const { key, baseUrl } = request.endpoint;
  const tried = new Set(habits);
  if (!mayLackTools && tried.has('no_tools') && request.tools?.length) throw noTools();
  for (;;) {
    const response = await watch.within(
      send(completionsUrl(baseUrl), {
        dispatcher: agent,
        signal: watch.signal,
        method: 'POST',
        headers: {
          accept: 'text/event-stream, application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'user-agent': 'OwnerWorkspace',
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body: toRequestBody(request, tried),
      }),
    );
    const { statusCode: status } = response;
    if (status === 200) {
      // A refusal that did not go away had another cause.
      for (const habit of tried) habits.add(habit);
      return response;
    }
    const failure = rejectedWith(status, retryAfterIn(response.headers, Date.now()));
    const refusal = failure.kind === 'busy' ? undefined : await refusalOf(response, watch);
    response.body.on('error', () => undefined).destroy();
    if (!refusal) throw failure;
    if (isTooLong(refusal)) throw contextTooLong(status);
    const habit = habitBehind(refusal, testedBy(request, tried));
    if (habit === undefined) throw failure;
    if (habit === 'no_tools' && !mayLackTools) throw noTools();
    tried.add(habit);
  }
}

/** Statuses of a request that is not accepted in its form. */
const FORM_STATUSES: readonly number[] = [400, 404, 405, 413, 415, 422, 500, 501];
const MAX_REFUSAL_BYTES = 65_536;
/** How long the body of a refusal is read. */
const REFUSAL_MS = 5_000;

/** What the service says of the request; undefined if its status is not about the form of the request. */
async function refusalOf(
  { statusCode, body }: Response,
  watch: RequestTimeout,
): Promise<Refusal | undefined> {
  if (!FORM_STATUSES.includes(statusCode)) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const isLate = setTimeout(() => void body.destroy(), REFUSAL_MS);
  try {
    const read = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    for (;;) {
      const { done, value } = await watch.within(read.next());
      if (done || (size += value.length) > MAX_REFUSAL_BYTES) break;
      chunks.push(value);
    }
  } catch (error) {
    // What came before the connection broke is enough.
    if (watch.signal.aborted) throw error;
  } finally {
    clearTimeout(isLate);
  }
  return refusalIn(statusCode, Buffer.concat(chunks).toString());
}
