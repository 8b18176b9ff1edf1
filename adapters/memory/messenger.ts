import { UnavailableError } from '../../ports/errors.ts';
import {
  MessengerError,
  type BotAccount,
  type GroupInfo,
  type MemberRole,
  type Messenger,
  type MessengerGroup,
  type MessengerId,
  type MessengerEvent,
  type MessengerPerson,
  type MessengerUpdate,
  type WebhookReport,
  type WebhookTarget,
} from '../../ports/messenger.ts';
import type { Clock } from '../../ports/runtime.ts';

const MAX_UPDATES = 100;

interface Bot {
  readonly account: BotAccount;
  readonly queue: MessengerUpdate[];
  lastId: MessengerId;
  webhook: WebhookTarget | null;
  lastFailure: WebhookReport['lastFailure'];
  /** Ends the current wait for updates: with none, or with an error. */
  wake: ((failure?: Error) => void) | null;
  /** People who wrote to the bot in private and have not blocked it since. */
  readonly contacts: Set<MessengerId>;
}

interface Group {
  title: string;
  readonly description: string;
  readonly members: Map<
    MessengerId,
    { readonly person: MessengerPerson; readonly role: MemberRole }
  >;
  /** Number of members besides the disclosed ones. */
  readonly others: number;
  /** The bots in it, by token. */
  readonly bots: Map<string, MemberRole>;
}

type Asked = Readonly<Record<string, unknown>> & {
  readonly call: Exclude<keyof Messenger, 'read' | 'stopWaiting' | 'close'>;
  readonly token: string;
};

/** A platform in this process whose events a test controls: the fake of unit tests. */
export class FakeMessenger implements Messenger {
  readonly sent: { readonly token: string; readonly chatId: MessengerId; readonly text: string }[] =
    [];
  readonly acknowledged: {
    readonly token: string;
    readonly chatId: MessengerId;
    readonly messageId: MessengerId;
  }[] = [];
  /** Why no webhook is accepted; null while they are. */
  webhookRefusal: string | null = null;
  /** Every call with its arguments. */
  readonly asked: Asked[] = [];
  readonly #bots = new Map<string, Bot>();
  readonly #groups = new Map<MessengerId, Group>();
  readonly #moved = new Map<MessengerId, MessengerId>();
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  #trouble: 'away' | 'hangs' | MessengerError | null = null;
  #messages = 0n;
  readonly #ending = Promise.withResolvers<never>();
  #waits = true;
  #closed = false;

