import { expect } from 'chai';
import type { ScriptedAnswer } from '../../adapters/memory/language-model.ts';
import { UnavailableError } from '../../ports/errors.ts';
import {
  ModelError,
  type LanguageModel,
  type ModelEndpoint,
  type ModelEvent,
  type ModelRequest,
} from '../../ports/language-model.ts';

/** An adapter with a scripted model. */
export interface OpenedModel {
  readonly model: LanguageModel;
  readonly endpoint: ModelEndpoint;
  /** Sets the behaviour of the model. */
  plays(answer: ScriptedAnswer): void;
  /** Requests that reached the model. */
  asked(): number;
  /** Requests that the model is still answering. */
  busy(): number;
  close(): Promise<void>;
}

/** The contract of every LanguageModel. */
export function languageModelContract(open: () => Promise<OpenedModel>): void {
  let opened: OpenedModel;
  beforeEach(async () => (opened = await open()));
  afterEach(async () => {
    await opened.model.close();
    await opened.close();
  });

  const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
    endpoint: opened.endpoint,
    messages: [{ role: 'user', content: 'What did the lighthouse keeper whisper?' }],
    idleMs: 5_000,
    totalMs: 10_000,
    maxBytes: 1_000_000,
    ...over,
  });
  const answer = (over: Partial<ModelRequest> = {}) => opened.model.answer(request(over));
  /** All chunks, and the error if there was one. */
  const drawn = async (over: Partial<ModelRequest> = {}) => {
    const events: ModelEvent[] = [];
    try {
      for await (const event of answer(over)) events.push(event);
    } catch (error) {
      if (error instanceof ModelError) return { events, failure: error };
      throw error;
    }
    return { events, failure: undefined };
  };
  const textOf = (events: readonly ModelEvent[]) =>
    events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  /** Reads once and stops. */
  const first = async (events: AsyncIterable<ModelEvent>) => {
    for await (const event of events) return event;
    return undefined;
  };
  const eventually = async (deletionHolds: () => boolean) => {
    for (let i = 0; i < 100 && !deletionHolds(); i++)
      await new Promise((done) => setTimeout(done, 10));
    return deletionHolds();
  };

  it('An answer is a sequence of text chunks, then complete tool calls, then one end with its reason and the token usage', async () => {
    const calls = [
      { id: 'a1', name: 'search_objects', arguments: '{"query":"Фонарь \\"x\\""}' },
      { id: 'b2', name: 'read_object', arguments: '{}' },
    ];
    const usage = { promptTokens: 12, answerTokens: 7 };
    opened.plays({
      pieces: ['The lamp ', 'is lit', ' 于黄昏 🏮.'],
      calls,
      reason: 'tools',
      usage,
    });
    const { events } = await drawn();
    expect(textOf(events)).to.equal('The lamp is lit 于黄昏 🏮.');
    expect(events.map(({ type }) => type).filter((type) => type !== 'text')).to.deep.equal([
      'call',
      'call',
      'end',
    ]);
    expect(events.slice(-3)).to.deep.equal([
      ...calls.map((call) => ({ type: 'call', call })),
      { type: 'end', reason: 'tools', usage },
    ]);
    for (const reason of ['stop', 'length', 'filtered'] as const) {
      opened.plays({ pieces: ['x'], reason });
      expect((await drawn()).events).to.deep.equal([
        { type: 'text', text: 'x' },
        { type: 'end', reason, usage: null },
      ]);
    }
  });

  it('Text is well-formed Unicode without NUL, also if a character is split between two chunks', async () => {
    opened.plays({ pieces: ['a\ud83c', '\udfee b', '\udfee', '\0', '\ud83c'] });
    const { events } = await drawn();
    expect(textOf(events)).to.equal('a🏮 b\ufffd\ufffd\ufffd');
    for (const event of events)
      if (event.type === 'text') expect(event.text).to.satisfy((t: string) => t.isWellFormed());
  });

  it('Nothing is sent before the first read', async () => {
    opened.plays({ pieces: ['x'] });
    const waiting = answer();
    await new Promise((done) => setTimeout(done, 50));
    expect(opened.asked()).to.equal(0);
    await first(waiting);
    expect(opened.asked()).to.equal(1);
  });

  it('An answer that is cut off is `failed`, after the chunks received', async () => {
    opened.plays({ pieces: ['half of ', 'it'], then: 'cut' });
    const { events, failure } = await drawn();
    expect(textOf(events)).to.equal('half of it');
    expect(failure).to.include({ kind: 'failed' });
    expect(events.some(({ type }) => type === 'end')).to.equal(false);
  });

  it('An answer that ended as `length` or `filtered` has no tool calls: the last one may be cut in a way that cannot be seen', async () => {
    const calls = [{ id: 'a1', name: 'search_objects', arguments: '{}' }];
    for (const reason of ['length', 'filtered'] as const) {
      opened.plays({ pieces: ['so '], calls, reason });
      const { events } = await drawn();
      expect(events.map(({ type }) => type)).to.deep.equal(['text', 'end']);
      expect(events.at(-1)).to.include({ reason });
    }
  });

  it('A silence of more than `idleMs` is `deadline`, before the first chunk and between two', async () => {
    // Long enough for the chunk to arrive on a busy machine.
    for (const [pieces, idleMs] of [
      [[], 60],
      [['and then'], 2_000],
    ] as const) {
      opened.plays({ pieces, then: 'silence' });
      const { events, failure } = await drawn({ idleMs });
      expect(textOf(events)).to.equal(pieces.join(''));
      expect(failure).to.include({ kind: 'deadline' });
    }
  });

  it('An answer that has not ended after `totalMs` is `deadline`, even if it is still active', async () => {
    opened.plays({ pieces: ['on and '], then: 'for ever' });
    const { failure } = await drawn({ totalMs: 150, maxBytes: 1e12 });
    expect(failure).to.include({ kind: 'deadline' });
  });

  it('More than `maxBytes` are `failed`', async () => {
    opened.plays({ pieces: ['on and on '], then: 'for ever' });
    const { events, failure } = await drawn({ maxBytes: 20_000 });
    expect(failure).to.include({ kind: 'failed' });
    expect(textOf(events).length).to.be.within(1, 20_000);
  });

  it('A rejection by the service is `failed`, with a reason that contains neither the key nor sent or received content', async () => {
    for (const [refused, kind] of [
      [401, 'failed'],
      [429, 'busy'],
      [500, 'failed'],
    ] as const) {
      opened.plays({ refused });
      const { failure } = await drawn();
      expect(failure).to.include({ kind });
      const reported = `${failure?.message} ${failure?.stack} ${JSON.stringify(failure)}`;
      for (const hidden of [opened.endpoint.key ?? '', 'lighthouse', 'whisper', 'answered'])
        expect(reported).not.to.include(hidden);
      expect(failure?.message).to.match(/^[A-Z].*\.$/);
    }
  });

  it('A rejection of a busy service is `busy`, with the seconds after which it accepts requests again, if it says so', async () => {
    for (const [answer, retryAfterSeconds] of [
      [{ refused: 429, retryAfter: 7 }, 7],
      [{ refused: 429 }, null],
      [{ refused: 503, retryAfter: 0 }, 0],
      [{ refused: 503 }, 5],
    ] as const) {
      opened.plays(answer);
      const { failure } = await drawn();
      expect(failure).to.include({ kind: 'busy', retryAfterSeconds });
    }
    opened.plays({ refused: 500 });
    expect((await drawn()).failure).to.include({ kind: 'failed', retryAfterSeconds: null });
  });

  it('If the consumer stops reading, the request to the model ends within a second, even while nothing arrives. A pending read then resolves as done', async () => {
    opened.plays({ pieces: ['on '], then: 'for ever' });
    await first(answer());
    expect(await eventually(() => opened.busy() === 0)).to.equal(true);
    opened.plays({ pieces: ['on '], then: 'silence' });
    const events = answer()[Symbol.asyncIterator]();
    expect((await events.next()).value).to.deep.equal({ type: 'text', text: 'on ' });
    const next = events.next();
    await new Promise((done) => setTimeout(done, 30));
    expect(opened.busy()).to.equal(1);
    await events.return?.();
    expect(await next).to.deep.equal({ done: true, value: undefined });
    expect(await eventually(() => opened.busy() === 0)).to.equal(true);
  });

  it('`check` is ok once a model begins to answer, and returns the reason if it does not', async () => {
    opened.plays({ pieces: ['ready'], then: 'silence' });
    expect(await opened.model.check(opened.endpoint, 2_000)).to.deep.equal({ ok: true });
    expect(await eventually(() => opened.busy() === 0)).to.equal(true);
    for (const bad of [
      { refused: 401 },
      { pieces: [], then: 'silence' },
      { pieces: [], then: 'cut' },
    ] as const) {
      opened.plays(bad);
      const checked = await opened.model.check(opened.endpoint, 100);
      expect(checked.ok).to.equal(false);
      const reason = checked.ok ? '' : checked.reason;
      expect(reason).to.match(/^[A-Z].*\.$/);
      expect(reason).not.to.include(opened.endpoint.key ?? '');
    }
  });

  it('`close` makes a current answer, and every later one, reject with UnavailableError', async () => {
    opened.plays({ pieces: ['on '], then: 'silence' });
    const events = answer()[Symbol.asyncIterator]();
    await events.next();
    const next = events.next().catch((error: unknown) => error);
    await new Promise((done) => setTimeout(done, 20));
    await opened.model.close();
    expect(await next).to.be.instanceOf(UnavailableError);
    const later = await first(answer()).catch((error: unknown) => error);
    expect(later).to.be.instanceOf(UnavailableError);
    const checked = await opened.model.check(opened.endpoint, 100).catch((error: unknown) => error);
    expect(checked).to.be.instanceOf(UnavailableError);
  });
}
