import { Agent, request as begin } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): void;
}

const TIMEOUT_MS = 60_000;

/** Sends requests to one server over separate connections, and returns the responses byte for byte. */
export function httpClient(base: string): HttpClient {
  const { hostname, port } = new URL(base);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length =
          body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const sent = { ...length, ...headers };
        const outgoing = begin(
          { hostname, port, agent, method, path, headers: sent },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                headers: Object.fromEntries(
                  Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
                ),
                body: Buffer.concat(chunks),
              }),
            );
          },
        );
        outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('No reply in time.')));
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
