import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { ScriptedLanguageModel, type ScriptedAnswer } from '../adapters/memory/language-model.ts';
import {
  parseDestination,
  privateNetworks,
  destinationOfUrl,
} from '../adapters/outbound/destination-policy.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { HttpLanguageModel } from '../adapters/outbound/models/language-model.ts';
import { completionsUrl } from '../adapters/outbound/models/completion-request.ts';
import {
  ModelError,
  type ModelEndpoint,
  type ModelEvent,
  type ModelHabit,
  type ModelRequest,
} from '../ports/language-model.ts';
import {
  chunk,
  event,
  openModelService,
  streaming,
  type Asked,
  type ModelService,
} from './fake-model-server.ts';
import { languageModelContract } from './suites/language-model.ts';

const KEY = 'sk-secret-of-this-test';

const endpointAt = (baseUrl: string): ModelEndpoint => ({
  baseUrl,
  model: 'lamp-7b',
  key: KEY,
  temperature: null,
  chosenBy: 'owner',
});

describe('over HTTP: LanguageModel', () =>
  languageModelContract(async () => {
    const service = await openModelService();
    return {
      model: new HttpLanguageModel(eventLoop, { allowed: privateNetworks() }),
      endpoint: endpointAt(`${service.origin}/v1`),
      plays: (answer) => service.plays(answer),
      asked: () => service.asked.length,
      busy: () => service.busy(),
      close: () => service.close(),
    };
  }));

describe('scripted: LanguageModel', () =>
  languageModelContract(async () => {
    let play: ScriptedAnswer = { pieces: [] };
    let requested = 0;
    const model = new ScriptedLanguageModel(() => {
      requested++;
      return play;
    });
    return {
      model,
      endpoint: endpointAt('http://model.test/v1'),
      plays: (answer) => (play = answer),
      asked: () => requested,
      busy: () => model.open,
      close: async () => undefined,
    };
  }));

