import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { registerServer } from '../leftovers.ts';

/** The bytes received on a connection, up to its end. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection for bytes that no regular client would send. */
export interface Wire {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Ends the sending side only. */
  finish(): void;
  /** Closes the connection without a message. */
  cut(): void;
  /** Waits for the other side to close, and parses its response; status 0 without one. */
  answer(): Promise<RawResponse>;
}

export async function openRawConnection(base: string): Promise<Wire> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => void chunks.push(chunk));
  // A connection that is reset has ended as well.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('end', () => resolve(void socket.end()));
    socket.once('close', () => resolve());
  });
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    finish: () => void socket.end(),
    cut: () => void socket.resetAndDestroy(),
    answer: async () => {
      await closed;
      return read(Buffer.concat(chunks).toString('latin1'));
    },
  };
}

function read(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(first)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString('utf8'),
  };
}

/** A TCP relay that can lose its far end, or fall silent, as a server does that dies or hangs. */
export interface Relay {
  /** `host:port` to connect to. */
  readonly address: string;
  /** `hang`: forwards nothing until it is reset. `cut`: closes open connections and accepts none. */
  become(mode: 'pass' | 'hang' | 'cut'): void;
  close(): void;
}

export async function openRelay(far: { hostname: string; port: number }): Promise<Relay> {
  let mode: 'pass' | 'hang' | 'cut' = 'pass';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (mode === 'cut') return void near.destroy();
    const beyond = connect({ host: far.hostname, port: far.port });
    for (const [from, to] of [
      [near, beyond],
      [beyond, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        sockets.delete(from);
      });
      if (mode === 'hang') from.pause();
    }
  });
  registerServer('a relay', server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    become: (requested) => {
      mode = requested;
      if (mode === 'cut') cut();
      else for (const socket of sockets) socket[mode === 'hang' ? 'pause' : 'resume']();
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
