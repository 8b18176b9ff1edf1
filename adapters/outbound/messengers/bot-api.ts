import { Agent, request as send, type Dispatcher } from 'undici';
import { readBody } from '../body.ts';
import { guardedConnector, type OutboundRules } from '../connector.ts';
import type { Watch } from '../watch.ts';
import { at } from './fields.ts';
import { brokenDown, noPlatform, refusedWith, tooLong, unreadable } from './failures.ts';
import { readJson, writeJson } from './json.ts';

/** One request: what for, and how much may be read of its answer. */
export interface Call {
  readonly token: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly maxBytes: number;
}

const LONGEST_HEADERS = 65_536;
/** How many wait for updates at once. */
const MOST_POLLS = 256;
const MOST_CALLS = 16;
const LOST_CONNECTION = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

type Response = Awaited<ReturnType<typeof send>>;

/** The Bot API over HTTP: no redirects, no proxy, no cookies. Connections are kept for the next request. */
export class BotApi {
  readonly #base: string;
  /** Whoever waits holds a connection meanwhile, which others shall not wait for. */
  readonly #polls: Agent;
  readonly #calls: Agent;
  /** A message that is lost with a connection can not be sent again: each has a fresh one. */
  readonly #messages: Agent;

  constructor(baseUrl: string, rules: OutboundRules, connectMs: number) {
    this.#base = baseUrl.replace(/\/+$/, '');
    const common = {
      connect: guardedConnector(rules, connectMs),
      // The watch keeps the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: LONGEST_HEADERS,
    };
    this.#polls = new Agent({ ...common, connections: MOST_POLLS });
    this.#calls = new Agent({ ...common, connections: MOST_CALLS });
    this.#messages = new Agent({ ...common, connections: MOST_CALLS, pipelining: 0 });
  }

  /** Waits for updates. */
  poll(call: Call, watch: Watch): Promise<unknown> {
    return this.#repeated(this.#polls, call, watch);
  }

  /** Asks for what may be asked for twice. */
  ask(call: Call, watch: Watch): Promise<unknown> {
    return this.#repeated(this.#calls, call, watch);
  }

  /** Asks for what must not be asked for twice. */
  async once(call: Call, watch: Watch): Promise<unknown> {
    return resultOf(await this.#send(this.#messages, call, watch), call, watch);
  }

  destroy(): void {
    for (const agent of [this.#polls, this.#calls, this.#messages])
      void agent.destroy().catch(() => undefined);
  }

  async #repeated(agent: Agent, call: Call, watch: Watch): Promise<unknown> {
    const response = await this.#send(agent, call, watch).catch((error: unknown) => {
      // A connection that was kept may have been closed by the platform meanwhile.
      const { code = '' } = error as { readonly code?: string };
      if (watch.signal.aborted || !LOST_CONNECTION.test(code)) throw error;
      return this.#send(agent, call, watch);
    });
    return resultOf(response, call, watch);
  }

  #send(dispatcher: Dispatcher, call: Call, watch: Watch): Promise<Response> {
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

async function resultOf(response: Response, call: Call, watch: Watch): Promise<unknown> {
  const { statusCode, headers, body } = response;
  const drop = (error: Error): Error => {
    body.on('error', () => undefined).destroy();
    return error;
  };
  if (statusCode >= 500) throw drop(brokenDown(statusCode));
  if (statusCode >= 300 && statusCode < 400) throw drop(noPlatform());
  if (String(headers['content-encoding'] ?? 'identity') !== 'identity') throw drop(noPlatform());
  if (Number(headers['content-length']) > call.maxBytes) throw drop(tooLong());
  const bounds = { maxBytes: call.maxBytes, tooLarge: tooLong, signal: watch.signal };
  const answer = parsed(await watch.within(readBody(body, '', bounds)));
  if (at(answer, 'ok') === true && statusCode === 200) return at(answer, 'result');
  throw at(answer, 'ok') === false ? refusedWith(answer, statusCode) : noPlatform();
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return readJson(new TextDecoder().decode(bytes));
  } catch {
    // No JSON, or deeper than it can be read.
    throw unreadable();
  }
}