describe('a model over HTTP', () => {
  let service: ModelService;
  let model: HttpLanguageModel;
  beforeEach(async () => {
    service = await openModelService();
    model = new HttpLanguageModel(eventLoop, { allowed: privateNetworks() });
  });
  afterEach(async () => {
    await model.close();
    await service.close();
  });

  it('that sends very much at once does not block other work, and no character is split', async () => {
    const text = `a${'🏮'.repeat(50_000)}`;
    service.plays((response) => {
      response.writeHead(200, streaming);
      response.end(chunk({ content: text }) + chunk({}, 'stop'));
    });
    let turns = 0;
    const counting = () => void (turns++, (timer = setImmediate(counting)));
    let timer: NodeJS.Immediate | undefined;
    let said = '';
    const request = { messages: [{ role: 'user', content: 'whisper' }] as const, maxBytes: 1e6 };
    const bounds = { idleMs: 5_000, totalMs: 5_000 };
    const endpoint = endpointAt(service.origin);
    for await (const each of model.answer({ endpoint, ...request, ...bounds })) {
      if (each.type !== 'text') continue;
      timer ??= setImmediate(counting);
      expect(each.text.isWellFormed()).to.equal(true);
      said += each.text;
    }
    clearImmediate(timer);
    expect(said).to.equal(text);
    expect(turns).to.be.at.least(10);
  });

  const ask = async (over: Partial<ModelRequest> = {}, by = model) => {
    const events: ModelEvent[] = [];
    try {
      for await (const each of by.answer({
        endpoint: endpointAt(service.origin),
        messages: [{ role: 'user', content: 'whisper' }],
        idleMs: 5_000,
        totalMs: 10_000,
        maxBytes: 1_000_000,
        ...over,
      }))
        events.push(each);
      return { events, text: textOf(events), failure: undefined };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const { kind, message } = error;
      for (const hidden of [KEY, btoa(KEY), 'whisper', 'lamp-7b', service.origin, '127.0.0.1'])
        expect(message).not.to.include(hidden);
      return { events, text: textOf(events), failure: { kind, message } };
    }
  };
  const textOf = (events: readonly ModelEvent[]) =>
    events.map((each) => (each.type === 'text' ? each.text : '')).join('');
  const slowly = (pauseMs: number, parts: readonly (string | Uint8Array)[]) =>
    service.plays((response) => {
      response.writeHead(200, streaming);
      const next = (i: number): void => {
        const part = parts[i];
        if (part === undefined) return void response.end();
        response.write(part);
        setTimeout(() => next(i + 1), pauseMs);
      };
      next(0);
    });
  const sends = (...parts: readonly (string | Uint8Array)[]) => slowly(2, parts);
  const answersJson = (body: unknown, status = 200) =>
    service.plays((response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });

  it('gets requests in the documented format', async () => {
    await ask({
      endpoint: { ...endpointAt(`${service.origin}/api/v1/`), temperature: 0.2 },
      messages: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }],
        },
        { role: 'tool', callId: 'a', content: 'nothing' },
      ],
      tools: [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }],
      jsonOnly: true,
    });
    const [requested] = service.asked;
    expect(requested?.path).to.equal('/api/v1/chat/completions');
    expect(requested?.headers).to.include({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
    });
    expect(requested?.body).to.deep.equal({
      model: 'lamp-7b',
      messages: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'search', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'nothing' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      response_format: { type: 'json_object' },
      tools: [
        {
          type: 'function',
          function: { name: 'search', description: 'Finds.', parameters: { type: 'object' } },
        },
      ],
    });
  });

  it('gets no key if there is none, and no temperature', async () => {
    await ask({ endpoint: { ...endpointAt(service.origin), key: null } });
    expect(service.asked[0]?.headers).not.to.have.property('authorization');
    expect(service.asked[0]?.body).not.to.have.any.keys('temperature', 'tools', 'response_format');
  });

  it('is called at the default path if the URL has none, and at its own otherwise', () => {
    for (const [base, path] of [
      ['http://h:11434', '/v1/chat/completions'],
      ['http://h/', '/v1/chat/completions'],
      ['http://h/v1', '/v1/chat/completions'],
      ['http://h/v1/', '/v1/chat/completions'],
      ['http://h/v1/chat/completions', '/v1/chat/completions'],
      ['http://h/v1beta/openai/', '/v1beta/openai/chat/completions'],
      ['http://h/inference', '/inference/chat/completions'],
    ] as const)
      expect(completionsUrl(base).pathname, base).to.equal(path);
  });

  it('without support for usage is called again without that option', async () => {
    service.plays((response, { body }) => {
      if (body.stream_options) response.writeHead(400).end('unknown field');
      else response.writeHead(200, streaming).end(chunk({ content: 'well' }, 'stop'));
    });
    expect((await ask()).text).to.equal('well');
    expect(service.asked).to.have.length(2);
  });

  it('may split its stream anywhere, use any line break and add comments', async () => {
    const text = 'Größe 于黄昏 🏮 "x"\n';
    for (const [eol, ends] of [
      ['\n', true],
      ['\r\n', true],
      ['\r', false],
    ] as const) {
      const stream = [
        ': warming up\n\n',
        'id: 7\nevent: message\nretry: 10\n',
        chunk({ role: 'assistant', content: '' }),
        ...[...text].map((content) => `:\n\n${chunk({ content })}`),
        chunk({}, 'stop'),
        event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }),
        ...(ends ? ['data:[DONE]\n\n'] : []),
      ].join('');
      const bytes = Buffer.from(stream.replaceAll('\n', eol));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (places) => {
          const cuts = [0, ...places.sort((a, b) => a - b), bytes.length];
          sends(...cuts.slice(1).map((to, i) => bytes.subarray(cuts[i], to)));
          const { events, text: joined, failure } = await ask();
          expect(failure).to.equal(undefined);
          expect(joined).to.equal(text);
          expect(events.at(-1)).to.deep.equal({
            type: 'end',
            reason: 'stop',
            usage: { promptTokens: 3, answerTokens: 4 },
          });
        }),
        { numRuns: 6 },
      );
    }
    const single = Buffer.from(chunk({ content: text }, 'stop'));
    sends(...Array.from(single, (byte) => Buffer.of(byte)));
    expect((await ask()).text).to.equal(text);
  });

  it('ends with [DONE] or with a finish reason, and either is sufficient', async () => {
    for (const [parts, reason] of [
      [[chunk({ content: 'a' }), 'data: [DONE]\n\n'], 'stop'],
      [[chunk({ content: 'a' }, 'length')], 'length'],
      [[chunk({ content: 'a' }, 'eos')], 'stop'],
      [[chunk({ content: 'a' }, 'stop').trimEnd()], 'stop'],
    ] as const) {
      sends(...parts);
      const { events } = await ask();
      expect(events.at(-1)).to.deep.equal({ type: 'end', reason, usage: null });
    }
    for (const parts of [
      [chunk({ content: 'a' })],
      [chunk({ content: 'a' }), chunk({ content: 'b' }).slice(0, 40)],
    ]) {
      sends(...parts);
      expect(await ask()).to.deep.include({ text: 'a' });
      expect((await ask()).failure?.message).to.match(/cut off|cannot be read/);
    }
  });

  it('that has finished without closing the connection causes no delay', async () => {
    service.plays((response) => {
      response.writeHead(200, streaming).write(chunk({ content: 'a' }, 'stop'));
    });
    const { events } = await ask({ idleMs: 60_000, totalMs: 60_000 });
    expect(events.at(-1)).to.include({ type: 'end' });
    service.plays((response) => {
      response.writeHead(200, streaming).write(chunk({ content: 'a' }) + 'data: [DONE]\n\n');
    });
    expect((await ask()).text).to.equal('a');
  });

  it('that closes its connection early is cut off', async () => {
    service.plays((response) => {
      response.writeHead(200, streaming).write(chunk({ content: 'half' }));
      setTimeout(() => response.destroy(), 20);
    });
    const { text, failure } = await ask();
    expect({ text, ...failure }).to.deep.equal({
      text: 'half',
      kind: 'failed',
      message: 'The answer of the model was cut off.',
    });
  });

  it('is active while it reasons, and its reasoning is no answer', async () => {
    const thoughts = Array.from({ length: 12 }, () => chunk({ reasoning_content: 'hm ' }));
    slowly(100, [...thoughts, chunk({ content: 'so' }, 'stop')]);
    expect((await ask({ idleMs: 1_000 })).text).to.equal('so');
  });

  it('is not timed out while the consumer does not read', async () => {
    service.plays({ pieces: ['a', 'b'] });
    const texts: string[] = [];
    for await (const each of model.answer({
      endpoint: endpointAt(service.origin),
      messages: [],
      idleMs: 1_000,
      totalMs: 30_000,
      maxBytes: 10_000,
    })) {
      if (texts.length === 0) await new Promise((done) => setTimeout(done, 1_200));
      if (each.type === 'text') texts.push(each.text);
    }
    expect(texts.join('')).to.equal('ab');
  });

  it('may send tool calls in any known format', async () => {
    const call = (piece: object) => chunk({ tool_calls: [piece] });
    const whole = (id: string, name: string, args: unknown, more = {}) =>
      call({ ...more, id, type: 'function', function: { name, arguments: args } });
    for (const [label, parts, expected] of [
      [
        'interleaved',
        [
          call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
          call({ index: 1, id: 'b', function: { name: 'g', arguments: '{"x"' } }),
          call({ index: 0, function: { arguments: '{}' } }),
          call({ index: 1, function: { arguments: ':1}' } }),
        ],
        [
          ['a', 'f', '{}'],
          ['b', 'g', '{"x":1}'],
        ],
      ],
      [
        'all under one number',
        [whole('a', 'f', '{}', { index: 0 }), whole('b', 'f', '{"y":2}', { index: 0 })],
        [
          ['a', 'f', '{}'],
          ['b', 'f', '{"y":2}'],
        ],
      ],
      [
        'without numbers',
        [whole('a', 'f', '{}'), whole('b', 'g', '{}')],
        [
          ['a', 'f', '{}'],
          ['b', 'g', '{}'],
        ],
      ],
      [
        'without numbers and ids',
        [
          call({ function: { name: 'f', arguments: '{"x":1}' } }),
          call({ function: { name: 'f', arguments: '{"y":2}' } }),
        ],
        [
          ['call_0', 'f', '{"x":1}'],
          ['call_1', 'f', '{"y":2}'],
        ],
      ],
      [
        'the name in pieces, or with every piece',
        [
          call({ index: 0, id: 'a', function: { name: 'search_' } }),
          call({ index: 0, function: { name: 'objects', arguments: '' } }),
          call({ index: 0, function: { arguments: '{}' } }),
          call({ index: 1, id: 'b', function: { name: 'g', arguments: '{"x"' } }),
          call({ index: 1, id: 'b', function: { name: 'g', arguments: ':1}' } }),
        ],
        [
          ['a', 'search_objects', '{}'],
          ['b', 'g', '{"x":1}'],
        ],
      ],
      ['as an object', [whole('a', 'f', { x: [1] })], [['a', 'f', '{"x":[1]}']]],
      [
        'without id and arguments',
        [call({ index: 0, function: { name: 'f' } })],
        [['call_0', 'f', '{}']],
      ],
    ] as const) {
      sends(...parts, chunk({}, 'stop'), 'data: [DONE]\n\n');
      const { events } = await ask();
      expect(
        events.flatMap((each) =>
          each.type === 'call' ? [[each.call.id, each.call.name, each.call.arguments]] : [],
        ),
        label,
      ).to.deep.equal(expected);
      expect(events.at(-1)).to.include({ reason: 'tools' });
    }
    const many = Array.from({ length: 200 }, (_, index) =>
      call({ index, id: `c${index}`, function: { name: 'f' } }),
    );
    sends(many.join(''), chunk({}, 'tool_calls'));
    expect((await ask()).failure).to.include({ kind: 'failed' });
  });

  it('may send arguments twice, after an empty object, as a text in a text, or without a name', async () => {
    const call = (piece: object) => chunk({ tool_calls: [{ index: 0, ...piece }] });
    const first = call({ id: 'a', function: { name: 'f', arguments: '' } });
    const args = (given: unknown) => call({ function: { arguments: given } });
    const given = '{"query":"Quill {1}","n":{"a":"\\""}}';
    const half = '{"query":"Quill';
    for (const [label, parts, expected] of [
      ['twice', [first, args(given.slice(0, 9)), args(given.slice(9)), args(given)], given],
      ['twice at once', [first, args(given + given)], given],
      ['after an empty object', [first, args('{}'), args(given)], given],
      ['before an empty object', [first, args(given), args('{}')], given],
      ['as a text in a text', [first, args(JSON.stringify(given))], given],
      ['as an object, twice', [first, args(JSON.parse(given)), args(JSON.parse(given))], given],
      [
        'all so far with every piece',
        [first, args(half), args(`${half}"`), args(`${half}"}`)],
        `${half}"}`,
      ],
      ['null, then empty', [first, args(null), args('')], '{}'],
      [
        'under another index',
        [first, chunk({ tool_calls: [{ index: 1, function: { arguments: given } }] })],
        given,
      ],
      [
        'with empty entries',
        [call({}), first, chunk({ tool_calls: [{ index: 3 }, null, 'x'] }), args(given)],
        given,
      ],
      ['two different ones', [first, args('{"a":1}{"b":2}')], '{"a":1}{"b":2}'],
      ['half of them', [first, args(half)], half],
      ['a list', [first, args('[1]')], '[1]'],
      ['no JSON', [first, args('query: Quill')], 'query: Quill'],
    ] as const) {
      sends(...parts, chunk({}, 'tool_calls'), 'data: [DONE]\n\n');
      const { events, failure } = await ask();
      expect(failure, label).to.equal(undefined);
      expect(events, label).to.deep.equal([
        { type: 'call', call: { id: 'a', name: 'f', arguments: expected } },
        { type: 'end', reason: 'tools', usage: null },
      ]);
    }
    sends(args('{"x":1}'), chunk({}, 'tool_calls'), 'data: [DONE]\n\n');
    expect((await ask()).events[0]).to.deep.equal({
      type: 'call',
      call: { id: 'call_0', name: 'unknown', arguments: '{"x":1}' },
    });
  });

  it('may send an empty finish reason with every chunk, and pause', async () => {
    for (const reason of ['', 'null', 'None', null] as const) {
      // Longer than the wait for the usage of a complete answer.
      slowly(reason === '' ? 1_100 : 2, [
        chunk({ content: 'a' }, reason),
        chunk({ content: 'b' }, reason),
        chunk({}, 'stop'),
      ]);
      expect((await ask()).text, String(reason)).to.equal('ab');
      sends(chunk({ content: 'a' }, reason));
      expect((await ask()).failure?.message, String(reason)).to.match(/cut off/);
      const half = { index: 0, id: 'a', function: { name: 'f', arguments: '{"query":"Quill' } };
      sends(chunk({ tool_calls: [half] }, reason));
      const { events, failure } = await ask();
      expect([events, failure?.kind]).to.deep.equal([[], 'failed']);
    }
    // A finish reason that text follows was none.
    sends(
      chunk({ content: 'a' }, 'stop'),
      chunk({ content: 'b' }, 'stop'),
      chunk({ content: 'c' }, 'stop'),
    );
    expect((await ask()).text).to.equal('abc');
    sends(chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }, ''));
    expect((await ask()).failure?.message).to.match(/cut off/);
  });

  it('ends well for reasons of a closed list only', async () => {
    for (const [sent, reason] of [
      ['stop', 'stop'],
      ['STOP', 'stop'],
      ['end_turn', 'stop'],
      ['length', 'length'],
      ['max_tokens', 'length'],
      ['MAX_TOKENS', 'length'],
      ['model_length', 'length'],
      ['content_filter', 'filtered'],
    ] as const) {
      sends(chunk({ content: 'half' }), chunk({}, sent), 'data: [DONE]\n\n');
      const { events, failure } = await ask();
      expect(failure, sent).to.equal(undefined);
      expect(events.at(-1), sent).to.include({ type: 'end', reason });
    }
    for (const sent of [
      'error',
      'abort',
      'aborted',
      'cancelled',
      'network_error',
      'insufficient_system_resource',
      'timeout',
      'SAFETY',
      'RECITATION',
      'OTHER',
      'constructor',
      'something new',
    ]) {
      sends(chunk({ content: 'half' }), chunk({}, sent), 'data: [DONE]\n\n');
      expect(await ask(), sent).to.deep.include({ text: 'half' });
      expect((await ask()).failure, sent).to.include({ kind: 'failed' });
      answersJson({ choices: [{ message: { content: 'half' }, finish_reason: sent }] });
      expect((await ask()).failure, sent).to.include({ kind: 'failed' });
    }
    sends(chunk({ content: 'half' }) + event({ choices: [{ delta: {}, error: { code: 502 } }] }));
    expect((await ask()).failure).to.include({ kind: 'failed' });
  });

  it('that reached a limit returns no tool call, since the last may be half', async () => {
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '' } };
    for (const [sent, reason] of [
      ['length', 'length'],
      ['content_filter', 'filtered'],
    ] as const) {
      sends(chunk({ content: 'I look.', tool_calls: [call] }), chunk({}, sent));
      expect((await ask()).events).to.deep.equal([
        { type: 'text', text: 'I look.' },
        { type: 'end', reason, usage: null },
      ]);
    }
  });

  it('may keep its stream alive with events that are empty or no JSON, under any type', async () => {
    const events = [
      'data:\n\n',
      'data: \n\n',
      'event: ping\ndata: {"type":"ping"}\n\n',
      'data: ping\n\n',
      'data: : keep-alive\n\n',
      'data: "waiting"\n\n',
      chunk({ content: 'a' }),
      'data: {"choices":[{"index":0,\ndata: "delta":{"content":"b"},\ndata: "finish_reason":null}]}\n\n',
      'data\n\n',
      chunk({ content: 'c' }).trimEnd() + '\n' + chunk({ content: 'd' }).trimEnd() + '\n',
      chunk({ content: 'e' }).trimEnd() + '\ndata: [DONE]\n\n',
    ];
    for (const type of [
      'text/event-stream',
      'text/plain; charset=utf-8',
      'application/json',
      'application/octet-stream',
      undefined,
    ])
      for (const start of ['', '\n\n', ':\n\n', 'retry: 10\n\n', '\ufeff'])
        for (const whole of type === 'text/plain; charset=utf-8' ? [true, false] : [true]) {
          service.plays((response) => {
            response.writeHead(200, type === undefined ? {} : { 'content-type': type });
            const text = Buffer.from(start + events.join(''));
            if (whole) return void response.end(text);
            for (const byte of text) response.write(Buffer.of(byte));
            response.end();
          });
          expect(await ask(), `${type} ${JSON.stringify(start)}`).to.include({ text: 'abcde' });
        }
    service.plays((response) => {
      response.writeHead(200, streaming);
      response.end(
        `\n\n ${JSON.stringify({ choices: [{ message: { content: 'whole' } }] }, null, 2)}`,
      );
    });
    expect((await ask()).text).to.equal('whole');
    sends(
      chunk({ content: 'so far' }),
      'event: error\ndata: {"message":"whisper"}\n\n',
      chunk({}, 'stop'),
    );
    const { text, failure } = await ask();
    expect([text, failure?.kind]).to.deep.equal(['so far', 'failed']);
  });

  it('that reasons without an opening restarts its answer, and is held back once a check has shown it', async () => {
    const thought = [...'The user wants it. '].map((content) => chunk({ content }));
    const rest = [chunk({ content: '</think>\n\nReady' }), chunk({ content: '.' }, 'stop')];
    sends(...thought, ...rest);
    const finalText = [
      { type: 'text', text: 'Ready' },
      { type: 'text', text: '.' },
    ];
    const { events } = await ask();
    const from = events.findIndex(({ type }) => type === 'restart');
    expect(from).to.be.above(0);
    expect(events.slice(from + 1, -1)).to.deep.equal(finalText);
    const check = () => model.check(endpointAt(service.origin), 2_000);
    expect(await check()).to.deep.equal({ ok: true, habits: ['open_reasoning'] });
    expect((await ask()).events.slice(0, -1)).to.deep.equal(finalText);
    sends(...thought, chunk({}, 'length'));
    expect((await ask()).text).to.equal('');
    sends(chunk({ content: 'Without.' }, 'stop'));
    expect((await ask()).text).to.equal('Without.');
    expect(await check()).to.deep.equal({ ok: true });
    sends(...thought, ...rest);
    expect((await ask()).events.some(({ type }) => type === 'restart')).to.equal(true);
  });

  /** Refuses requests by what they contain, and answers the others. */
  const refuses = (
    reason: (body: Asked['body']) => string | object | undefined,
    { status = 400, answer = chunk({ content: 'well' }, 'stop') } = {},
  ) =>
    service.plays((response, { body }) => {
      const refusal = reason(body);
      if (refusal === undefined) {
        const type = body.stream ? streaming : { 'content-type': 'application/json' };
        const whole = JSON.stringify({ choices: [{ message: { content: 'well' } }] });
        return void response.writeHead(200, type).end(body.stream ? answer : whole);
      }
      const sent = typeof refusal === 'string' ? { error: { message: refusal } } : refusal;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
    });
  const hasRole = (body: Asked['body'], role: string) =>
    body.messages.some((message: { role: string }) => message.role === role);
  const FORMS: readonly (readonly [
    label: string,
    habit: ModelHabit,
    refusal: (body: Asked['body']) => string | object | undefined,
    status?: number,
  ])[] = [
    [
      'streaming, by the parameter',
      'no_streaming',
      (body) =>
        (body.stream && {
          error: {
            message: 'Your organization must be verified to stream this model.',
            param: 'stream',
            code: 'unsupported_value',
          },
        }) ||
        undefined,
    ],
    [
      'streaming, in words',
      'no_streaming',
      (body) => (body.stream ? 'Streaming is not supported.' : undefined),
      501,
    ],
    [
      'streaming, as a list of FastAPI',
      'no_streaming',
      (body) =>
        body.stream
          ? { detail: [{ loc: ['body', 'stream'], msg: 'Input should be false' }] }
          : undefined,
      422,
    ],
    [
      'a system role, in words of a template',
      'no_system_role',
      (body) => (hasRole(body, 'system') ? 'System role not supported' : undefined),
      500,
    ],
    [
      'a system role, by the parameter',
      'no_system_role',
      (body) =>
        hasRole(body, 'system')
          ? {
              error: {
                message:
                  "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                param: 'messages[0].role',
              },
            }
          : undefined,
    ],
    [
      'a system role, as a rule of roles',
      'no_system_role',
      (body) =>
        hasRole(body, 'system') ? 'Only user and assistant roles are supported!' : undefined,
    ],
    [
      'a system role, as an instruction',
      'no_system_role',
      (body) =>
        hasRole(body, 'system')
          ? [
              {
                error: {
                  code: 400,
                  message: 'Developer instruction is not enabled for models/lamp',
                  status: 'INVALID_ARGUMENT',
                },
              },
            ]
          : undefined,
    ],
    [
      'a temperature',
      'no_temperature',
      (body) =>
        body.temperature === undefined
          ? undefined
          : "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ],
    [
      'JSON mode',
      'no_json_mode',
      (body) =>
        body.response_format ? "'response_format.type' must be 'json_schema' or 'text'" : undefined,
    ],
    [
      'usage',
      'no_usage',
      (body) => (body.stream_options ? 'Unknown field: stream_options' : undefined),
      422,
    ],
  ];
  const asking = (): Partial<ModelRequest> => ({
    endpoint: { ...endpointAt(service.origin), temperature: 0.2 },
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'whisper' },
    ],
    jsonOnly: true,
  });

  for (const [label, habit, refusal, status] of FORMS)
    it(`may refuse ${label}, is asked without it, and not with it again`, async () => {
      refuses(refusal, { status: status ?? 400 });
      expect(await ask(asking())).to.include({ text: 'well' });
      expect(service.asked).to.have.length(2);
      expect(await ask(asking())).to.include({ text: 'well' });
      expect(service.asked, 'remembered').to.have.length(3);
      if (habit === 'no_system_role')
        expect(service.asked.at(-1)?.body.messages).to.deep.equal([
          { role: 'user', content: 'Be short.\n\nwhisper' },
        ]);
      // What a check has shown is with the endpoint, for other processes.
      const other = new HttpLanguageModel(eventLoop, { allowed: privateNetworks() });
      const known: ModelEndpoint = {
        ...endpointAt(service.origin),
        temperature: 0.2,
        habits: [habit],
      };
      expect(await ask({ ...asking(), endpoint: known }, other)).to.include({ text: 'well' });
      expect(service.asked).to.have.length(4);
      // It is found out again by a check.
      service.plays({ pieces: ['ready'] });
      expect(await model.check(known, 2_000)).to.deep.equal({ ok: true });
      await other.close();
    });

  it('is asked without all that it refuses, one after the other', async () => {
    refuses((body) =>
      FORMS.map(([, , refusal]) => refusal(body)).find((reason) => reason !== undefined),
    );
    expect(await ask(asking())).to.include({ text: 'well' });
    expect(service.asked).to.have.length.within(5, 6);
    expect(service.asked.at(-1)?.body).to.deep.equal({
      model: 'lamp-7b',
      messages: [{ role: 'user', content: 'Be short.\n\nwhisper' }],
      stream: false,
    });
  });

  it('without tools says so, and a check finds it out with what real requests use', async () => {
    const tools = [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }];
    for (const [message, status] of [
      ['"lamp:7b" does not support tools', 400],
      [
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        400,
      ],
      ['No endpoints found that support tool use.', 404],
      ['Function calling is not enabled for models/lamp', 400],
    ] as const) {
      refuses((body) => (body.tools ? message : undefined), { status });
      const { failure } = await ask({ tools });
      expect(failure?.message, message).to.equal(
        'This model does not support tools. The agent needs another model.',
      );
      expect((await ask()).text).to.equal('well');
      const endpoint = endpointAt(service.origin);
      expect(await model.check(endpoint, 2_000)).to.deep.equal({ ok: true, habits: ['no_tools'] });
      service.asked.length = 0;
      const known = await ask({ tools, endpoint: { ...endpoint, habits: ['no_tools'] } });
      expect(known.failure?.message).to.match(/does not support tools/);
      expect(service.asked).to.have.length(0);
      service.plays({ pieces: ['ready'] });
      expect(await model.check({ ...endpoint, habits: ['no_tools'] }, 2_000)).to.deep.equal({
        ok: true,
      });
      const [checked] = service.asked;
      expect(checked?.body.messages[0].role).to.equal('system');
      expect(checked?.body.stream).to.equal(true);
      expect(checked?.body.tools).to.have.length(1);
    }
  });

  it('whose context is too short says so, in any words', async () => {
    for (const [refusal, status] of [
      [{ error: { message: 'whisper', code: 'context_length_exceeded' } }, 400],
      ["This model's maximum context length is 4096 tokens, however you requested 9000", 400],
      ['the request exceeds the available context size. try increasing it', 400],
      ['The input token count (9000) exceeds the maximum number of tokens allowed (4096).', 400],
      ['prompt is too long: 9000 tokens > 4096 maximum', 413],
      ['input length and max_tokens exceed context limit', 400],
    ] as const) {
      refuses(() => refusal, { status });
      const { failure } = await ask();
      expect(failure?.message, JSON.stringify(refusal)).to.match(/longer than the context/);
    }
  });

  it('that refuses for another reason is asked once more at most, without the option for usage', async () => {
    for (const [body, status, requests] of [
      ['', 400, 2],
      ['<html>Bad request', 422, 2],
      ['{"error":{"message":"Invalid model"}}', 404, 1],
      ['{"error":"model crashed"}', 500, 1],
      ['x'.repeat(200_000), 400, 2],
    ] as const) {
      service.asked.length = 0;
      service.plays((response) => void response.writeHead(status).end(body));
      expect((await ask()).failure?.message).to.include(`(status ${status})`);
      expect(service.asked, body.slice(0, 40)).to.have.length(requests);
    }
    service.plays({ pieces: ['well'] });
    await ask();
    expect(service.asked.at(-1)?.body).to.have.property('stream_options');
  });

  it('gets back what it sent with tool calls, and no other service does', async () => {
    const signature = { google: { thought_signature: 'c2lnbmF0dXJl' } };
    const details = [{ type: 'reasoning.encrypted', data: 'ZGF0YQ==', index: 0 }];
    sends(
      chunk({ reasoning_content: 'The user ' }),
      chunk({ reasoning_content: 'whispers.', reasoning_details: details }),
      chunk({
        tool_calls: [
          { index: 0, id: 'a', extra_content: signature, function: { name: 'f', arguments: '{}' } },
          { index: 1, id: 'b', function: { name: 'g', arguments: '{}' } },
        ],
      }),
      chunk({}, 'tool_calls'),
    );
    const { events } = await ask();
    const end = events.at(-1);
    const state = end?.type === 'end' ? end.state : undefined;
    expect(state).to.be.a('string');
    const toolCalls = events.flatMap((each) => (each.type === 'call' ? [each.call] : []));
    const next = {
      messages: [
        { role: 'user', content: 'whisper' },
        { role: 'assistant', content: '', toolCalls, ...(state !== undefined && { state }) },
        { role: 'tool', callId: 'a', content: 'x' },
        { role: 'tool', callId: 'b', content: 'y' },
      ],
    } satisfies Partial<ModelRequest>;
    service.plays({ pieces: ['well'] });
    await ask(next);
    const sent = service.asked.at(-1)?.body.messages[1];
    expect(sent).to.deep.include({
      reasoning_content: 'The user whispers.',
      reasoning_details: details,
    });
    expect(sent.tool_calls[0].extra_content).to.deep.equal(signature);
    expect(sent.tool_calls[1]).not.to.have.property('extra_content');
    await ask({ ...next, endpoint: { ...endpointAt(service.origin), model: 'other' } });
    expect(service.asked.at(-1)?.body.messages[1]).to.have.keys('role', 'content', 'tool_calls');
    // A service may refuse what it has sent itself.
    refuses((body) =>
      body.messages[1].reasoning_content === undefined
        ? undefined
        : "property 'reasoning_content' is unsupported",
    );
    expect((await ask(next)).text).to.equal('well');
    // Without tool calls there is nothing to send back, and too much is not kept.
    sends(chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'So.' }, 'stop'));
    expect((await ask()).events.at(-1)).not.to.have.property('state');
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } };
    sends(
      chunk({ reasoning_content: 'x'.repeat(300_000) }),
      chunk({ tool_calls: [call] }, 'tool_calls'),
    );
    expect((await ask()).events.at(-1)).not.to.have.property('state');
  });

  it('may send its reasoning as a part of another type, or in fields of its own', async () => {
    answersJson({
      choices: [
        {
          message: {
            reasoning: 'whisper',
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'whisper' }] },
              { type: 'reasoning', text: 'whisper' },
              { type: 'text', text: 'So.' },
            ],
          },
        },
      ],
    });
    expect((await ask()).text).to.equal('So.');
  });

  it('may answer in one document, like a service without streaming', async () => {
    answersJson({
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'All of it.',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    expect((await ask()).events).to.deep.equal([
      { type: 'text', text: 'All of it.' },
      { type: 'call', call: { id: 'a', name: 'f', arguments: '{}' } },
      { type: 'end', reason: 'tools', usage: { promptTokens: 1, answerTokens: 2 } },
    ]);
    answersJson({ choices: [{ message: { content: [{ type: 'text', text: 'part' }] } }] });
    expect((await ask()).text).to.equal('part');
    expect(await model.check(endpointAt(service.origin), 1_000)).to.deep.equal({ ok: true });
  });

  it('is distinguished from other servers', async () => {
    const html = (status: number) => (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end('<p>whisper');
    service.plays(html(200));
    expect((await ask()).failure?.message).to.match(/is not a model/);
    service.plays((response) => void response.writeHead(204).end());
    expect((await ask()).failure?.message).to.match(/is not a model/);
    for (const body of [{}, [], null, 'x', { choices: [] }, { error: { message: 'whisper' } }]) {
      answersJson(body);
      expect((await ask()).failure, JSON.stringify(body)).to.include({ kind: 'failed' });
      expect((await model.check(endpointAt(service.origin), 1_000)).ok).to.equal(false);
    }
    for (const stream of [
      'data: <html>\n\n',
      'data: [DONE]\n\n',
      event({ error: { message: KEY } }),
      event({ choices: [{ delta: null }] }),
      `data: ${'['.repeat(50_000)}\n\n`,
      'no event at all',
      '',
    ]) {
      sends(stream);
      expect((await ask()).failure, stream.slice(0, 40)).to.include({ kind: 'failed' });
    }
  });

  it('that fails during an answer yields the text received before', async () => {
    sends(chunk({ content: 'so far' }) + event({ error: { message: KEY } }));
    const { text, failure } = await ask();
    expect([text, failure?.kind]).to.deep.equal(['so far', 'failed']);
  });

  it('is reported with its status, and without its body', async () => {
    for (const [status, reported] of [
      [400, /\(status 400\)/],
      [401, /key \(status 401\)/],
      [404, /model, or this address \(status 404\)/],
      [429, /at the moment \(status 429\)/],
      [503, /failed \(status 503\)/],
    ] as const) {
      answersJson({ error: { message: `whisper ${KEY}` } }, status);
      expect((await ask()).failure?.message).to.match(reported);
    }
  });

  it('is busy also if it says so within its response', async () => {
    for (const error of [
      { code: 429, message: 'whisper' },
      { code: '503', message: 'whisper' },
      { type: 'overloaded_error', message: 'whisper' },
      { code: 'rate_limit_exceeded' },
    ]) {
      sends(event({ error }));
      expect((await ask()).failure, JSON.stringify(error)).to.include({ kind: 'busy' });
      answersJson({ error });
      expect((await ask()).failure, JSON.stringify(error)).to.include({ kind: 'busy' });
    }
    sends(event({ error: { code: 400, message: 'whisper' } }));
    expect((await ask()).failure).to.include({ kind: 'failed' });
  });

  it('redirects are not followed', async () => {
    const other = await openModelService();
    for (const status of [301, 302, 303, 307, 308]) {
      service.plays((response) => {
        response.writeHead(status, { location: `${other.origin}/v1/chat/completions` }).end();
      });
      expect((await ask()).failure?.message).to.match(/not followed/);
    }
    expect(other.visits()).to.equal(0);
    await other.close();
  });

  it('cannot fill the memory with an endless line, or with a compressed one', async () => {
    let sent = 0;
    service.plays((response) => {
      response.writeHead(200, streaming).write('data: ');
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x'))) sent += 10_000;
      };
      response.on('drain', more);
      more();
    });
    expect((await ask({ maxBytes: 50_000 })).failure).to.include({ kind: 'failed' });
    expect(sent).to.be.below(20_000_000);
    service.plays((response) => {
      response.writeHead(200, { ...streaming, 'content-encoding': 'gzip' }).end(chunk({}, 'stop'));
    });
    expect((await ask()).failure).to.include({ kind: 'failed' });
  });

  it('is failed or late with a closed port, an unknown name, no TLS, no HTTP', async () => {
    const gone = await openModelService();
    await gone.close();
    const reported = async (baseUrl: string) =>
      (await ask({ endpoint: endpointAt(baseUrl), idleMs: 2_000 })).failure?.message;
    expect(await reported(gone.origin)).to.match(/cannot be reached/);
    expect(await reported(service.origin.replace('http:', 'https:'))).to.match(/certificate/);
    const unknown = new HttpLanguageModel(eventLoop, {
      allowed: privateNetworks(),
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    const endpoint = endpointAt('http://nowhere.test/v1');
    expect((await ask({ endpoint }, unknown)).failure?.message).to.match(/host name/);
    const never = new HttpLanguageModel(eventLoop, {
      allowed: privateNetworks(),
      resolve: () => new Promise(() => undefined),
    });
    expect((await ask({ endpoint, idleMs: 50 }, never)).failure).to.include({ kind: 'deadline' });
    service.plays((response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    expect((await ask()).failure).to.include({ kind: 'failed' });
  });

  it('is not reached at private addresses unless allowed, in any spelling', async () => {
    const guard = new HttpLanguageModel(eventLoop, { allowed: [] });
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '017700000001',
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '0',
      '[::1]',
      '[::]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
      'localhost.',
      '169.254.169.254',
      '0xa9fea9fe',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      '10.0.0.1',
    ]) {
      const endpoint = endpointAt(new URL(`http://${host}:${service.port}/v1`).href);
      const { failure } = await ask({ endpoint }, guard);
      expect(failure?.message, host).to.match(/does not connect to/);
      expect((await guard.check(endpoint, 2_000)).ok).to.equal(false);
    }
    expect(service.visits()).to.equal(0);
    const allowed = parseDestination(`127.0.0.1:${service.port}`);
    const listed = new HttpLanguageModel(eventLoop, { allowed: allowed ? [allowed] : [] });
    expect((await ask({}, listed)).text).to.equal('ready');
  });

  it("is reached at the operator's address for the operator, and not for an owner", async () => {
    const guard = new HttpLanguageModel(
      eventLoop,
      { allowed: [] },
      { allowed: destinationOfUrl(service.origin) },
    );
    const owners = endpointAt(service.origin);
    const operators: ModelEndpoint = { ...owners, chosenBy: 'operator' };
    expect((await ask({ endpoint: owners }, guard)).failure?.message).to.match(
      /does not connect to/,
    );
    expect((await guard.check(owners, 2_000)).ok).to.equal(false);
    expect(service.visits()).to.equal(0);
    expect((await ask({ endpoint: operators }, guard)).text).to.equal('ready');
    expect(await guard.check(operators, 2_000)).to.deep.equal({ ok: true });
    // That one place, and not the network it is in.
    const other = await openModelService();
    const elsewhere: ModelEndpoint = { ...operators, baseUrl: other.origin };
    expect((await ask({ endpoint: elsewhere }, guard)).failure?.message).to.match(
      /does not connect to/,
    );
    expect(other.visits()).to.equal(0);
    await other.close();
    const mirrored = new HttpLanguageModel(
      eventLoop,
      { allowed: destinationOfUrl(service.origin) },
      { allowed: [] },
    );
    expect((await ask({ endpoint: owners }, mirrored)).text).to.equal('ready');
    expect((await ask({ endpoint: operators }, mirrored)).failure?.message).to.match(
      /does not connect to/,
    );
  });

  it('is not reached at link-local addresses where private networks are allowed', async () => {
    for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '[::ffff:a9fe:a9fe]']) {
      const endpoint = endpointAt(`http://${host}:${service.port}/v1`);
      expect((await ask({ endpoint })).failure?.message, host).to.match(/does not connect to/);
    }
  });
});
