import { PortFailure } from '../../../ports/failures.ts';
import {
  DownloadRefused,
  type Claims,
  type DownloadBounds,
  type EngineAnswer,
  type EngineFetch,
  type OfficeEngine,
} from '../../../ports/office.ts';
import type { OutboundRules } from '../connector.ts';
import { Watch } from '../watch.ts';
import type { exchange, Question } from './exchange.ts';
import { elsewhere, failureOf, tooSlow } from './failures.ts';
import { engineTokens, type EngineTokens } from './tokens.ts';

export interface EngineSettings {
  /** http or https, without a slash at its end. */
  readonly url: string;
  readonly secret: string;
  readonly rules: OutboundRules;
}

/** What is read of an answer that tells how something went. */
const MOST_ANSWER_BYTES = 65_536;
const TOKEN_SECONDS = 300;
/** The address that every release knows, and the one that only the later ones have. */
const COMMANDS = ['/coauthoring/CommandService.ashx', '/command'] as const;
const CONVERSIONS = ['/ConvertService.ashx', '/converter'] as const;
const NO_SUCH_ADDRESS: readonly number[] = [404, 405];
/** The token was refused, by the published error codes of commands; and those of a failure of the engine's own. */
const TOKEN_REFUSED = 6;
const COMMAND_FAILED = 3;
/** The document could not be downloaded, by the published error codes of conversions. */
const NOT_DOWNLOADED = -4;

/** The HTTP client is loaded with the first question. */
const exchangeLater = async function* (...how: Parameters<typeof exchange>) {
  yield* (await import('./exchange.ts')).exchange(...how);
};

/** Speaks to one document server, at its own address and nowhere else. */
export class HttpOfficeEngine implements OfficeEngine {
  readonly #url: string;
  readonly #rules: OutboundRules;
  readonly #tokens: EngineTokens;
  readonly #running = new Set<Watch>();
  #closed = false;

  constructor({ url, secret, rules }: EngineSettings) {
    this.#url = url;
    this.#rules = rules;
    this.#tokens = engineTokens(secret);
  }

  sign(claims: Claims, seconds: number): Promise<string> {
    return this.#tokens.sign(claims, seconds);
  }

  verify(token: string): Promise<Claims | undefined> {
    return this.#tokens.verify(token);
  }

