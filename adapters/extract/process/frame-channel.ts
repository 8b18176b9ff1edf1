import type { Readable, Writable } from 'node:stream';
import { frame, FrameReader } from './frames.ts';
import { parseStep, type Step } from './child-messages.ts';

/** The child has ended, or sends invalid messages, so it can no longer be trusted. */
export class ChildExitedError extends Error {}

/** Frame-based communication with a child over its pipes. */
export class FrameChannel {
  readonly #input: Writable;
  readonly #payloads: AsyncGenerator<Buffer, void>;

  /** `longest`: maximum size of a received frame in bytes. */
  constructor(input: Writable, output: Readable, longest: number) {
    this.#input = input;
    this.#payloads = payloadsOf(output, longest);
    // Writing to a dead process fails; only its exit is reported.
    input.on('error', () => undefined);
  }

  /** Resolves when the pipe has accepted the payload, so that at most one is in memory. */
  write(payload: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#input.write(frame(payload), () => resolve());
    });
  }

  async payload(): Promise<Buffer> {
    const { value, done } = await this.#payloads.next();
    if (done === true) throw new ChildExitedError();
    return value;
  }

  async step(): Promise<Step> {
    const payload = await this.payload();
    return parseOrFail(() => parseStep(payload));
  }

  async expect(step: 'ready' | 'received'): Promise<void> {
    if ((await this.step()).step !== step) throw new ChildExitedError();
  }
}

async function* payloadsOf(stream: Readable, longest: number): AsyncGenerator<Buffer, void> {
  const frames = new FrameReader(longest);
  try {
    for await (const chunk of stream) yield* frames.push(chunk as Buffer);
  } catch (error) {
    throw new ChildExitedError('The pipe broke.', { cause: error });
  }
}

/** Parses a message of the child, or throws ChildExitedError if its shape is wrong. */
export function parseOrFail<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ChildExitedError('Not a report.', { cause: error });
  }
}
