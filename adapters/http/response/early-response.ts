import type { IncomingMessage, ServerResponse } from 'node:http';

const DRAIN_MS = 2_000;

/**
 * Responds to a request whose body is not read. The response is sent at once, but the connection is closed only when the
 * body has ended or after a while: otherwise a client that is still sending would see a broken connection instead of the
 * response.
 */
export function respondBeforeBodyRead(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): void {
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', String(Buffer.byteLength(text)));
  response.write(text);
  drainBody(request, response);
}

/** Ends the response when the body has ended, or after a while. */
export function drainBody(request: IncomingMessage, response: ServerResponse): void {
  request.unpipe();
  request.resume();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, DRAIN_MS);
  request.once('end', end).once('close', end);
}