  async reach(timeMs: number): Promise<EngineAnswer> {
    const until = performance.now() + timeMs;
    return told(async () => {
      const health = await this.#ask({ url: `${this.#url}/healthcheck` }, timeMs);
      if (health.status === 200 && health.text.trim() === 'true')
        return { ok: true, detail: 'The document server answers.' };
      // Some proxies keep that address to themselves; what browsers load has to be there.
      if (health.status !== 404)
        return { ok: false, reason: 'What answers there is no healthy document server.' };
      const script = await this.#status(
        `${this.#url}/web-apps/apps/api/documents/api.js`,
        left(until),
      );
      return script === 200
        ? { ok: true, detail: 'The document server has its editor to load.' }
        : { ok: false, reason: 'What answers there is no document server.' };
    });
  }

  async agree(timeMs: number): Promise<EngineAnswer> {
    const command = { c: 'version' };
    return told(async () => {
      const answer = await this.#post(COMMANDS, command, timeMs);
      const error = numberIn(answer, 'error');
      if (error === undefined)
        return { ok: false, reason: 'The command service of the document server does not answer.' };
      if (error === TOKEN_REFUSED)
        return { ok: false, reason: 'The document server has another secret than this service.' };
      if (error === COMMAND_FAILED)
        return { ok: false, reason: 'The command service of the document server has failed.' };
      return { ok: true, detail: 'The document server takes what is signed with the secret.' };
    });
  }

  async fetches(
    { url, key }: { readonly url: string; readonly key: string },
    timeMs: number,
  ): Promise<EngineFetch> {
    const wanted = {
      async: false,
      filetype: 'txt',
      key,
      outputtype: 'docx',
      title: 'selftest.txt',
      url,
    };
    try {
      const answer = await this.#post(CONVERSIONS, wanted, timeMs);
      if (numberIn(answer, 'error') === NOT_DOWNLOADED) return 'out of reach';
      return (answer as Claims | undefined)?.['endConvert'] === true ? 'done' : 'unknown';
    } catch (error) {
      if (failureOf(error) instanceof DownloadRefused) return 'unknown';
      throw error;
    }
  }

  async *download(url: string, bounds: DownloadBounds): AsyncGenerator<Uint8Array> {
    const own = ownAddress(url, this.#url);
    const { fileBytes } = await import('./exchange.ts');
    try {
      yield* fileBytes(this.#draw({ url: own }, bounds), bounds.maxBytes);
    } catch (error) {
      throw failureOf(error);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const watch of this.#running) watch.end(closing());
    return Promise.resolve();
  }

  /** The JSON that is answered at the first of the addresses that exists; undefined where there is none. */
  async #post(paths: readonly string[], body: Claims, timeMs: number): Promise<unknown> {
    const [inBody, inHeader] = await Promise.all([
      this.sign(body, TOKEN_SECONDS),
      this.sign({ payload: body }, TOKEN_SECONDS),
    ]);
    const question = {
      body: { ...body, token: inBody },
      headers: { authorization: `Bearer ${inHeader}` },
    };
    for (const path of paths) {
      const { status, text } = await this.#ask({ url: this.#url + path, ...question }, timeMs);
      if (!NO_SUCH_ADDRESS.includes(status)) return status === 200 ? parsed(text) : undefined;
    }
    return undefined;
  }

  async #ask(question: Question, timeMs: number) {
    const { shortAnswer } = await import('./exchange.ts');
    const answer = this.#draw(question, { idleMs: timeMs, totalMs: timeMs });
    return shortAnswer(answer, MOST_ANSWER_BYTES);
  }

  /** Without what follows it. */
  async #status(url: string, timeMs: number): Promise<number> {
    for await (const part of this.#draw({ url }, { idleMs: timeMs, totalMs: timeMs }))
      if (typeof part === 'number') return part;
    return 0;
  }

  async *#draw(
    question: Question,
    { idleMs, totalMs }: Pick<DownloadBounds, 'idleMs' | 'totalMs'>,
  ): AsyncGenerator<number | Uint8Array> {
    if (this.#closed) throw closing();
    const watch = new Watch({ idleMs, totalMs }, tooSlow);
    this.#running.add(watch);
    watch.begin();
    try {
      yield* exchangeLater(this.#rules, question, idleMs, watch);
    } finally {
      this.#running.delete(watch);
      watch.end(closing());
    }
  }
}

/** Milliseconds. */
const left = (until: number): number => Math.max(1, until - performance.now());

/** The address as the engine's own, or a refusal: by scheme, host and port, and without a name or a password. */
function ownAddress(url: string, engine: string): string {
  const parsed = URL.parse(url);
  const own = parsed?.origin === new URL(engine).origin && /^https?:$/.test(parsed.protocol);
  if (!own || parsed.username !== '' || parsed.password !== '') throw elsewhere();
  return parsed.href;
}

/** What the engine, or the way there, says of itself as an answer. */
async function told(ask: () => Promise<EngineAnswer>): Promise<EngineAnswer> {
  try {
    return await ask();
  } catch (error) {
    const failure = failureOf(error);
    if (failure instanceof DownloadRefused) return { ok: false, reason: failure.message };
    throw failure;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No JSON: nothing that tells anything.
    return undefined;
  }
}

function numberIn(answer: unknown, field: string): number | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const fields = answer as Claims;
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof value === 'number' ? value : undefined;
}

const closing = (): PortFailure =>
  new PortFailure('office', 'The service is closing and asks the document server nothing more.');
