import type { Exchange } from '../pipeline/exchange.ts';
import type { AnyFileRoute, AnyJsonRoute, AnyRequest, StreamRoute } from '../route.ts';
import { sendFile, sendGeneratedFile } from './file.ts';
import { sendJson } from './json.ts';
import { sendPage } from './page.ts';

/** Sends the reply of an operation in the format of the exchange. `isReplay`: stored for a repeated request. */
export function sendReply(
  exchange: Exchange,
  route: AnyJsonRoute,
  input: AnyRequest,
  reply: unknown,
  isReplay = false,
): Promise<void> | void {
  if (exchange.format === 'page' && route.page) return sendAsPage(exchange, route, input, reply);
  if (exchange.stream) return sendAsEvents(exchange, route, input, reply, isReplay);
  sendJson(exchange, route.status?.(reply) ?? 200, JSON.stringify(reply));
}

async function sendAsPage(
  exchange: Exchange,
  route: AnyJsonRoute,
  input: AnyRequest,
  reply: unknown,
): Promise<void> {
  const { core, baseUrl } = exchange.context;
  const page = await route.page?.(core, reply, input, baseUrl);
  if (page) sendPage(exchange, page);
}

/** The events of the operation have been sent while it ran; those of a replay are sent now. */
async function sendAsEvents(
  { stream }: Exchange,
  { events }: AnyJsonRoute,
  input: AnyRequest,
  reply: unknown,
  isReplay: boolean,
): Promise<void> {
  if (isReplay && events)
    for (const event of events.replay(reply, input)) await stream?.send(event);
  await stream?.send(events?.last?.(reply) ?? { event: 'done', data: reply });
  stream?.end();
}

/** Runs an operation that replies with a file, and sends it. */
export async function sendFileReply(
  exchange: Exchange,
  route: AnyFileRoute,
  input: AnyRequest,
): Promise<void> {
  const { core } = exchange.context;
  if (isGenerated(route)) {
    const file = await route.run(core, input as never);
    return sendGeneratedFile(exchange, file, route.reply.stream);
  }
  const { content, options } = await route.run(core, input as never);
  return sendFile(exchange, content, options);
}

const isGenerated = (route: AnyFileRoute): route is StreamRoute<unknown, unknown> =>
  'stream' in route.reply;
