import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import {
  MessengerError,
  type BotAccount,
  type MemberRole,
  type Messenger,
  type MessengerId,
  type MessengerPerson,
  type MessengerUpdate,
  type WebhookTarget,
} from '../../ports/messenger.ts';

/** A platform whose events a test controls. */
export interface PlatformInHand {
  account(token: string, account: BotAccount, lastId?: MessengerId): BotAccount;
  group(
    chatId: MessengerId,
    title: string,
    more?: {
      readonly description?: string;
      readonly members?: readonly (readonly [MessengerPerson, MemberRole])[];
      readonly others?: number;
    },
  ): void;
  placesBot(token: string, chatId: MessengerId, role: MemberRole | null): void;
  says(chatId: MessengerId, from: MessengerPerson | null): void;
  renames(chatId: MessengerId, title: string, from: MessengerPerson | null): void;
  joins(chatId: MessengerId, ...people: readonly MessengerPerson[]): void;
  leaves(chatId: MessengerId, person: MessengerPerson): void;
  stands(chatId: MessengerId, person: MessengerPerson, role: MemberRole | null): void;
  moves(chatId: MessengerId, to: MessengerId): void;
  writes(token: string, from: MessengerPerson, text: string): MessengerId;
  blocks(token: string, person: MessengerPerson): void;
  revoke(token: string): void;
  waits(token: string): boolean;
  webhook(token: string): Pick<WebhookTarget, 'address' | 'secret'> | null;
  bring(token: string): readonly string[];
  readonly sent: readonly { readonly chatId: MessengerId; readonly text: string }[];
  readonly acknowledged: readonly {
    readonly chatId: MessengerId;
    readonly messageId: MessengerId;
  }[];
}

/** An adapter with its platform. */
export interface OpenedMessenger {
  readonly messenger: Messenger;
  /** The same with a deadline of 300 ms. */
  readonly impatient: Messenger;
  readonly platform: PlatformInHand;
  /** The platform accepts no webhook because of its port, until it does. */
  refusesPort(isRefused: boolean): void;
  /** A delivery to the webhook fails because of the certificate. */
  failsToDeliver(token: string): void;
  /** Reports an event of an unknown kind. */
  strange(token: string): void;
  /** Makes the platform fail; null ends it. */
  fails(
    how: 'away' | 'hangs' | 'fails' | 'nonsense' | 'cut' | { readonly seconds: number } | null,
  ): void;
  close(): Promise<void>;
}

const TOKEN = '7000000001:AAE-secret_of_this-test';
const ACCOUNT: BotAccount = {
  accountId: 7_000_000_001n,
  username: 'keeper_bot',
  name: 'The Keeper',
};
const GROUP = -4_242n;
const MOST = 2n ** 63n - 1n;

const person = (userId: bigint, displayName: string, username = ''): MessengerPerson => ({
  userId,
  displayName,
  username,
  isBot: false,
});
const ADA = person(11n, 'Ada Lovelace', 'ada');
const BOB = person(12n, 'Bob');

