import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw response, parsed strictly: anything that a client could not read is an error. */
export interface Reply {
  readonly status: number;
  /** In their order, names as they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
}

export const headerIn = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** A connection that sends bytes unchanged and parses complete responses. */
export class Connection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    // A connection that is reset has ended as well.
    socket.on('error', end).on('end', end).on('close', end);
  }

  static async open(base: string): Promise<Connection> {
    const { hostname, port } = new URL(base);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const connection = new Connection(socket);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return connection;
  }

  get isOpen(): boolean {
    return !this.#ended && this.socket.writable;
  }

  send(bytes: Buffer | string): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /** Ends the sending side only. */
  finish(): void {
    if (this.socket.writable) this.socket.end();
  }

  /** Resets it, as a client does that dies. */
  cut(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Resolves as soon as anything has come, or the connection has ended. */
  async begun(withinMs: number): Promise<void> {
    if (this.#received.length === 0) await this.#more(performance.now() + withinMs);
  }

  /** Received bytes that belong to no response yet. */
  rest(): Buffer {
    return this.#received;
  }

  /**
   * The next response; `closed` if the other side ends the connection instead, `silent` after a timeout. Throws
   * BrokenReply for an incomplete response.
   */
  async read(method: string, withinMs: number): Promise<Reply | 'closed' | 'silent'> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = readReply(this.#received, method, this.#ended);
      if (found) {
        this.#received = found.rest;
        // An interim response, such as 100, precedes the final one.
        if (found.reply.status < 200) continue;
        if (found.isEndless) this.close();
        return found.reply;
      }
      if (this.#ended) {
        if (this.#received.length === 0) return 'closed';
        throw new BrokenReply(
          `The answer is cut off: ${this.#received.toString('latin1', 0, 300)}`,
        );
      }
      if (!(await this.#more(deadline))) return 'silent';
    }
  }

  async #more(deadline: number): Promise<boolean> {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    let timer: NodeJS.Timeout | undefined;
    const came = await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), left);
      this.#wake = () => resolve(true);
      if (this.#ended) resolve(true);
    });
    clearTimeout(timer);
    return came;
  }
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e\x80-\xff]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

interface Found {
  readonly reply: Reply;
  readonly rest: Buffer;
  /** A stream of events that goes on: its first event is the body, and the connection is of no further use. */
  readonly isEndless?: boolean;
}

/** RFC 9112 §6.3: where the body ends. Nothing as long as something of it is missing. */
function readReply(bytes: Buffer, method: string, ended: boolean): Found | undefined {
  const blank = bytes.indexOf('\r\n\r\n');
  if (blank === -1) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, blank).split('\r\n');
  const [, code] = STATUS_LINE.exec(first) ?? [];
  if (code === undefined) throw new BrokenReply(`This is no status line: ${first.slice(0, 200)}`);
  const headers = lines.map((line): [string, string] => {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw new BrokenReply(`This is no header: ${line.slice(0, 200)}`);
    return [name, (value ?? '').trimEnd()];
  });
  const status = Number(code);
  const content = bytes.subarray(blank + 4);
  const found = (body: Buffer, used: number): Found => ({
    reply: { status, headers, body },
    rest: content.subarray(used),
  });
  const named = (name: string) => headers.filter(([each]) => each.toLowerCase() === name);
  const [coding, ...otherCodings] = named('transfer-encoding');
  const [length, ...otherLengths] = named('content-length');
  if (otherCodings.length + otherLengths.length > 0 || (coding && length))
    throw new BrokenReply(`The answer gives its length twice: ${first}`);
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return found(Buffer.alloc(0), 0);
  if (coding) {
    const whole = readChunks(content);
    if (whole) return found(whole.body, whole.used);
    const isStream = named('content-type').some(([, type]) => type.startsWith('text/event-stream'));
    const first = method === 'GET' && isStream ? readChunks(content, 1) : undefined;
    return first && { ...found(first.body, content.length), isEndless: true };
  }
  if (length) {
    const size = Number(length[1]);
    return content.length < size ? undefined : found(content.subarray(0, size), size);
  }
  return ended ? found(content, content.length) : undefined;
}

/** All chunks, or with a limit at most so many. */
function readChunks(
  bytes: Buffer,
  max = Infinity,
): { readonly body: Buffer; readonly used: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const line = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]+$/i.test(line)) throw new BrokenReply(`This is no chunk size: ${line}`);
    const size = parseInt(line, 16);
    const next = end + 2 + size + 2;
    if (next > bytes.length) return undefined;
    if (size > 0) chunks.push(bytes.subarray(end + 2, next - 2));
    if (size === 0 || chunks.length >= max) return { body: Buffer.concat(chunks), used: next };
    at = next;
  }
}
