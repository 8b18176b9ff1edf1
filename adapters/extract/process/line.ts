import type { Readable, Writable } from 'node:stream';
import { frame, FrameReader } from './frames.ts';
import { parseStep, type Step } from './steps.ts';

/** It ended, or writes what it never would: whatever speaks there is not our program any more. */
export class ChildGone extends Error {}

/** The pipes to a child and from it, frame by frame. */
export class Line {
  readonly #input: Writable;
  readonly #payloads: AsyncGenerator<Buffer, void>;

  /** `longest`: bytes of the longest frame that may come. */
  constructor(input: Writable, output: Readable, longest: number) {
    this.#input = input;
    this.#payloads = payloadsOf(output, longest);
    // Writing to a process that has just died fails; that it died is what counts.
    input.on('error', () => undefined);
  }

  /** Resolves when the pipe has taken the payload, so that no more than one waits in memory. */
  write(payload: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#input.write(frame(payload), () => resolve());
    });
  }

  async payload(): Promise<Buffer> {
    const { value, done } = await this.#payloads.next();
    if (done === true) throw new ChildGone();
    return value;
  }

  async step(): Promise<Step> {
    const payload = await this.payload();
    return judged(() => parseStep(payload));
  }

  async expect(step: 'ready' | 'received'): Promise<void> {
    if ((await this.step()).step !== step) throw new ChildGone();
  }
}

async function* payloadsOf(stream: Readable, longest: number): AsyncGenerator<Buffer, void> {
  const frames = new FrameReader(longest);
  try {
    for await (const chunk of stream) yield* frames.push(chunk as Buffer);
  } catch (error) {
    throw new ChildGone('The pipe broke.', { cause: error });
  }
}

/** What the child has said, or ChildGone where it has another shape. */
export function judged<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ChildGone('Not a report.', { cause: error });
  }
}
