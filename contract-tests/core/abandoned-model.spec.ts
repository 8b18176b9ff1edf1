import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { streamModel } from '../../core/models/model-stream.ts';
import { ClientDisconnectedError } from '../../core/shared/stream-subscriber.ts';
import type { LanguageModel, ModelEvent } from '../../ports/language-model.ts';

describe('a model whose client has disconnected', () => {
  it('may fail while it is stopped: the error is ignored, and the answer ends', async () => {
    const text = Promise.withResolvers<IteratorResult<ModelEvent>>();
    let stops = 0;
    const failing: LanguageModel = {
      answer: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => text.promise,
          return: () =>
            ++stops === 1
              ? Promise.reject(new Error('The connection could not be closed.'))
              : Promise.resolve({ done: true, value: undefined }),
        }),
      }),
      check: () => Promise.reject(new Error('not called')),
      close: () => Promise.resolve(),
    };
    const left = Promise.withResolvers<void>();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    // Mocha's own listeners would end the run.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      const requested = { endpoint: {} as never, messages: [], totalMs: 1_000 };
      const answer = streamModel(failing, requested, left.promise);
      const end = answer.next().then(
        () => 'an event',
        (error: unknown) => error,
      );
      left.resolve();
      await turn();
      await turn();
      text.resolve({ done: true, value: undefined });
      expect(await end).to.be.instanceOf(ClientDisconnectedError);
      await turn();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
});
