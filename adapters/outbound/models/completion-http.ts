import { Agent, request as send } from 'undici';
import type { ModelEvent, ModelRequest } from '../../../ports/language-model.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import { CompletionParser } from './completion-parser.ts';
import { notAModel, rejectedWith, tooLong } from './failures.ts';
import { completionsUrl, toRequestBody } from './completion-request.ts';
import { retryAfterIn } from './retry-after.ts';
import type { RequestTimeout } from '../request-timeout.ts';
import { ResponseReader } from './response-reader.ts';

const MAX_HEADER_BYTES = 65_536;
/** How long to wait for the usage once the answer is complete. */
const AFTERWARDS_MS = 1_000;
/** Statuses of a service that does not support a field of the request. */
const NOT_UNDERSTOOD: readonly number[] = [400, 422];

type Response = Awaited<ReturnType<typeof send>>;

/** What has been received so far. */
export interface ExchangeStep {
  /** Whether a model has begun to answer. */
  readonly started: boolean;
  readonly events: readonly ModelEvent[];
  /** Whether the answer began with reasoning that had no opening marker; undefined while that cannot be known. */
  readonly beganOpen: boolean | undefined;
}

/**
 * One request and its response, over a dedicated connection. Yields also for a mere keep-alive. Ends with its
 * RequestTimeout, and closes the connection when the consumer stops.
 */
export async function* exchange(
  rules: OutboundPolicy,
  request: ModelRequest,
  watch: RequestTimeout,
  beginsOpen: boolean,
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
    const answer = new CompletionParser(beginsOpen);
    const step = (events: readonly ModelEvent[]): ExchangeStep => ({
      started: answer.started,
      events,
      beganOpen: answer.beganOpen,
    });
    try {
      for await (const events of eventsOf(agent, request, watch, answer)) yield step(events);
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
  agent: Agent,
  request: ModelRequest,
  watch: RequestTimeout,
  answer: CompletionParser,
): AsyncGenerator<readonly ModelEvent[]> {
  const response = await ask(agent, request, watch);
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

async function ask(agent: Agent, request: ModelRequest, watch: RequestTimeout): Promise<Response> {
  const { key, baseUrl } = request.endpoint;
  for (const withUsage of [true, false]) {
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
        body: toRequestBody(request, withUsage),
      }),
    );
    if (response.statusCode === 200) return response;
    response.body.on('error', () => undefined).destroy();
    if (!withUsage || !NOT_UNDERSTOOD.includes(response.statusCode))
      throw rejectedWith(response.statusCode, retryAfterIn(response.headers, Date.now()));
  }
  throw notAModel();
}
