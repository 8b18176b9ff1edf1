/** A thing outside did not answer or refused for reasons of its own: disk full, lock held, server away. Worth a repeat. */
export class PortFailure extends Error {
  override readonly name = 'PortFailure';
  readonly port: string;
  constructor(port: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.port = port;
  }
}
