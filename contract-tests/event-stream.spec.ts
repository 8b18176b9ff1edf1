import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import express, { type Response } from 'express';
import { EventStream } from '../adapters/http/response/event-stream.ts';
import { openAnswerChannel } from '../adapters/http/pipeline/streaming.ts';
import { exchangeFor } from './http/exchange-fixture.ts';

/** The idle timeout of a connection, as set by the listener: for clients that stop reading, and for all others. */
const SILENCE_MS = 300;
const LONG_SILENCE_MS = 25_000;
const EVENT = { event: 'delta', data: { text: 'x'.repeat(65_536) } };
const MOST = 400;

/** Has the client ask for it, with `use` made of the connection; `answered` is waited for. */
async function asking<T>(
  app: RequestListener,
  use: (client: Socket) => void,
  answered: Promise<T>,
  silenceMs = SILENCE_MS,
): Promise<T> {
  const server = createServer(app).listen(0, '127.0.0.1');
  server.setTimeout(silenceMs);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  use(client);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const result = await answered;
  client.destroy();
  server.close();
  await once(server, 'close');
  return result;
}

describe('a stream of events', () => {
  /** Emits more than all buffers hold. Returns the emitted amount, and the number of listeners on the response. */
  async function sentTo(use: (client: Socket) => void, silenceMs: number) {
    const reported = Promise.withResolvers<{ sent: number; listeners: number }>();
    const tell = async (response: Response) => {
      const stream = new EventStream(response, 'once begun', silenceMs);
      let listeners = 0;
      let sent = 0;
      for (; sent < MOST && !response.destroyed; sent++) {
        await stream.send(EVENT);
        listeners = Math.max(listeners, response.listenerCount('close'));
      }
      stream.end();
      return { sent, listeners };
    };
    const app = express().get(
      '/',
      (_, response) => void tell(response).then(reported.resolve, reported.reject),
    );
    return asking(app, use, reported.promise, silenceMs);
  }

  it('ends for a client that stops reading', async () => {
    const { sent } = await sentTo((client) => client.pause(), SILENCE_MS);
    expect(sent).to.be.within(1, MOST - 1);
  });

  it('waits for a slow one, with no more effort for every wait', async () => {
    const { sent, listeners } = await sentTo(
      (client) =>
        client.on('data', () => {
          client.pause();
          setTimeout(() => client.resume(), 1);
        }),
      LONG_SILENCE_MS,
    );
    expect(sent).to.equal(MOST);
    expect(listeners).to.be.at.most(6);
  });
});

describe('an answer of a model as JSON', () => {
  it('may take longer than the idle timeout, but must be read in time', async () => {
    const over = Promise.withResolvers<readonly boolean[]>();
    const app = express().get('/', (request, response) => {
      openAnswerChannel(exchangeFor(request, response), { of: () => EVENT, replay: () => [] });
      response.once('close', () => over.resolve([response.headersSent, response.writableFinished]));
      setTimeout(() => response.json('x'.repeat(2 ** 25)), 3 * SILENCE_MS);
    });
    const [started, taken] = await asking(app, (client) => client.pause(), over.promise);
    expect([started, taken]).to.deep.equal([true, false]);
  });
});
