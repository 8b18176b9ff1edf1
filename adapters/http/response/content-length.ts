import type { ServerResponse } from 'node:http';

/**
 * Ends the connection of a response whose body does not have the announced length. On a reused connection a client would
 * take surplus bytes for the next response (response splitting), and would fill missing bytes from it. Node throws to the
 * writer, which is often a stream: there the error would be uncaught.
 */
export function enforceContentLength(
  response: ServerResponse,
  onMismatch: (error: unknown) => void,
): void {
  response.strictContentLength = true;
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
  const cut = (error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_HTTP_CONTENT_LENGTH_MISMATCH') throw error;
    onMismatch(error);
    response.destroy();
  };
  response.write = (...args: unknown[]): boolean => {
    try {
      return write(...args);
    } catch (error) {
      cut(error);
      return false;
    }
  };
  response.end = (...args: unknown[]): typeof response => {
    try {
      return end(...args);
    } catch (error) {
      cut(error);
      return response;
    }
  };
}
