/** An external dependency is unavailable: disk full, lock held, server unreachable. Worth a retry. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly port: string;
  constructor(port: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.port = port;
  }
}