  constructor(clock: Clock = { now: Date.now }, deadlineMs = 10_000) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#ending.promise.catch(() => undefined);
  }

  // Controls for tests.

  /** Adds a bot to the platform. Its updates begin after `lastId`. */
  account(
    token: string,
    account: Partial<BotAccount> = {},
    lastId: MessengerId = 1_000n,
  ): BotAccount {
    const accountId = BigInt(this.#bots.size + 1) + 7_000_000_000n;
    const whole = { accountId, username: `bot_${accountId}`, name: 'A bot', ...account };
    this.#bots.set(token, {
      account: whole,
      queue: [],
      lastId,
      webhook: null,
      lastFailure: null,
      wake: null,
      contacts: new Set(),
    });
    return whole;
  }

  /** Revokes a token. */
  revoke(token: string): void {
    this.#bots.get(token)?.wake?.(unauthorized());
    this.#bots.delete(token);
  }

  /** Adds a group with members from before the bot, and a number of undisclosed members. */
  group(
    chatId: MessengerId,
    title: string,
    more: {
      readonly description?: string;
      readonly members?: readonly (readonly [MessengerPerson, MemberRole])[];
      readonly others?: number;
    } = {},
  ): void {
    this.#groups.set(chatId, {
      title,
      description: more.description ?? '',
      members: new Map(
        (more.members ?? []).map(([person, role]) => [person.userId, { person, role }]),
      ),
      others: more.others ?? 0,
      bots: new Map(),
    });
  }

  /** A bot joins a group, changes its role, or, with null, leaves. */
  placesBot(token: string, chatId: MessengerId, role: MemberRole | null): void {
    const [bot, group] = [this.#knownUpdates(token), this.#groupOf(chatId)];
    const { accountId, name, username } = bot.account;
    const person = { userId: accountId, displayName: name, username, isBot: true };
    const before = group.bots.has(token);
    if (role === null) group.bots.delete(token);
    else group.bots.set(token, role);
    const told = this.#groupInfo(chatId);
    this.tells(token, { type: 'own_standing', group: told, role });
    if (role !== null && !before)
      this.tells(token, { type: 'joined', group: told, people: [person] });
  }

  /** A member writes; without an author in the name of the group. */
  says(chatId: MessengerId, from: MessengerPerson | null): void {
    this.#tellsGroup(chatId, { type: 'message', group: this.#groupInfo(chatId), from });
  }

  renames(chatId: MessengerId, title: string, from: MessengerPerson | null = null): void {
    this.#groupOf(chatId).title = title;
    this.says(chatId, from);
  }

  joins(chatId: MessengerId, ...people: readonly MessengerPerson[]): void {
    const { members } = this.#groupOf(chatId);
    for (const person of people) members.set(person.userId, { person, role: 'member' });
    this.#tellsGroup(chatId, { type: 'joined', group: this.#groupInfo(chatId), people });
  }

  leaves(chatId: MessengerId, person: MessengerPerson): void {
    this.#groupOf(chatId).members.delete(person.userId);
    this.#tellsGroup(chatId, { type: 'left', group: this.#groupInfo(chatId), person });
  }

  /** A member's role changes; null for leaving the group. */
  stands(chatId: MessengerId, person: MessengerPerson, role: MemberRole | null): void {
    const { members } = this.#groupOf(chatId);
    if (role === null) members.delete(person.userId);
    else members.set(person.userId, { person, role });
    this.#tellsGroup(chatId, { type: 'standing', group: this.#groupInfo(chatId), person, role });
  }

  /** Migrates a group to a supergroup: reported in the old chat, and in the new one. */
  moves(chatId: MessengerId, to: MessengerId): void {
    const group = this.#groupOf(chatId);
    this.#groups.delete(chatId);
    this.#groups.set(to, group);
    this.#moved.set(chatId, to);
    for (let told = 0; told < 2; told++)
      this.#tellsGroup(to, { type: 'moved', from: chatId, to: this.#groupInfo(to) });
  }

  /** A person writes to a bot in private. Returns the id of the message; the chat has the person's id. */
  writes(token: string, from: MessengerPerson, text: string): MessengerId {
    const messageId = ++this.#messages;
    this.#knownUpdates(token).contacts.add(from.userId);
    this.tells(token, { type: 'private', chatId: from.userId, from, messageId, text });
    return messageId;
  }

  blocks(token: string, person: MessengerPerson): void {
    this.#knownUpdates(token).contacts.delete(person.userId);
    this.tells(token, { type: 'blocked', chatId: person.userId });
  }

  /** Any event, with a chosen id if given. */
  tells(token: string, event: MessengerEvent, updateId?: MessengerId): MessengerUpdate {
    const bot = this.#knownUpdates(token);
    bot.lastId = updateId ?? bot.lastId + 1n;
    // Reported in whole seconds.
    const at = Math.floor(this.#clock.now() / 1_000) * 1_000;
    const update = { updateId: bot.lastId, at, event };
    bot.queue.push(update);
    bot.wake?.();
    return update;
  }

  /** From now on every call fails with this error; null ends it. */
  fails(how: 'away' | 'hangs' | MessengerError | null): void {
    this.#trouble = how;
  }

  /** The latest delivery to the webhook failed, now. */
  failsToDeliver(token: string, reason: string): void {
    this.#knownUpdates(token).lastFailure = { at: this.#clock.now(), reason };
  }

  /** Ends all waits for updates. */
  timePasses(): void {
    for (const bot of this.#bots.values()) bot.wake?.();
  }

  /** Whether a client waits for updates of this bot. */
  waits(token: string): boolean {
    return this.#knownUpdates(token).wake !== null;
  }

  webhook(token: string): WebhookTarget | null {
    return this.#knownUpdates(token).webhook;
  }

  /** Removes and returns the pending webhook bodies, for `read`. */
  bring(token: string): readonly string[] {
    return this.#knownUpdates(token).queue.splice(0).map(bodyOf);
  }

  // The bot API.

  async identify(token: string): Promise<BotAccount> {
    return (await this.#request('identify', token, {})).account;
  }

  async updates(
    token: string,
    request: { readonly after: MessengerId | null; readonly waitSeconds: number },
  ): Promise<readonly MessengerUpdate[]> {
    if (!this.#waits) throw closing();
    const bot = await this.#request('updates', token, request);
    const { after, waitSeconds } = request;
    if (bot.webhook) throw conflict('A webhook is set for this bot.');
    bot.wake?.(conflict('Another client polls the updates of this bot.'));
    const from = after === null ? 0 : bot.queue.findIndex(({ updateId }) => updateId > after);
    bot.queue.splice(0, from === -1 ? bot.queue.length : from);
    if (bot.queue.length === 0 && waitSeconds > 0) await this.#wait(bot, waitSeconds);
    return bot.queue.slice(0, MAX_UPDATES);
  }

  async setWebhook(token: string, target: WebhookTarget): Promise<void> {
    const bot = await this.#request('setWebhook', token, { ...target });
    if (!target.address.startsWith('https:') || !/^[\w-]{1,256}$/.test(target.secret))
      throw new MessengerError('refused', 'The platform does not accept this webhook URL.');
    if (this.webhookRefusal !== null) throw new MessengerError('refused', this.webhookRefusal);
    bot.webhook = target;
    bot.lastFailure = null;
    bot.wake?.(conflict('A webhook is set for this bot.'));
  }

  async deleteWebhook(token: string): Promise<void> {
    (await this.#request('deleteWebhook', token, {})).webhook = null;
  }

  async webhookReport(token: string): Promise<WebhookReport> {
    const { webhook, queue, lastFailure } = await this.#request('webhookReport', token, {});
    return { address: webhook?.address ?? '', pending: queue.length, lastFailure };
  }

  read(body: string): MessengerUpdate | undefined {
    try {
      const update = JSON.parse(body, revived) as Partial<MessengerUpdate> | null;
      return typeof update?.updateId === 'bigint' ? (update as MessengerUpdate) : undefined;
    } catch {
      return undefined;
    }
  }

  async fetchGroup(token: string, chatId: MessengerId): Promise<GroupInfo> {
    await this.#request('fetchGroup', token, { chatId });
    const { title, description, members, others, bots } = this.#reachable(token, chatId);
    const administrators = [...members.values()].flatMap(({ person, role }) =>
      role === 'creator' || role === 'administrator' ? [{ person, role }] : [],
    );
    return { title, description, memberCount: members.size + bots.size + others, administrators };
  }

  async send(token: string, chatId: MessengerId, text: string): Promise<void> {
    const { contacts } = await this.#request('send', token, { chatId, text });
    if (!contacts.has(chatId)) this.#reachable(token, chatId);
    this.sent.push({ token, chatId, text });
  }

  async acknowledge(token: string, chatId: MessengerId, messageId: MessengerId): Promise<void> {
    const { contacts } = await this.#request('acknowledge', token, { chatId, messageId });
    if (!contacts.has(chatId)) this.#reachable(token, chatId);
    this.acknowledged.push({ token, chatId, messageId });
  }

  stopWaiting(): void {
    this.#waits = false;
    for (const bot of this.#bots.values()) bot.wake?.(closing());
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#ending.reject(closing());
    this.stopWaiting();
    return Promise.resolve();
  }

  async #request(call: Asked['call'], token: string, given: object): Promise<Bot> {
    if (this.#closed) throw closing();
    this.asked.push({ call, token, ...given });
    const trouble = this.#trouble;
    if (trouble === 'hangs') await this.#hang();
    if (trouble === 'hangs' || trouble === 'away')
      throw new UnavailableError('messenger', 'The platform cannot be reached.');
    if (trouble) throw trouble;
    const bot = this.#bots.get(token);
    if (!bot) throw unauthorized();
    return bot;
  }

  async #hang(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#deadlineMs);
    });
    await Promise.race([late, this.#ending.promise]).finally(() => clearTimeout(timer));
  }

  async #wait(bot: Bot, seconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake: Bot['wake'] = null;
    try {
      await new Promise<void>((resolve, reject) => {
        wake = (failure) => (failure ? reject(failure) : resolve());
        bot.wake = wake;
        timer = setTimeout(resolve, seconds * 1_000);
      });
    } finally {
      clearTimeout(timer);
      if (bot.wake === wake) bot.wake = null;
    }
  }

  #tellsGroup(chatId: MessengerId, news: MessengerEvent): void {
    for (const token of this.#groupOf(chatId).bots.keys()) this.tells(token, news);
  }

  #knownUpdates(token: string): Bot {
    const bot = this.#bots.get(token);
    if (!bot) throw new Error('This bot does not exist.');
    return bot;
  }

  #groupOf(chatId: MessengerId): Group {
    const group = this.#groups.get(chatId);
    if (!group) throw new Error(`There is no group ${chatId}.`);
    return group;
  }

  #groupInfo = (chatId: MessengerId): MessengerGroup => ({
    chatId,
    title: this.#groupOf(chatId).title,
  });

  #reachable(token: string, chatId: MessengerId): Group {
    const movedTo = this.#moved.get(chatId);
    if (movedTo !== undefined)
      throw new MessengerError('moved', 'The group has another id.', { movedTo });
    const group = this.#groups.get(chatId);
    if (group?.bots.has(token)) return group;
    throw new MessengerError('forbidden', 'The bot is not in this chat.');
  }
}

const unauthorized = (): MessengerError =>
  new MessengerError('unauthorized', 'The platform does not accept the token.');
const conflict = (message: string): MessengerError => new MessengerError('conflict', message);
const closing = (): UnavailableError =>
  new UnavailableError('messenger', 'The service is closing.');

const bodyOf = (update: MessengerUpdate): string =>
  JSON.stringify(update, (_, value: unknown) =>
    typeof value === 'bigint' ? { int64: String(value) } : value,
  );

function revived(_: string, value: unknown): unknown {
  const { int64 } = (value ?? {}) as { readonly int64?: unknown };
  return typeof int64 === 'string' ? BigInt(int64) : value;
}
