import { UnavailableError } from '../../../ports/errors.ts';
import {
  DownloadError,
  type Claims,
  type DownloadOptions,
  type EngineResponse,
  type EngineFetch,
  type OfficeEngine,
} from '../../../ports/office.ts';
import type { ConnectionSentence } from '../../../ports/reasons.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import { RequestTimeout } from '../request-timeout.ts';
import type { exchange, Question, ResponseHead } from './exchange.ts';
import { failureOf, redirected, tooSlow } from './failures.ts';
import { engineTokens, type DocumentServerJwt } from './jwt.ts';
import { addressElsewhere } from './saved-file-urls.ts';

export interface EngineSettings {
  /** http or https, without a trailing slash. */
  readonly url: string;
  readonly secret: string;
  readonly rules: OutboundPolicy;
}

/** Maximum size of a status response. */
const MAX_RESPONSE_BYTES = 65_536;
const TOKEN_SECONDS = 300;
/** The path that every release supports, and the one of later releases only. */
const COMMANDS = ['/coauthoring/CommandService.ashx', '/command'] as const;
const CONVERSIONS = ['/ConvertService.ashx', '/converter'] as const;
const NO_SUCH_ADDRESS: readonly number[] = [404, 405];
/** Rejected token: error codes of the command service; and codes for its own failures. */
const TOKEN_REFUSED = 6;
const COMMAND_FAILED = 3;
/** Failed download: error codes of the conversion service. */
const NOT_DOWNLOADED = -4;

/** The HTTP client is loaded with the first request. */
const exchangeLater = async function* (...how: Parameters<typeof exchange>) {
  yield* (await import('./exchange.ts')).exchange(...how);
};

/** Client of one document server, limited to its own address. */
export class HttpOfficeEngine implements OfficeEngine {
  readonly #url: string;
  readonly #rules: OutboundPolicy;
  readonly #tokens: DocumentServerJwt;
  readonly #running = new Set<RequestTimeout>();
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

  async reach(timeMs: number): Promise<EngineResponse> {
    const until = performance.now() + timeMs;
    return told(async () => {
      const health = await this.#request({ url: `${this.#url}/healthcheck` }, timeMs);
      if (health.status === 200 && health.text.trim() === 'true')
        return { ok: true, detail: 'The document server answers.' };
      if (health.status >= 300 && health.status < 400)
        return { ok: false, reason: redirected(health.status).message };
      // Some proxies block that path, but the editor script has to be accessible.
      if (health.status !== 404)
        return {
          ok: false,
          reason:
            'The server at this address is not a healthy document server.' satisfies ConnectionSentence,
        };
      const script = await this.#status(
        `${this.#url}/web-apps/apps/api/documents/api.js`,
        left(until),
      );
      return script === 200
        ? { ok: true, detail: 'The document server serves its editor.' }
        : {
            ok: false,
            reason:
              'The server at this address is not a document server.' satisfies ConnectionSentence,
          };
    });
  }

  async agree(timeMs: number): Promise<EngineResponse> {
    const command = { c: 'version' };
    return told(async () => {
      const answer = await this.#post(COMMANDS, command, timeMs);
      const error = numberIn(answer, 'error');
      if (error === undefined)
        return {
          ok: false,
          reason:
            'The command service of the document server is not responding.' satisfies ConnectionSentence,
        };
      if (error === TOKEN_REFUSED)
        return {
          ok: false,
          reason:
            'The document server has a different secret than this service.' satisfies ConnectionSentence,
        };
      if (error === COMMAND_FAILED)
        return {
          ok: false,
          reason:
            'The command service of the document server has failed.' satisfies ConnectionSentence,
        };
      return { ok: true, detail: 'The document server accepts tokens signed with the secret.' };
    });
  }

  async fetches(
    { url, key }: { readonly url: string; readonly key: string },
    timeMs: number,
  ): Promise<EngineFetch> {
    const requested = {
      async: false,
      filetype: 'txt',
      key,
      outputtype: 'docx',
      title: 'selftest.txt',
      url,
    };
    try {
      const answer = await this.#post(CONVERSIONS, requested, timeMs);
      if (numberIn(answer, 'error') === NOT_DOWNLOADED) return without('out of reach');
      if (fieldOf(answer, 'endConvert') !== true) return without('unknown');
      const url = fieldOf(answer, 'fileUrl');
      if (typeof url !== 'string') return without('done');
      const converted = { url, elsewhere: addressElsewhere(url, this.#url) };
      return { result: 'done', converted };
    } catch (error) {
      if (failureOf(error) instanceof DownloadError) return without('unknown');
      throw error;
    }
  }

  async *download(url: string, bounds: DownloadOptions): AsyncGenerator<Uint8Array> {
    const { savedFile } = await import('./saved-file.ts');
    const { idleMs, maxBytes } = bounds;
    const until = performance.now() + bounds.totalMs;
    try {
      yield* savedFile({ named: url, engineUrl: this.#url, maxBytes }, (at) =>
        this.#draw({ url: at }, { idleMs, totalMs: left(until) }),
      );
    } catch (error) {
      throw failureOf(error);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const watch of this.#running) watch.end(closing());
    return Promise.resolve();
  }

  /** The JSON response of the first path that exists; undefined if there is none. */
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
      const { status, text } = await this.#request({ url: this.#url + path, ...question }, timeMs);
      if (!NO_SUCH_ADDRESS.includes(status)) return status === 200 ? parsed(text) : undefined;
    }
    return undefined;
  }

  async #request(question: Question, timeMs: number) {
    const { shortAnswer } = await import('./exchange.ts');
    const answer = this.#draw(question, { idleMs: timeMs, totalMs: timeMs });
    return shortAnswer(answer, MAX_RESPONSE_BYTES);
  }

  /** Without query and fragment. */
  async #status(url: string, timeMs: number): Promise<number> {
    for await (const part of this.#draw({ url }, { idleMs: timeMs, totalMs: timeMs }))
      if (!(part instanceof Uint8Array)) return part.status;
    return 0;
  }

  async *#draw(
    question: Question,
    { idleMs, totalMs }: Pick<DownloadOptions, 'idleMs' | 'totalMs'>,
  ): AsyncGenerator<ResponseHead | Uint8Array, void> {
    if (this.#closed) throw closing();
    const watch = new RequestTimeout({ idleMs, totalMs }, tooSlow);
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

/** Maps an error of the server or the network to a response. */
async function told(ask: () => Promise<EngineResponse>): Promise<EngineResponse> {
  try {
    return await ask();
  } catch (error) {
    const failure = failureOf(error);
    if (failure instanceof DownloadError) return { ok: false, reason: failure.message };
    throw failure;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON, so it carries no information.
    return undefined;
  }
}

function numberIn(answer: unknown, field: string): number | undefined {
  const value = fieldOf(answer, field);
  return typeof value === 'number' ? value : undefined;
}

function fieldOf(answer: unknown, field: string): unknown {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const fields = answer as Claims;
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

const without = (result: EngineFetch['result']): EngineFetch => ({
  result,
  converted: undefined,
});

const closing = (): UnavailableError => new UnavailableError('office', 'The service is closing.');
