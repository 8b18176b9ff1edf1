import { createParser } from 'eventsource-parser';
import { Agent, parseMIMEType, request as send } from 'undici';
import type { ModelEvent, ModelRequest } from '../../../ports/language-model.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import { CompletionParser } from './completion-parser.ts';
import { notAModel, rejectedWith, tooLong } from './failures.ts';
import { completionsUrl, toRequestBody } from './completion-request.ts';
import { retryAfterIn } from './retry-after.ts';
import type { RequestTimeout } from '../request-timeout.ts';

const MAX_HEADER_BYTES = 65_536;
/** How long to wait for the usage once the answer is complete. */
const AFTERWARDS_MS = 1_000;
/** Statuses of a service that does not support a field of the request. */
const NOT_UNDERSTOOD: readonly number[] = [400, 422];

type Response = Awaited<ReturnType<typeof send>>;

/**
 * One request and its response, over a dedicated connection. Yields the events received so far, also for a mere
 * keep-alive. Ends with its RequestTimeout, and closes the connection when the consumer stops.
 */
export async function* exchange(
  rules: OutboundPolicy,
  request: ModelRequest,
  watch: RequestTimeout,
): AsyncGenerator<{ readonly started: boolean; readonly events: readonly ModelEvent[] }> {
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
    const answer = new CompletionParser();
    for await (const events of eventsOf(agent, request, watch, answer))
      yield { started: answer.started, events };
    yield { started: answer.started, events: answer.end() };
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
  const read = readerFor(response, answer);
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

/** Parses text as it arrives; returns whether the end has been received. */
interface Reader {
  feed(text: string): boolean;
  /** Parses the rest at the end of the input. */
  close(text: string): true;
  /** The events since the last call. */
  taken(): readonly ModelEvent[];
}

function readerFor({ headers }: Response, answer: CompletionParser): Reader {
  const type = parseMIMEType(String(headers['content-type'] ?? ''));
  const packed = String(headers['content-encoding'] ?? 'identity') !== 'identity';
  if (type === 'failure' || packed) throw notAModel();
  if (type.essence === 'text/event-stream') return streamReader(answer);
  if (/^application\/(.+\+)?json$/.test(type.essence)) return wholeReader(answer);
  throw notAModel();
}

function streamReader(answer: CompletionParser): Reader {
  let events: ModelEvent[] = [];
  let over = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (over) return;
      over = data.trim() === '[DONE]';
      if (over) answer.done();
      else events.push(...answer.take(data));
    },
  });
  return {
    feed: (text) => {
      parser.feed(text);
      return over;
    },
    close: (text) => {
      // The blank line after the last event may be missing.
      parser.feed(`${text}\n\n`);
      return true;
    },
    taken: () => {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** A service without streaming sends one JSON document. */
function wholeReader(answer: CompletionParser): Reader {
  const pieces: string[] = [];
  let events: readonly ModelEvent[] = [];
  return {
    feed: (text) => {
      pieces.push(text);
      return false;
    },
    close: (text) => {
      events = answer.take(pieces.join('') + text);
      answer.done();
      return true;
    },
    taken: () => events,
  };
}
