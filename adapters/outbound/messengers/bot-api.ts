import { Agent, request as send, type Dispatcher } from 'undici';
import { readBody } from '../body.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import type { RequestTimeout } from '../request-timeout.ts';
import { at } from './fields.ts';
import { brokenDown, notABotApi, rejectedWith, tooLong, unreadable } from './failures.ts';
import { readJson, writeJson } from './json.ts';

/** A request to the Bot API, with the maximum size of its response. */
export interface Call {
  readonly token: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly maxBytes: number;
}

const MAX_HEADER_BYTES = 65_536;
/** Maximum number of concurrent long polls. */
const MAX_CONCURRENT_POLLS = 256;
const MAX_CONCURRENT_CALLS = 16;
const LOST_CONNECTION = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

type Response = Awaited<ReturnType<typeof send>>;

/** The Bot API over HTTP: no redirects, no proxy, no cookies. Connections are reused. */
export class BotApi {
  readonly #base: string;
  /** A long poll occupies a connection, so long polls use a separate pool. */
  readonly #polls: Agent;
  readonly #calls: Agent;
  /** A message lost with a stale connection cannot be repeated, so each gets a new connection. */
  readonly #messages: Agent;

  constructor(baseUrl: string, rules: OutboundPolicy, connectMs: number) {
    this.#base = baseUrl.replace(/\/+$/, '');
    const common = {
      connect: createSsrfSafeConnector(rules, connectMs),
      // RequestTimeout enforces the time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    this.#polls = new Agent({ ...common, connections: MAX_CONCURRENT_POLLS });
    this.#calls = new Agent({ ...common, connections: MAX_CONCURRENT_CALLS });
    this.#messages = new Agent({ ...common, connections: MAX_CONCURRENT_CALLS, pipelining: 0 });
  }

  /** Long-polls for updates. */
  poll(call: Call, watch: RequestTimeout): Promise<unknown> {
    return this.#repeated(this.#polls, call, watch);
  }

  /** Sends an idempotent request. */
  ask(call: Call, watch: RequestTimeout): Promise<unknown> {
    return this.#repeated(this.#calls, call, watch);
  }

  /** Sends a request that must not be repeated. */
  async once(call: Call, watch: RequestTimeout): Promise<unknown> {
    return resultOf(await this.#send(this.#messages, call, watch), call, watch);
  }

  destroy(): void {
    for (const agent of [this.#polls, this.#calls, this.#messages])
      void agent.destroy().catch(() => undefined);
  }

  async #repeated(agent: Agent, call: Call, watch: RequestTimeout): Promise<unknown> {
    const response = await this.#send(agent, call, watch).catch((error: unknown) => {
      // The platform may have closed a reused connection meanwhile.
      const { code = '' } = error as { readonly code?: string };
      if (watch.signal.aborted || !LOST_CONNECTION.test(code)) throw error;
      return this.#send(agent, call, watch);
    });
    return resultOf(response, call, watch);
  }

  #send(dispatcher: Dispatcher, call: Call, watch: RequestTimeout): Promise<Response> {
    return watch.within(
      send(`${this.#base}/bot${call.token}/${call.method}`, {
        dispatcher,
        signal: watch.signal,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'user-agent': 'OwnerWorkspace',
        },
        body: writeJson(call.params),
      }),
    );
  }
}

async function resultOf(response: Response, call: Call, watch: RequestTimeout): Promise<unknown> {
  const { statusCode, headers, body } = response;
  const drop = (error: Error): Error => {
    body.on('error', () => undefined).destroy();
    return error;
  };
  if (statusCode >= 500) throw drop(brokenDown(statusCode));
  if (statusCode >= 300 && statusCode < 400) throw drop(notABotApi());
  if (String(headers['content-encoding'] ?? 'identity') !== 'identity') throw drop(notABotApi());
  if (Number(headers['content-length']) > call.maxBytes) throw drop(tooLong());
  const bounds = { maxBytes: call.maxBytes, tooLarge: tooLong, signal: watch.signal };
  const answer = parsed(await watch.within(readBody(body, '', bounds)));
  if (at(answer, 'ok') === true && statusCode === 200) return at(answer, 'result');
  throw at(answer, 'ok') === false ? rejectedWith(answer, statusCode, call.method) : notABotApi();
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return readJson(new TextDecoder().decode(bytes));
  } catch {
    // Not JSON, or nested too deeply to parse.
    throw unreadable();
  }
}
