import { ServerResponse } from 'node:http';
import { exchangeOf } from '../pipeline/exchange.ts';

/** Node's own methods, to be called with a response as `this`. */
const unchecked = ServerResponse.prototype as unknown as Readonly<
  Record<'write' | 'end', (this: ServerResponse, ...args: readonly unknown[]) => unknown>
>;

/**
 * Ends the connection of a response whose body does not have the announced length. On a reused connection a client would
 * take surplus bytes for the next response (response splitting), and would fill missing bytes from it. Node throws to the
 * writer, which is often a stream: there the error would be uncaught.
 */
export function enforceContentLength(response: ServerResponse): void {
  response.strictContentLength = true;
  response.write = write as ServerResponse['write'];
  response.end = end as ServerResponse['end'];
}

// Not closures: these are made once and not for each request.
function write(this: ServerResponse, chunk: unknown, encoding: unknown, callback: unknown) {
  try {
    return unchecked.write.call(this, chunk, encoding, callback);
  } catch (error) {
    closeOnMismatch(this, error);
    return false;
  }
}

function end(this: ServerResponse, chunk: unknown, encoding: unknown, callback: unknown) {
  try {
    return unchecked.end.call(this, chunk, encoding, callback);
  } catch (error) {
    closeOnMismatch(this, error);
    return this;
  }
}

function closeOnMismatch(response: ServerResponse, error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_HTTP_CONTENT_LENGTH_MISMATCH') throw error;
  // Node counts no bytes of a response whose client has disconnected.
  if (response.destroyed) return;
  exchangeOf(response)?.report(error);
  response.destroy();
}
