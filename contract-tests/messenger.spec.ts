import { expect } from 'chai';
import fc from 'fast-check';
import { FakeMessenger } from '../adapters/memory/messenger.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { TelegramMessenger } from '../adapters/outbound/messengers/telegram.ts';
import { UnavailableError } from '../ports/errors.ts';
import { MessengerError, type MessengerUpdate } from '../ports/messenger.ts';
import { connectionReason } from '../ports/reasons.ts';
import { exactJson, openMessengerService, type MessengerService } from './fake-bot-api.ts';
import { startLocalServer } from './local-server.ts';
import { messengerContract } from './suites/messenger.ts';

const IMPATIENT_MS = 300;
const at = (service: MessengerService, deadlineMs?: number) =>
  new TelegramMessenger(service.origin, { allowed: destinationOfUrl(service.origin) }, deadlineMs);

// Loaded in advance, so that loading time is not measured.
before(() => import('../adapters/outbound/messengers/bot-api.ts'));

describe('Telegram: Messenger', () =>
  messengerContract(async () => {
    const service = await openMessengerService();
    return {
      messenger: at(service),
      impatient: at(service, IMPATIENT_MS),
      platform: service,
      refusesPort: (isRefused) =>
        service.refusesWebhooks(
          isRefused
            ? 'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443'
            : null,
        ),
      failsToDeliver: (token) =>
        service.failsToDeliver(
          token,
          'SSL error {error:0A000086:SSL routines::certificate verify failed}',
        ),
      strange: (token) => service.push(token, { managed_bot: { something: 'new' } }),
      fails: (how) =>
        service.injectFault(
          how === 'away'
            ? 'closes'
            : how === 'fails'
              ? { status: 502 }
              : how === 'nonsense'
                ? 'html'
                : how !== null && typeof how === 'object'
                  ? { status: 429, retryAfter: how.seconds }
                  : how,
        ),
      close: () => service.close(),
    };
  }));

describe('fake: Messenger', () =>
  messengerContract(async () => {
    const platform = new FakeMessenger({ now: Date.now }, IMPATIENT_MS);
    return {
      messenger: platform,
      impatient: platform,
      platform,
      refusesPort: (isRefused) => {
        platform.webhookRefusal = isRefused
          ? 'The platform delivers updates to the ports 443, 80, 88 and 8443 only. PUBLIC_URL has another port.'
          : null;
      },
      failsToDeliver: (token) =>
        platform.failsToDeliver(
          token,
          'The platform does not trust the certificate of the server at PUBLIC_URL.',
        ),
      strange: (token) => void platform.tells(token, { type: 'other' }),
      fails: (how) =>
        platform.fails(
          how !== null && typeof how === 'object'
            ? new MessengerError('too_many', 'Too many requests were sent to the platform.', {
                retryAfter: how.seconds,
              })
            : how === 'hangs' || how === null
              ? how
              : 'away',
        ),
      close: () => platform.close(),
    };
  }));

const TOKEN = '7000000001:AAE-secret_of_this-test';