/** The contract of every Messenger. */
export function messengerContract(open: () => Promise<OpenedMessenger>): void {
  let opened: OpenedMessenger;
  let messenger: Messenger;
  let platform: PlatformInHand;
  let after: MessengerId | null;
  beforeEach(async () => {
    opened = await open();
    ({ messenger, platform } = opened);
    after = null;
    platform.account(TOKEN, ACCOUNT);
    // Subscribes to all kinds of updates.
    await messenger.updates(TOKEN, { after, waitSeconds: 0 });
  });
  afterEach(async () => {
    await messenger.close();
    await opened.impatient.close();
    await opened.close();
  });

  /** The events since the last call. */
  const event = async () => {
    const updates = await messenger.updates(TOKEN, { after, waitSeconds: 0 });
    after = updates.at(-1)?.updateId ?? after;
    return updates.map((update) => update.event);
  };
  const inGroup = async (role: MemberRole = 'administrator', chatId = GROUP) => {
    platform.group(chatId, 'Lamps', {
      description: 'For keepers',
      members: [
        [ADA, 'creator'],
        [BOB, 'member'],
      ],
      others: 3,
    });
    platform.placesBot(TOKEN, chatId, role);
    return event();
  };
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('It did not fail.'),
      (error: unknown) => error,
    );
  const refusal = async (work: Promise<unknown>): Promise<MessengerError> => {
    const error = await failure(work);
    expect(error).to.be.instanceOf(MessengerError);
    return error as MessengerError;
  };
  const eventually = async (deletionHolds: () => boolean) => {
    for (let i = 0; i < 200 && !deletionHolds(); i++)
      await new Promise((done) => setTimeout(done, 10));
    return deletionHolds();
  };
  const everyCall = (with_: Messenger, token: string): Promise<unknown>[] => [
    with_.identify(token),
    with_.updates(token, { after: null, waitSeconds: 0 }),
    with_.setWebhook(token, { address: 'https://here.test/hook', secret: 's' }),
    with_.deleteWebhook(token),
    with_.webhookReport(token),
    with_.fetchGroup(token, GROUP),
    with_.send(token, GROUP, 'Hello'),
    with_.acknowledge(token, GROUP, 1n),
  ];

  it('`identify` returns the account of a token. A token unknown to the platform is rejected as `unauthorized`', async () => {
    expect(await messenger.identify(TOKEN)).to.deep.equal(ACCOUNT);
    for (const token of ['7000000002:AAE-another', 'nonsense', '', 'a/../b', '7:x?y#z %', '7:Ж'])
      expect(await refusal(messenger.identify(token)), token).to.include({
        reason: 'unauthorized',
      });
    platform.revoke(TOKEN);
    for (const call of everyCall(messenger, TOKEN))
      expect(await refusal(call)).to.include({ reason: 'unauthorized' });
  });

  it('`updates` returns the updates after the given offset, oldest first, at most a hundred, and the platform forgets everything up to it. With null it begins with the oldest update that has not been forgotten', async () => {
    for (let i = 0; i < 130; i++) platform.writes(TOKEN, ADA, `${i}`);
    const said = (updates: readonly MessengerUpdate[]) =>
      updates.map(({ event: news }) => (news.type === 'private' ? Number(news.text) : news.type));
    const from = (after: bigint | null) => messenger.updates(TOKEN, { after, waitSeconds: 0 });
    const first = await from(null);
    expect(said(first)).to.deep.equal(Array.from({ length: 100 }, (_, i) => i));
    expect(said(await from(null))).to.deep.equal(said(first));
    const middle = first[49]?.updateId ?? 0n;
    expect(said(await from(middle))).to.deep.equal(Array.from({ length: 80 }, (_, i) => i + 50));
    expect(said(await from(null))[0]).to.equal(50);
    expect(said(await from(first[0]?.updateId ?? 0n))[0]).to.equal(50);
    const last = (await from(middle)).at(-1)?.updateId ?? 0n;
    expect(await from(last)).to.deep.equal([]);
    expect(await from(null)).to.deep.equal([]);
  });

  it('`updates` waits for the first update for the given time, then returns none', async () => {
    const waiting = messenger.updates(TOKEN, { after, waitSeconds: 30 });
    expect(await eventually(() => platform.waits(TOKEN))).to.equal(true);
    platform.writes(TOKEN, ADA, 'Are you there?');
    const [update] = await waiting;
    expect(update?.event).to.include({ type: 'private', text: 'Are you there?' });
    after = update?.updateId ?? null;
    expect(await messenger.updates(TOKEN, { after, waitSeconds: 1 })).to.deep.equal([]);
    expect(platform.waits(TOKEN)).to.equal(false);
  });

  it('64-bit ids are exact', async () => {
    platform.account(TOKEN, { ...ACCOUNT, accountId: MOST - 7n }, MOST - 1_000n);
    expect((await messenger.identify(TOKEN)).accountId).to.equal(MOST - 7n);
    const [group, bigger, far] = [-MOST, -MOST + 2n, person(MOST - 1n, 'Far')];
    platform.group(group, 'Wide', { members: [[far, 'creator']] });
    platform.placesBot(TOKEN, group, 'member');
    platform.says(group, far);
    const messageId = platform.writes(TOKEN, far, 'hello');
    const updates = await messenger.updates(TOKEN, { after: null, waitSeconds: 0 });
    expect(updates.map(({ updateId }) => updateId)).to.deep.equal(
      updates.map((_, i) => MOST - 999n + BigInt(i)),
    );
    expect(updates.at(-2)?.event).to.deep.equal({
      type: 'message',
      group: { chatId: group, title: 'Wide' },
      from: far,
    });
    expect((await messenger.fetchGroup(TOKEN, group)).administrators?.[0]?.person).to.deep.equal(
      far,
    );
    await messenger.send(TOKEN, group, 'x');
    await messenger.acknowledge(TOKEN, far.userId, messageId);
    expect(platform.sent[0]?.chatId).to.equal(group);
    expect(platform.acknowledged[0]?.chatId).to.equal(far.userId);
    platform.moves(group, bigger);
    expect((await refusal(messenger.fetchGroup(TOKEN, group))).movedTo).to.equal(bigger);
    const later = await messenger.updates(TOKEN, {
      after: updates.at(-1)?.updateId ?? null,
      waitSeconds: 0,
    });
    expect(later[0]?.event).to.deep.include({ type: 'moved', from: group });
  });

  it("Events are mapped: messages, joins, leaves, role changes, the bot's own role, migrations, private messages, blocks", async () => {
    const group = { chatId: GROUP, title: 'Lamps' };
    const self = { ...person(ACCOUNT.accountId, ACCOUNT.name, ACCOUNT.username), isBot: true };
    expect(await inGroup()).to.deep.equal([
      { type: 'own_standing', group, role: 'administrator' },
      { type: 'joined', group, people: [self] },
    ]);
    platform.says(GROUP, ADA);
    platform.says(GROUP, null);
    platform.joins(GROUP, person(13n, 'Cy'), person(14n, 'Dee Dee', 'dd'));
    platform.leaves(GROUP, BOB);
    expect(await event()).to.deep.equal([
      { type: 'message', group, from: ADA },
      { type: 'message', group, from: null },
      { type: 'joined', group, people: [person(13n, 'Cy'), person(14n, 'Dee Dee', 'dd')] },
      { type: 'left', group, person: BOB },
    ]);
    const roles = ['administrator', 'restricted', 'member', null] as const;
    for (const role of roles) platform.stands(GROUP, BOB, role);
    expect(await event()).to.deep.equal(
      roles.map((role) => ({ type: 'standing', group, person: BOB, role })),
    );
    platform.renames(GROUP, 'Lanterns', ADA);
    const renamed = { chatId: GROUP, title: 'Lanterns' };
    expect(await event()).to.deep.equal([{ type: 'message', group: renamed, from: ADA }]);
    platform.moves(GROUP, -1_000_000_004_242n);
    const to = { chatId: -1_000_000_004_242n, title: 'Lanterns' };
    const moved = { type: 'moved', from: GROUP, to };
    expect(await event()).to.deep.equal([moved, moved]);
    platform.placesBot(TOKEN, to.chatId, null);
    expect(await event()).to.deep.equal([{ type: 'own_standing', group: to, role: null }]);
    const messageId = platform.writes(TOKEN, ADA, '/start 一 🏮');
    platform.blocks(TOKEN, ADA);
    const before = Date.now();
    const updates = await messenger.updates(TOKEN, { after, waitSeconds: 0 });
    expect(updates.map((update) => update.event)).to.deep.equal([
      { type: 'private', chatId: ADA.userId, from: ADA, messageId, text: '/start 一 🏮' },
      { type: 'blocked', chatId: ADA.userId },
    ]);
    for (const { at } of updates) expect(at).to.be.within(before - 60_000, before + 60_000);
  });

  it('An update of an unknown kind is `other`, and retains its id', async () => {
    platform.writes(TOKEN, ADA, '1');
    opened.strange(TOKEN);
    platform.writes(TOKEN, ADA, '2');
    const updates = await messenger.updates(TOKEN, { after, waitSeconds: 0 });
    expect(updates.map((update) => update.event.type)).to.deep.equal([
      'private',
      'other',
      'private',
    ]);
    const [first = 0n] = updates.map(({ updateId }) => updateId);
    expect(updates.map(({ updateId }) => updateId - first)).to.deep.equal([0n, 1n, 2n]);
  });

  it('`setWebhook` sets a webhook with a secret. Afterwards `updates` is rejected as `conflict`, until `deleteWebhook`', async () => {
    platform.writes(TOKEN, ADA, 'before');
    const target = { address: 'https://here.test/v1/bots/1/webhook', secret: 'S_e-c-r-e-t_1' };
    await messenger.setWebhook(TOKEN, target);
    const { address, secret } = platform.webhook(TOKEN) ?? {};
    expect({ address, secret }).to.deep.equal(target);
    const waiting = messenger.updates(TOKEN, { after: null, waitSeconds: 30 });
    expect(await refusal(waiting)).to.include({ reason: 'conflict' });
    await messenger.deleteWebhook(TOKEN);
    await messenger.deleteWebhook(TOKEN);
    expect(platform.webhook(TOKEN)).to.equal(null);
    // No update is lost when switching between polling and webhook.
    expect((await event())[0]).to.include({ text: 'before' });
    const under = messenger.updates(TOKEN, { after, waitSeconds: 30 });
    const ended = refusal(under);
    expect(await eventually(() => platform.waits(TOKEN))).to.equal(true);
    await messenger.setWebhook(TOKEN, target);
    expect(await ended).to.include({ reason: 'conflict' });
    const bad = messenger.setWebhook(TOKEN, { address: 'http://here.test/', secret: 'x' });
    expect(await refusal(bad)).to.include({ reason: 'refused' });
  });

  it('`setWebhook` is rejected as `refused` if the platform does not accept the address. The message is the reason', async () => {
    const target = { address: 'https://here.test:8080/hook', secret: 's' };
    opened.refusesPort(true);
    expect(await refusal(messenger.setWebhook(TOKEN, target))).to.include({
      reason: 'refused',
      message:
        'The platform delivers updates to the ports 443, 80, 88 and 8443 only. PUBLIC_URL has another port.',
    });
    expect(platform.webhook(TOKEN)).to.equal(null);
    opened.refusesPort(false);
    await messenger.setWebhook(TOKEN, target);
    expect(platform.webhook(TOKEN)).to.include(target);
  });

  it('`webhookReport` returns the address of the webhook, the number of waiting updates and the latest failed delivery', async () => {
    const none = { address: '', pending: 0, lastFailure: null };
    expect(await messenger.webhookReport(TOKEN)).to.deep.equal(none);
    const address = 'https://here.test/hook';
    await messenger.setWebhook(TOKEN, { address, secret: 's' });
    expect(await messenger.webhookReport(TOKEN)).to.deep.equal({ ...none, address });
    platform.writes(TOKEN, ADA, '1');
    platform.writes(TOKEN, ADA, '2');
    opened.failsToDeliver(TOKEN);
    const { lastFailure, ...rest } = await messenger.webhookReport(TOKEN);
    expect(rest).to.deep.equal({ address, pending: 2 });
    expect(lastFailure?.reason).to.equal(
      'The platform does not trust the certificate of the server at PUBLIC_URL.',
    );
    expect(lastFailure?.at).to.be.within(Date.now() - 60_000, Date.now());
    await messenger.deleteWebhook(TOKEN);
    expect(await event()).to.have.length(2);
    expect((await messenger.webhookReport(TOKEN)).address).to.equal('');
  });

  it('`read` parses a delivered update like a fetched one, and returns nothing for invalid input', async () => {
    await inGroup();
    platform.says(GROUP, ADA);
    platform.leaves(GROUP, BOB);
    platform.moves(GROUP, -MOST);
    platform.writes(TOKEN, person(MOST, 'Far'), 'x');
    opened.strange(TOKEN);
    const fetched = await messenger.updates(TOKEN, { after, waitSeconds: 0 });
    expect(fetched.length).to.equal(6);
    expect(platform.bring(TOKEN).map((body) => messenger.read(body))).to.deep.equal(fetched);
    for (const body of [
      '',
      'x',
      'null',
      '[]',
      '{}',
      '"1"',
      '{"update_id":"1"}',
      '{"update_id":1.5}',
    ])
      expect(messenger.read(body), body).to.equal(undefined);
    expect(messenger.read('['.repeat(200_000))).to.equal(undefined);
    expect(messenger.read(`{"update_id":1${'0'.repeat(400)}}`)).to.equal(undefined);
  });

  it("`fetchGroup` returns a group's title, description, member count and administrators. A migrated group is rejected as `moved` with the new id, a group the bot is not in as `forbidden`", async () => {
    await inGroup('member');
    platform.stands(GROUP, BOB, 'administrator');
    expect(await messenger.fetchGroup(TOKEN, GROUP)).to.deep.equal({
      title: 'Lamps',
      description: 'For keepers',
      memberCount: 6,
      administrators: [
        { person: ADA, role: 'creator' },
        { person: BOB, role: 'administrator' },
      ],
    });
    platform.group(-99n, 'Elsewhere');
    for (const chatId of [-99n, -98n])
      expect(await refusal(messenger.fetchGroup(TOKEN, chatId))).to.include({
        reason: 'forbidden',
      });
    platform.moves(GROUP, -1_000_000_000_077n);
    const moved = await refusal(messenger.fetchGroup(TOKEN, GROUP));
    expect(moved).to.include({ reason: 'moved', movedTo: -1_000_000_000_077n });
    expect((await messenger.fetchGroup(TOKEN, -1_000_000_000_077n)).title).to.equal('Lamps');
    platform.placesBot(TOKEN, -1_000_000_000_077n, null);
    const gone = await refusal(messenger.fetchGroup(TOKEN, -1_000_000_000_077n));
    expect(gone).to.include({ reason: 'forbidden' });
  });

  it('`send` writes to a chat. Without permission it is rejected as `forbidden`', async () => {
    await inGroup('member');
    const text = 'At 9: “lamp” <b>\n*lit* 🏮';
    await messenger.send(TOKEN, GROUP, text);
    platform.writes(TOKEN, ADA, '/start');
    await messenger.send(TOKEN, ADA.userId, 'Hello');
    const [first, second] = platform.sent;
    expect(first).to.deep.include({ chatId: GROUP, text });
    expect(second).to.deep.include({ chatId: ADA.userId, text: 'Hello' });
    platform.blocks(TOKEN, ADA);
    for (const chatId of [ADA.userId, BOB.userId, -99n])
      expect(await refusal(messenger.send(TOKEN, chatId, 'x'))).to.include({ reason: 'forbidden' });
    platform.moves(GROUP, -1_000_000_000_077n);
    const moved = await refusal(messenger.send(TOKEN, GROUP, 'x'));
    expect(moved).to.include({ reason: 'moved', movedTo: -1_000_000_000_077n });
    expect(platform.sent).to.have.length(2);
  });

  it('`acknowledge` marks a message as seen without writing anything', async () => {
    const messageId = platform.writes(TOKEN, ADA, '/start x');
    await messenger.acknowledge(TOKEN, ADA.userId, messageId);
    expect(platform.acknowledged[0]).to.deep.include({ chatId: ADA.userId, messageId });
    expect(platform.sent).to.deep.equal([]);
    platform.blocks(TOKEN, ADA);
    const late = messenger.acknowledge(TOKEN, ADA.userId, messageId);
    expect(await refusal(late)).to.include({ reason: 'forbidden' });
  });

  it('Too many requests are rejected as `too_many`, with the seconds to wait', async () => {
    opened.fails({ seconds: 17 });
    for (const call of everyCall(messenger, TOKEN))
      expect(await refusal(call)).to.include({ reason: 'too_many', retryAfter: 17 });
    opened.fails(null);
    expect(await messenger.identify(TOKEN)).to.deep.equal(ACCOUNT);
  });

  it('A platform that is unreachable, hangs, fails or sends an unintelligible response rejects with UnavailableError, within the deadline', async () => {
    for (const how of ['away', 'hangs', 'fails', 'nonsense', 'cut'] as const) {
      opened.fails(how);
      const errors = await Promise.all(everyCall(opened.impatient, TOKEN).map(failure));
      for (const error of errors) expect(error, how).to.be.instanceOf(UnavailableError);
    }
    opened.fails(null);
    expect(await messenger.identify(TOKEN)).to.deep.equal(ACCOUNT);
  });

  it('No error contains the token', async () => {
    const reported = async (works: readonly Promise<unknown>[]) => {
      for (const error of (await Promise.all(works.map(failure))) as Error[]) {
        expect(error.message).to.match(/^[A-Z].*\.$/s);
        for (let each: unknown = error; each instanceof Error; each = each.cause)
          expect(`${each.stack} ${JSON.stringify(each)} ${String(each)}`).not.to.match(
            /AAE|secret_of/,
          );
        expect(error.cause).to.equal(undefined);
      }
    };
    for (const how of ['away', 'hangs', 'fails', 'nonsense', 'cut', { seconds: 3 }] as const) {
      opened.fails(how);
      await reported(everyCall(opened.impatient, TOKEN));
    }
    opened.fails(null);
    await reported([messenger.fetchGroup(TOKEN, -1n), messenger.send(TOKEN, -1n, 'x')]);
    await reported(everyCall(messenger, `${TOKEN}/../x`));
    platform.revoke(TOKEN);
    await reported(everyCall(messenger, TOKEN));
  });

  it('`stopWaiting` ends current and later waits for updates immediately, with UnavailableError. Other requests are still served', async () => {
    const waiting = failure(messenger.updates(TOKEN, { after, waitSeconds: 30 }));
    expect(await eventually(() => platform.waits(TOKEN))).to.equal(true);
    messenger.stopWaiting();
    expect(await waiting).to.be.instanceOf(UnavailableError);
    const later = messenger.updates(TOKEN, { after, waitSeconds: 0 });
    expect(await failure(later)).to.be.instanceOf(UnavailableError);
    expect(await messenger.identify(TOKEN)).to.deep.equal(ACCOUNT);
    await messenger.deleteWebhook(TOKEN);
  });

  it('`close` ends everything immediately, with UnavailableError', async () => {
    const waiting = failure(messenger.updates(TOKEN, { after, waitSeconds: 30 }));
    expect(await eventually(() => platform.waits(TOKEN))).to.equal(true);
    opened.fails('hangs');
    const asking = failure(messenger.identify(TOKEN));
    await new Promise((done) => setTimeout(done, 50));
    await messenger.close();
    expect(await waiting).to.be.instanceOf(UnavailableError);
    expect(await asking).to.be.instanceOf(UnavailableError);
    for (const call of everyCall(messenger, TOKEN))
      expect(await failure(call)).to.be.instanceOf(UnavailableError);
    await messenger.close();
  });
}