describe('a bot of Telegram', () => {
  let service: MessengerService;
  let messenger: TelegramMessenger;
  beforeEach(async () => {
    service = await openMessengerService();
    service.account(TOKEN);
    messenger = at(service);
  });
  afterEach(async () => {
    await messenger.close();
    await service.close();
  });

  const failure = async (work: Promise<unknown>): Promise<MessengerError | UnavailableError> => {
    const error = await work.then(
      () => expect.fail('It did not fail.'),
      (reason: unknown) => reason,
    );
    expect(error).to.satisfy(
      (e: unknown) => e instanceof MessengerError || e instanceof UnavailableError,
    );
    return error as MessengerError | UnavailableError;
  };
  const answersWith = (status: number, body: string | Buffer, headers = {}) =>
    service.injectFault((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  const read = (fields: object): MessengerUpdate | undefined =>
    messenger.read(exactJson({ update_id: 5, ...fields }));
  const chat = { id: -5, type: 'group', title: 'Lamps' };
  const group = { chatId: -5n, title: 'Lamps' };
  const user = { id: 9, is_bot: false, first_name: 'Ada', last_name: 'L', username: 'ada' };
  const ada = { userId: 9n, displayName: 'Ada L', username: 'ada', isBot: false };
  const message = { message_id: 1, date: 1_700_000_000, chat, from: user, text: 'x' };

  describe('reports why a webhook fails, without text of the platform that may be secret', () => {
    const refusals = [
      ['Bad Request: bad webhook: IP address 10.1.2.3 is reserved', /private addresses/],
      ['Bad Request: bad webhook: Failed to resolve host: Name or service not known', /resolve/],
      [
        'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
        /: bad webhook: An H/,
      ],
      [
        'Bad Request: invalid webhook URL specified',
        /for updates: invalid webhook URL specified\.$/,
      ],
      ['', /for updates\.$/],
      [
        `Bad Request: no ${TOKEN}\u0007\u202e of\nhttps://here.test/x?y ${'long '.repeat(90)}`,
        /no … of … long/,
      ],
    ] as const;
    for (const [description, reason] of refusals)
      it(`refused: ${description.slice(0, 60)}`, async () => {
        service.refusesWebhooks(description);
        const target = { address: 'https://here.test/hook', secret: 'abc' };
        const error = await failure(messenger.setWebhook(TOKEN, target));
        expect(error).to.include({ reason: 'refused' });
        expect(error.message)
          .to.match(reason)
          .and.not.match(/AAE|\p{C}/u);
        expect(error.message.length).to.be.lessThan(220);
        expect(connectionReason(error.message).code).to.match(/^webhook_/);
      });

    const failures = [
      ['SSL error {error:0A000086:SSL routines::certificate verify failed}', 'webhook_certificate'],
      ['SSL error {336134278, error:1416F086:SSL routines}', 'webhook_certificate'],
      ['Connection refused', 'webhook_unreachable'],
      ['Connection timed out', 'webhook_unreachable'],
      ['Read timeout expired', 'webhook_unreachable'],
      ['Connection reset by peer', 'webhook_unreachable'],
      ['Wrong response from the webhook: 404 Not Found', 'webhook_status'],
      ['Wrong response from the webhook: 502 Bad Gateway', 'webhook_status'],
      ['Failed to resolve host: No address associated with hostname', 'webhook_unknown_host'],
      ['Something of tomorrow', 'webhook_failed'],
      ['', 'webhook_failed'],
    ] as const;
    for (const [message, code] of failures)
      it(`not delivered: ${message}`, async () => {
        service.failsToDeliver(TOKEN, message);
        const { lastFailure } = await messenger.webhookReport(TOKEN);
        const reason = connectionReason(lastFailure?.reason ?? '');
        expect(reason.code, lastFailure?.reason).to.equal(code);
        if (code === 'webhook_status') expect(message).to.include(reason.fact);
      });
  });

  describe('sends requests as documented', () => {
    const requested = () => service.asked.map(({ method, params }) => ({ method, params }));
    const allowed_updates = ['message', 'edited_message', 'my_chat_member', 'chat_member'];

    it('for its updates, after the last one', async () => {
      await messenger.updates(TOKEN, { after: null, waitSeconds: 0 });
      await messenger.updates(TOKEN, { after: 2n ** 62n, waitSeconds: 1 });
      const params = { limit: 100n, allowed_updates };
      expect(requested()).to.deep.equal([
        { method: 'getUpdates', params: { ...params, timeout: 0n } },
        { method: 'getUpdates', params: { ...params, offset: 2n ** 62n + 1n, timeout: 1n } },
      ]);
      const [{ headers = {}, token } = {}] = service.asked;
      expect(token).to.equal(TOKEN);
      expect(headers).to.include({
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'OwnerWorkspace',
      });
      for (const name of ['cookie', 'authorization', 'origin', 'referer'])
        expect(headers).not.to.have.property(name);
    });

    it('for a webhook, which starts with pending updates', async () => {
      await messenger.setWebhook(TOKEN, { address: 'https://here.test/hook', secret: 'abc' });
      await messenger.deleteWebhook(TOKEN);
      const params = {
        url: 'https://here.test/hook',
        secret_token: 'abc',
        allowed_updates,
        max_connections: 10n,
        drop_pending_updates: false,
      };
      expect(requested()).to.deep.equal([
        { method: 'setWebhook', params },
        { method: 'deleteWebhook', params: { drop_pending_updates: false } },
      ]);
    });

    it('below a URL with a path, and with trailing slashes', async () => {
      for (const path of ['/telegram', '/telegram/api//']) {
        const other = new TelegramMessenger(service.origin + path, {
          allowed: destinationOfUrl(service.origin),
        });
        expect((await other.identify(TOKEN)).accountId).to.equal(7_000_000_001n);
        await other.close();
      }
    });

    it('and truncates messages that are too long', async () => {
      service.writes(TOKEN, ada, 'hello');
      const send = async (text: string) => {
        await messenger.send(TOKEN, 9n, text);
        return service.sent.at(-1)?.text;
      };
      const fits = 'x'.repeat(4_096);
      expect(await send(fits)).to.equal(fits);
      expect(await send(`${fits}y`)).to.equal(`${'x'.repeat(4_095)}…`);
      expect(await send('🏮'.repeat(3_000))).to.equal(`${'🏮'.repeat(2_047)}…`);
      expect(await send('a\ud83cb')).to.equal('a\ufffdb');
      expect(await failure(messenger.send(TOKEN, 9n, ' '))).to.include({ reason: 'refused' });
    });
  });

  it('gets its updates with the secret, repeatedly until they are accepted', async () => {
    const taken: (MessengerUpdate | undefined)[] = [];
    let refusals = 2;
    const site = await startLocalServer((request, response) => {
      expect(request.url).to.equal('/hook?x=1');
      expect(request.headers['x-telegram-bot-api-secret-token']).to.equal('abc');
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (refusals > 0) refusals--;
        else taken.push(messenger.read(body));
        response.writeHead(taken.length === 0 ? 503 : 204).end();
      });
    });
    service.writes(TOKEN, ada, 'one');
    service.writes(TOKEN, ada, 'two');
    await messenger.setWebhook(TOKEN, { address: 'https://here.test/hook?x=1', secret: 'abc' });
    expect(await service.deliver(TOKEN, { origin: site.origin, tries: 1 })).to.deep.equal([503]);
    expect(service.pending(TOKEN)).to.equal(2);
    const { origin } = site;
    expect(await service.deliver(TOKEN, { origin })).to.deep.equal([503, 204, 204]);
    expect(taken.map((each) => each?.event)).to.have.length(2);
    expect(taken[1]?.event).to.include({ type: 'private', text: 'two' });
    expect(service.pending(TOKEN)).to.equal(0);
    await site.close();
  });

  describe('parses', () => {
    it('the author of a message, except for messages in the name of a group or a channel', () => {
      const at = 1_700_000_000_000;
      expect(read({ message })).to.deep.equal({
        updateId: 5n,
        at,
        event: { type: 'message', group, from: ada },
      });
      const edited = { ...message, edit_date: 1_800_000_000 };
      expect(read({ edited_message: edited })).to.deep.equal({
        updateId: 5n,
        at,
        event: { type: 'message', group, from: ada },
      });
      for (const anonymous of [
        { sender_chat: chat },
        { sender_chat: { id: -100, type: 'channel' } },
        { from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' } },
        { from: { id: 136_817_688, is_bot: true, first_name: 'Channel' } },
        { from: undefined },
        { from: null },
        { from: { id: '9', first_name: 'Ada' } },
      ])
        expect(read({ message: { ...message, ...anonymous } })?.event).to.deep.equal({
          type: 'message',
          group,
          from: null,
        });
    });

    it('null fields like missing fields', () => {
      const none = { edited_message: null, my_chat_member: null, chat_member: null };
      const empty = { sender_chat: null, migrate_to_chat_id: null, new_chat_members: null };
      const event = { type: 'message', group, from: ada };
      expect(read({ ...none, message: { ...message, ...empty } })?.event).to.deep.equal(event);
      const member = { chat, from: user, date: 1, new_chat_member: { user, status: 'left' } };
      expect(read({ message: null, ...none, chat_member: member })?.event).to.deep.equal({
        type: 'standing',
        group,
        person: ada,
        role: null,
      });
    });

    it('any input, and never fails', () => {
      const whole = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
      const some = fc.oneof(fc.jsonValue(), whole, fc.string({ unit: 'binary' }));
      const keys = ['id', 'type', 'title', 'chat', 'from', 'date', 'user', 'status', 'text'];
      const fields = [...keys, 'migrate_to_chat_id', 'new_chat_members', 'new_chat_member'];
      const record = (value: fc.Arbitrary<unknown>) =>
        fc.dictionary(fc.constantFrom(...fields), value, { noNullPrototype: true });
      const kinds = ['message', 'edited_message', 'my_chat_member', 'chat_member', 'poll'];
      fc.assert(
        fc.property(
          whole,
          fc.constantFrom(...kinds),
          record(fc.oneof(some, record(fc.oneof(some, record(some))))),
          (updateId, kind, reported) => {
            const body = exactJson({ update_id: updateId, [kind]: { ...message, ...reported } });
            const update = messenger.read(body);
            expect(update?.updateId).to.equal(updateId);
            const event = exactJson(update?.event);
            expect(event).not.to.match(/\\u0000|\\ud[89a-f]../);
          },
        ),
      );
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
          expect(messenger.read(body)?.updateId ?? 0n).to.be.a('bigint');
        }),
      );
    });

    it('names with one part, and texts that no database can store', () => {
      const names = [
        [{ first_name: '', last_name: 'L' }, 'L'],
        [{ first_name: ' ', last_name: undefined }, ''],
        [{ first_name: 'A\0\ud83c', last_name: 7 }, 'A\ufffd\ufffd'],
        [{ first_name: 'x'.repeat(100_000), last_name: '' }, 'x'.repeat(512)],
      ] as const;
      for (const [fields, displayName] of names)
        expect(
          read({ message: { ...message, from: { ...user, ...fields } } })?.event,
        ).to.deep.equal({ type: 'message', group, from: { ...ada, displayName } });
    });

    it('members, including restricted ones who may have left', () => {
      const stands = (kind: string, member: object) =>
        read({
          [kind]: { chat, from: user, date: 1, new_chat_member: { user, ...member } },
        })?.event;
      for (const [member, role] of [
        [{ status: 'creator' }, 'creator'],
        [{ status: 'administrator' }, 'administrator'],
        [{ status: 'member', until_date: 5 }, 'member'],
        [{ status: 'restricted', is_member: true }, 'restricted'],
        [{ status: 'restricted', is_member: false }, null],
        [{ status: 'left' }, null],
        [{ status: 'kicked', until_date: 0 }, null],
      ] as const) {
        const standing = { type: 'standing', group, person: ada, role };
        expect(stands('chat_member', member)).to.deep.equal(standing);
        expect(stands('my_chat_member', member)).to.deep.equal({
          type: 'own_standing',
          group,
          role,
        });
      }
      for (const kind of ['chat_member', 'my_chat_member'])
        expect(stands(kind, { status: 'ghost' })).to.deep.equal({ type: 'other' });
    });

    it('migrations, reported in the old chat and in the new', () => {
      const to = { chatId: -1_000_000_000_005n, title: 'Lamps' };
      const moved = { type: 'moved', from: -5n, to };
      expect(read({ message: { ...message, migrate_to_chat_id: -1_000_000_000_005 } })?.event)
        .to //
        .deep.equal(moved);
      const bigger = { id: -1_000_000_000_005, type: 'supergroup', title: 'Lamps' };
      const inNew = { ...message, chat: bigger, migrate_from_chat_id: -5 };
      expect(read({ message: inNew })?.event).to.deep.equal(moved);
    });

    it('joins of several members including the bot, and leaves', () => {
      const bot = { id: 7, is_bot: true, first_name: 'Keeper', username: 'keeper_bot' };
      const self = { userId: 7n, displayName: 'Keeper', username: 'keeper_bot', isBot: true };
      expect(read({ message: { ...message, new_chat_members: [user, bot, null] } })?.event)
        .to //
        .deep.equal({ type: 'joined', group, people: [ada, self] });
      expect(read({ message: { ...message, left_chat_member: bot } })?.event).to.deep.equal({
        type: 'left',
        group,
        person: self,
      });
      const many = Array.from({ length: 5_000 }, (_, id) => ({ ...user, id }));
      const { event } = read({ message: { ...message, new_chat_members: many } }) ?? {};
      expect(event?.type === 'joined' && event.people.length).to.equal(200);
    });

    it('title changes', () => {
      const reported = read({ message: { ...message, new_chat_title: 'Lanterns' } })?.event;
      expect(reported).to.deep.include({ type: 'message', group: { ...group, title: 'Lanterns' } });
    });

    it('private messages, and blocks, and nothing of channels', () => {
      const own = { id: 9, type: 'private', first_name: 'Ada' };
      expect(read({ message: { ...message, chat: own } })?.event).to.deep.equal({
        type: 'private',
        chatId: 9n,
        from: ada,
        messageId: 1n,
        text: 'x',
      });
      // Without its id it can not be marked as seen, and is read all the same.
      expect(read({ message: { ...message, chat: own, message_id: undefined } })?.event).to.include(
        {
          type: 'private',
          messageId: null,
          text: 'x',
        },
      );
      const photo = { ...message, chat: own, text: undefined };
      expect(read({ message: photo })?.event).to.include({ type: 'private', text: '' });
      const change = (status: string) =>
        read({ my_chat_member: { chat: own, from: user, date: 1, new_chat_member: { status } } });
      expect(change('kicked')?.event).to.deep.equal({ type: 'blocked', chatId: 9n });
      expect(change('member')?.event).to.deep.equal({ type: 'other' });
      for (const strange of [
        { message: { ...message, chat: { ...chat, type: 'channel' } } },
        { message: { ...message, chat: { type: 'group' } } },
        { message: { ...message, chat: { ...chat, id: 2 ** 70 } } },
        { message: { ...message, chat: own, from: undefined } },
        { message: null },
        { message: [] },
        { edited_message: { ...message, chat: own } },
        { channel_post: message },
        { my_chat_member: { chat: { ...chat, type: 'channel' }, new_chat_member: {} } },
        { chat_member: { chat, new_chat_member: { status: 'member' } } },
        { __proto__: null, constructor: message },
      ])
        expect(read(strange)?.event, exactJson(strange)).to.deep.equal({ type: 'other' });
      for (const date of [undefined, -1, 0, '5', 1e300])
        expect(read({ message: { ...message, date } })?.at).to.equal(null);
    });
  });

  describe('reports why the platform rejected a request', () => {
    for (const [code, description, reason] of [
      [401, 'Unauthorized', 'unauthorized'],
      [404, 'Not Found', 'unauthorized'],
      [404, 'Not Found: method not found', 'refused'],
      [409, 'Conflict: terminated by other getUpdates request', 'conflict'],
      [403, 'Forbidden: bot was kicked from the group chat', 'forbidden'],
      [403, 'Forbidden: bot was blocked by the user', 'forbidden'],
      [400, 'Bad Request: chat not found', 'forbidden'],
      [400, 'Bad Request: not enough rights to send text messages to the chat', 'forbidden'],
      [400, 'Bad Request: have no rights to send a message', 'forbidden'],
      [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'forbidden'],
      [400, 'Bad Request: CHANNEL_PRIVATE', 'forbidden'],
      [400, 'Bad Request: bot is not a member of the group chat', 'forbidden'],
      [400, 'Bad Request: message text is empty', 'refused'],
      [413, 'Request Entity Too Large', 'refused'],
    ] as const)
      it(`${code} ${description}: ${reason}`, async () => {
        service.injectFault({ status: code, description });
        expect(await failure(messenger.send(TOKEN, 1n, 'x'))).to.include({ reason });
      });

    it('and how long to wait, also with another status, or without a delay', async () => {
      for (const [body, status, retryAfter] of [
        ['{"ok":false,"error_code":429,"parameters":{"retry_after":35}}', 429, 35],
        ['{"ok":false,"error_code":429,"parameters":{"retry_after":35}}', 200, 35],
        ['{"ok":false,"error_code":429}', 429, 5],
        ['{"ok":false}', 429, 5],
        ['{"ok":false,"error_code":429,"parameters":{"retry_after":-1}}', 429, 1],
        ['{"ok":false,"error_code":429,"parameters":{"retry_after":999999999}}', 429, 86_400],
      ] as const) {
        answersWith(status, body);
        const error = await failure(messenger.identify(TOKEN));
        expect(error, body).to.include({ reason: 'too_many', retryAfter });
      }
    });

    it('and the exact new id of a migrated group', async () => {
      const parameters = { migrate_to_chat_id: -(2n ** 63n) };
      answersWith(400, exactJson({ ok: false, error_code: 400, description: 'x', parameters }));
      expect(await failure(messenger.fetchGroup(TOKEN, -5n))).to.include({
        reason: 'moved',
        movedTo: -(2n ** 63n),
      });
    });
  });

  describe('reports what the platform discloses of a group', () => {
    beforeEach(() => {
      const members = [[ada, 'creator']] as const;
      service.group(-5n, 'Lamps', { description: 'For keepers', members, others: 3 });
      service.placesBot(TOKEN, -5n, 'member');
    });
    const whole = {
      title: 'Lamps',
      description: 'For keepers',
      memberCount: 5,
      administrators: [{ person: ada, role: 'creator' }],
    };

    for (const [method, description, less] of [
      ['getChat', 'Not Found', { title: '', description: null }],
      ['getChatMemberCount', 'Not Found', { memberCount: null }],
      [
        'getChatAdministrators',
        'Bad Request: member list is inaccessible',
        { administrators: null },
      ],
    ] as const)
      it(`if it rejects ${method}`, async () => {
        service.injectFault(
          { status: description === 'Not Found' ? 404 : 400, description },
          method,
        );
        const reported = await messenger.fetchGroup(TOKEN, -5n);
        expect(reported).to.deep.equal({ ...whole, ...less });
      });

    it('and rethrows errors that concern all methods', async () => {
      for (const [status, reason] of [
        [429, 'too_many'],
        [403, 'forbidden'],
      ] as const) {
        service.injectFault({ status }, 'getChatMemberCount');
        expect(await failure(messenger.fetchGroup(TOKEN, -5n))).to.include({ reason });
      }
      for (const [status, reason] of [
        [401, 'unauthorized'],
        [404, 'unauthorized'],
        [400, 'refused'],
      ] as const) {
        service.injectFault({ status });
        expect(await failure(messenger.fetchGroup(TOKEN, -5n))).to.include({ reason });
      }
    });
  });

  describe('handles', () => {
    it('responses that are invalid, truncated, compressed, or of another shape', async () => {
      for (const [status, body, headers] of [
        [200, ''],
        [200, 'null'],
        [200, '[]'],
        [200, '{"ok":"true","result":{"id":1}}'],
        [200, '{"ok":true}'],
        [200, '{"ok":true,"result":{"id":"1"}}'],
        [200, `{"ok":true,"result":{"id":${2n ** 63n}}}`],
        [200, `{"ok":true,"result":{"id":1${'0'.repeat(100_000)}}}`],
        [200, '{"ok":true,"result":{"id":1}'],
        [200, `{"ok":true,"result":${'['.repeat(300_000)}`],
        [
          200,
          `{"ok":true,"n":1234567890123456789,"result":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
        ],
        [200, '{"ok":true,"result":{"id":1}}', { 'content-encoding': 'gzip' }],
        [204, ''],
        [302, '', { location: '/bot1:x/getMe' }],
        [404, '<html>'],
        [500, '{"ok":false,"error_code":401}'],
        [503, 'x'],
        [200, '{"ok":false,"error_code":502}'],
      ] as const) {
        answersWith(status, body, headers);
        const error = await failure(messenger.identify(TOKEN));
        expect(error, body.slice(0, 60)).to.be.instanceOf(UnavailableError);
      }
      expect(service.asked).to.have.length(18);
    });

    it('endless responses, without buffering them', async () => {
      let written = 0;
      service.injectFault((response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .write('{"ok":true,"result":"');
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')))
            written += 65_536;
        };
        response.on('drain', more);
        more();
      });
      const call = messenger.identify(TOKEN);
      expect((await failure(call)).message).to.match(/too long/);
      const poll = messenger.updates(TOKEN, { after: null, waitSeconds: 0 });
      expect((await failure(poll)).message).to.match(/too long/);
      expect(written).to.be.below(64 * 2 ** 20);
      answersWith(200, 'x', { 'content-length': 5e8 });
      expect((await failure(messenger.identify(TOKEN))).message).to.match(/too long/);
    });

    it('lists that are too long, and invalid updates', async () => {
      const result = Array.from({ length: 1_000 }, (_, update_id) => ({ update_id }));
      answersWith(200, JSON.stringify({ ok: true, result }));
      const many = await messenger.updates(TOKEN, { after: null, waitSeconds: 0 });
      expect(many).to.have.length(100);
      for (const bad of ['{}', 'null', '[{}]', '[{"update_id":1},{"message":{}}]']) {
        answersWith(200, `{"ok":true,"result":${bad}}`);
        const error = await failure(messenger.updates(TOKEN, { after: null, waitSeconds: 0 }));
        expect(error, bad).to.be.instanceOf(UnavailableError);
      }
    });

    it('a closed port, an unknown name, no TLS, no HTTP, and private addresses other than its own', async () => {
      const reported = async (
        baseUrl: string,
        allowed = destinationOfUrl(baseUrl),
        resolve?: () => Promise<never>,
      ) => {
        const other = new TelegramMessenger(
          baseUrl,
          { allowed, ...(resolve && { resolve }) },
          IMPATIENT_MS * 3,
        );
        const error = await failure(other.identify(TOKEN));
        await other.close();
        expect(error).to.be.instanceOf(UnavailableError);
        return error.message;
      };
      const gone = await openMessengerService();
      await gone.close();
      expect(await reported(gone.origin)).to.match(/cannot be reached/);
      expect(await reported(service.origin.replace('http:', 'https:'))).to.match(/certificate/);
      const none = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
      expect(await reported('http://nowhere.test', [], none)).to.match(/host name/);
      expect(
        await reported('http://nowhere.test', [], () => new Promise(() => undefined)),
      ).to.match(/in time|seconds/);
      expect(await reported(service.origin, [])).to.match(/does not connect to/);
      expect(service.visits()).to.equal(1);
      service.injectFault((response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n'));
      expect(await reported(service.origin)).to.match(/cut off/);
    });

    it('tokens that would change the path, without a request', async () => {
      for (const token of [
        '',
        'a b',
        '7:x/../y',
        '7:x?z',
        '7:x#z',
        '7:x%2f',
        '.',
        '7:x\n',
        'ж',
        'x'.repeat(257),
      ])
        expect(await failure(messenger.identify(token)), token).to.include({
          reason: 'unauthorized',
        });
      expect(service.visits()).to.equal(0);
    });
  });

  describe('and its connections', () => {
    it('are reused for the next request, except for messages', async () => {
      service.writes(TOKEN, ada, 'hello');
      const connections = async (work: () => Promise<unknown>) => {
        const before = service.visits();
        for (let i = 0; i < 8; i++) await work();
        return service.visits() - before;
      };
      expect(await connections(() => messenger.identify(TOKEN))).to.be.below(3);
      const poll = () => messenger.updates(TOKEN, { after: null, waitSeconds: 0 });
      expect(await connections(poll)).to.be.below(3);
      expect(await connections(() => messenger.send(TOKEN, 9n, 'x'))).to.equal(8);
    });

    it('are replaced once if they were lost, and a message is never repeated', async () => {
      service.writes(TOKEN, ada, 'hello');
      let lost = 0;
      service.injectFault((response) => {
        lost++;
        service.injectFault(null);
        response.destroy();
      });
      expect((await messenger.identify(TOKEN)).accountId).to.equal(7_000_000_001n);
      expect([lost, service.asked.length]).to.deep.equal([1, 2]);
      service.injectFault((response) => void response.destroy());
      expect(await failure(messenger.identify(TOKEN))).to.be.instanceOf(UnavailableError);
      expect(service.asked).to.have.length(4);
      expect(await failure(messenger.send(TOKEN, 9n, 'x'))).to.be.instanceOf(UnavailableError);
      expect(service.asked).to.have.length(5);
    });

    it('of a long poll are closed with the poll', async () => {
      const waiting = failure(messenger.updates(TOKEN, { after: null, waitSeconds: 30 }));
      for (let i = 0; i < 200 && !service.waits(TOKEN); i++)
        await new Promise((done) => setTimeout(done, 10));
      expect(service.busy()).to.equal(1);
      messenger.stopWaiting();
      await waiting;
      for (let i = 0; i < 200 && service.busy() > 0; i++)
        await new Promise((done) => setTimeout(done, 10));
      expect(service.busy()).to.equal(0);
      expect(service.waits(TOKEN)).to.equal(false);
    });
  });
});
