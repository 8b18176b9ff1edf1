import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  BotAccount,
  MemberRole,
  MessengerId,
  MessengerPerson,
  WebhookTarget,
} from '../ports/messenger.ts';
import { startLocalServer, type Site } from './local-server.ts';

/** A request as it came over the wire; whole numbers are bigints. */
export interface AskedOfPlatform {
  readonly token: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** How it fails: with a status as the Bot API does, or as things on the way do. */
export type PlatformTrouble =
  | { readonly status: number; readonly description?: string; readonly retryAfter?: number }
  | 'hangs'
  | 'html'
  | 'cut'
  | 'closes'
  | ((response: ServerResponse) => void);

interface Bot {
  readonly account: BotAccount;
  readonly queue: { readonly id: MessengerId; readonly body: string }[];
  lastId: MessengerId;
  /** The update types of its last subscription. */
  allowed: readonly string[];
  webhook: (WebhookTarget & { readonly params: Readonly<Record<string, unknown>> }) | null;
  /** How many requests for updates end because another program polls. */
  rivalPolls: number;
  lastError: { readonly at: number; readonly message: string } | null;
  wake: ((failure?: Fault) => void) | null;
  readonly contacts: Set<MessengerId>;
}

interface Group {
  readonly type: 'group' | 'supergroup';
  title: string;
  readonly description: string;
  readonly members: Map<MessengerId, readonly [MessengerPerson, MemberRole]>;
  readonly others: number;
  readonly bots: Map<string, MemberRole>;
}

/** Default update kinds without `allowed_updates`: all except those that need an explicit request. */
const USUAL = ['message', 'edited_message', 'my_chat_member', 'channel_post', 'callback_query'];

class Fault extends Error {
  readonly code: number;
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  constructor(code: number, description: string, parameters?: Readonly<Record<string, unknown>>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

/**
 * A Bot API on this machine. It follows the documentation for bots in groups. Its events are described with the
 * imagined platform of the unit tests.
 */
export class MessengerService {
  readonly asked: AskedOfPlatform[] = [];
  readonly sent: { readonly token: string; readonly chatId: MessengerId; readonly text: string }[] =
    [];
  readonly acknowledged: {
    readonly token: string;
    readonly chatId: MessengerId;
    readonly messageId: MessengerId;
  }[] = [];
  readonly #bots = new Map<string, Bot>();
  readonly #groups = new Map<MessengerId, Group>();
  readonly #moved = new Map<MessengerId, MessengerId>();
  readonly #hanging: ServerResponse[] = [];
  #trouble: { readonly how: PlatformTrouble; readonly method: string | undefined } | null = null;
  #refusedAddress: string | null = null;
  #messages = 100n;
  #busy = 0;
  #site!: Site;

  static async open(): Promise<MessengerService> {
    const service = new MessengerService();
    service.#site = await startLocalServer((request, response) => {
      service.#busy++;
      response.on('close', () => service.#busy--);
      // A client that disconnects needs no response.
      service.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
    return service;
  }

  get origin(): string {
    return this.#site.origin;
  }

  /** Connections so far. */
  visits(): number {
    return this.#site.visits();
  }

  /** Requests whose connection is still there. */
  busy(): number {
    return this.#busy;
  }

  close(): Promise<void> {
    return this.#site.close();
  }

  // The events of the platform.

  account(token: string, account: Partial<BotAccount> = {}, lastId = 1_000n): BotAccount {
    const accountId = BigInt(/^\d+/.exec(token)?.[0] ?? this.#bots.size + 1);
    const whole = { accountId, username: `bot_${accountId}`, name: 'A bot', ...account };
    this.#bots.set(token, {
      account: whole,
      queue: [],
      lastId,
      allowed: USUAL,
      webhook: null,
      rivalPolls: 0,
      lastError: null,
      wake: null,
      contacts: new Set(),
    });
    return whole;
  }

  revoke(token: string): void {
    this.#bots.get(token)?.wake?.(unauthorized());
    this.#bots.delete(token);
  }

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
      type: chatId < -1_000_000_000_000n ? 'supergroup' : 'group',
      title,
      description: more.description ?? '',
      members: new Map((more.members ?? []).map((each) => [each[0].userId, each])),
      others: more.others ?? 0,
      bots: new Map(),
    });
  }

  placesBot(token: string, chatId: MessengerId, role: MemberRole | null): void {
    const { bots } = this.#groupOf(chatId);
    const before = bots.get(token) ?? null;
    const user = this.#selfOf(token);
    if (role === null) bots.delete(token);
    else bots.set(token, role);
    this.push(token, {
      my_chat_member: {
        ...this.#in(chatId),
        from: userOf(OTHER_PERSON),
        old_chat_member: memberOf(user, before),
        new_chat_member: memberOf(user, role),
      },
    });
    if (role !== null && before === null)
      this.push(token, {
        message: { ...this.#message(chatId, userOf(OTHER_PERSON)), new_chat_members: [user] },
      });
  }

  says(chatId: MessengerId, from: MessengerPerson | null): void {
    this.#tellsGroup(chatId, { ...this.#written(chatId, from), text: 'Good evening.' });
  }

  /** A member edits a message. */
  edits(chatId: MessengerId, from: MessengerPerson): void {
    const message = { ...this.#written(chatId, from), edit_date: now(), text: 'Good morning.' };
    for (const token of this.#groupOf(chatId).bots.keys())
      this.push(token, { edited_message: message });
  }

  renames(chatId: MessengerId, title: string, from: MessengerPerson | null = null): void {
    this.#groupOf(chatId).title = title;
    this.#tellsGroup(chatId, { ...this.#written(chatId, from), new_chat_title: title });
  }

  joins(chatId: MessengerId, ...people: readonly MessengerPerson[]): void {
    const { members } = this.#groupOf(chatId);
    for (const person of people) members.set(person.userId, [person, 'member']);
    const users = people.map(userOf);
    this.#tellsGroup(chatId, { ...this.#message(chatId, users[0]), new_chat_members: users });
  }

  leaves(chatId: MessengerId, person: MessengerPerson): void {
    this.#groupOf(chatId).members.delete(person.userId);
    const user = userOf(person);
    this.#tellsGroup(chatId, { ...this.#message(chatId, user), left_chat_member: user });
  }

  /** A member's role changes, which is reported to bots that are administrators and have subscribed. */
  stands(chatId: MessengerId, person: MessengerPerson, role: MemberRole | null): void {
    const { members, bots } = this.#groupOf(chatId);
    const before = members.get(person.userId)?.[1] ?? null;
    if (role === null) members.delete(person.userId);
    else members.set(person.userId, [person, role]);
    const chat_member = {
      ...this.#in(chatId),
      from: userOf(OTHER_PERSON),
      old_chat_member: memberOf(userOf(person), before),
      new_chat_member: memberOf(userOf(person), role),
    };
    for (const [token, own] of bots)
      if (own === 'administrator' || own === 'creator') this.push(token, { chat_member });
  }

  /** Migrates a group to a supergroup: reported in the old chat, and in the new one. */
  moves(chatId: MessengerId, to: MessengerId): void {
    const group = this.#groupOf(chatId);
    const inOld = this.#message(chatId, userOf(OTHER_PERSON));
    this.#groups.set(to, { ...group, type: 'supergroup' });
    this.#tellsGroup(chatId, { ...inOld, migrate_to_chat_id: to });
    this.#tellsGroup(to, { ...this.#message(to, userOf(ANONYMOUS)), migrate_from_chat_id: chatId });
    this.#groups.delete(chatId);
    this.#moved.set(chatId, to);
  }

  /** A person writes to a bot in private. Returns the id of the message; the chat has the person's id. */
  writes(token: string, from: MessengerPerson, text: string): MessengerId {
    const message_id = ++this.#messages;
    this.#known(token).contacts.add(from.userId);
    const user = userOf(from);
    this.push(token, {
      message: { message_id, date: now(), from: user, chat: privateChat(user), text },
    });
    return message_id;
  }

  blocks(token: string, person: MessengerPerson): void {
    this.#known(token).contacts.delete(person.userId);
    const [user, self] = [userOf(person), this.#selfOf(token)];
    this.push(token, {
      my_chat_member: {
        chat: privateChat(user),
        from: user,
        date: now(),
        old_chat_member: memberOf(self, 'member'),
        new_chat_member: { user: self, status: 'kicked', until_date: 0 },
      },
    });
  }

  /** Any update. Types outside the bot's subscription are not delivered. Returns its id. */
  push(
    token: string,
    fields: Readonly<Record<string, unknown>>,
    updateId?: MessengerId,
  ): MessengerId {
    const bot = this.#known(token);
    bot.lastId = updateId ?? bot.lastId + 1n;
    const [type = ''] = Object.keys(fields);
    const requested = bot.allowed.includes(type) || !KNOWN.has(type);
    if (!requested) return bot.lastId;
    bot.queue.push({ id: bot.lastId, body: exactJson({ update_id: bot.lastId, ...fields }) });
    bot.wake?.();
    return bot.lastId;
  }

  // How it behaves.

  /**
   * From now on every request, or every one of a method, fails like this; null ends it, and releases hanging
   * requests.
   */
  injectFault(how: PlatformTrouble | null, method?: string): void {
    this.#trouble = how === null ? null : { how, method };
    if (how === null) for (const response of this.#hanging.splice(0)) response.destroy();
  }

  /** From now on `setWebhook` is refused with this description; null ends it. */
  refusesWebhooks(description: string | null): void {
    this.#refusedAddress = description;
  }

  /** The latest delivery to the webhook failed with this message, now or seconds ago. */
  failsToDeliver(token: string, message: string, secondsAgo = 0): void {
    this.#known(token).lastError = { at: now() - secondsAgo, message };
  }

  /** Another program polls: so many requests for updates end as a conflict. */
  hasRival(token: string, polls: number): void {
    const bot = this.#known(token);
    bot.rivalPolls = polls;
    if (polls > 0) bot.wake?.(otherPoll());
  }

  /** Another program removes the webhook. */
  losesWebhook(token: string): void {
    this.#known(token).webhook = null;
  }

  /** Ends all long polls. */
  timePasses(): void {
    for (const bot of this.#bots.values()) bot.wake?.();
  }

  /** Whether a client waits for updates of this bot. */
  waits(token: string): boolean {
    return this.#known(token).wake !== null;
  }

  /** The requests with `method`. */
  askedFor(method: string): readonly AskedOfPlatform[] {
    return this.asked.filter((each) => each.method === method);
  }

  /** Updates that were neither confirmed nor brought. */
  pending(token: string): number {
    return this.#known(token).queue.length;
  }

  webhook(token: string): Bot['webhook'] {
    return this.#known(token).webhook;
  }

  /** Removes and returns the pending webhook bodies. */
  bring(token: string): readonly string[] {
    return this.#known(token)
      .queue.splice(0)
      .map(({ body }) => body);
  }

  /**
   * Delivers pending updates to the webhook, one after the other, each up to `tries` times until it is accepted with
   * a 2xx; to `origin`, since the service under test has no https. Returns the status of every attempt; unaccepted
   * updates remain.
   */
  async deliver(
    token: string,
    { origin, tries = 3 }: { readonly origin?: string; readonly tries?: number } = {},
  ): Promise<readonly number[]> {
    const { queue, webhook } = this.#known(token);
    if (!webhook) throw new Error('There is no webhook.');
    const { pathname, search } = new URL(webhook.address);
    const url = origin === undefined ? webhook.address : origin + pathname + search;
    const statuses: number[] = [];
    for (let left = tries; left > 0;) {
      const [update] = queue;
      if (!update) break;
      const { status, ok } = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-telegram-bot-api-secret-token': webhook.secret,
        },
        body: update.body,
      });
      statuses.push(status);
      left = ok ? tries : left - 1;
      if (ok) queue.shift();
    }
    return statuses;
  }

  // The response to a method.

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, token = '', method = ''] = /\/bot([^/]*)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const sent = Buffer.concat(chunks).toString();
    const params = sent === '' ? {} : (exactParse(sent) as AskedOfPlatform['params']);
    this.asked.push({ token: decodeURIComponent(token), method, params, headers: request.headers });
    const { how, method: only = method } = this.#trouble ?? {};
    if (how !== undefined && only === method) {
      if (how === 'hangs') this.#hanging.push(response);
      else breakWith(how, response);
      return;
    }
    try {
      const result = await this.#run(decodeURIComponent(token), method, params, response);
      send(response, 200, `{"ok":true,"result":${result}}`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      sendFault(response, error);
    }
  }

  async #run(
    token: string,
    method: string,
    params: AskedOfPlatform['params'],
    response: ServerResponse,
  ): Promise<string> {
    if (!/^\d+:[\w-]+$/.test(token)) throw new Fault(404, 'Not Found');
    const bot = this.#bots.get(token);
    if (!bot) throw unauthorized();
    const chatId = params['chat_id'] as MessengerId;
    switch (method) {
      case 'getMe':
        return exactJson({ ...this.#selfOf(token), can_join_groups: true });
      case 'getUpdates':
        return `[${(await this.#updates(bot, params, response)).join(',')}]`;
      case 'setWebhook':
        return this.#setWebhook(bot, params);
      case 'deleteWebhook':
        bot.webhook = null;
        if (params['drop_pending_updates'] === true) bot.queue.length = 0;
        return 'true';
      case 'getWebhookInfo': {
        const { webhook, queue, lastError } = bot;
        return exactJson({
          url: webhook?.address ?? '',
          has_custom_certificate: false,
          pending_update_count: queue.length,
          ...(lastError && {
            last_error_date: lastError.at,
            last_error_message: lastError.message,
          }),
        });
      }
      case 'getChat': {
        const { description } = this.#reachable(token, chatId);
        return exactJson({ ...this.#chat(chatId), ...(description !== '' && { description }) });
      }
      case 'getChatAdministrators':
        return exactJson(
          [...this.#reachable(token, chatId).members.values()]
            .filter(([person, role]) => !person.isBot && /^(creator|administrator)$/.test(role))
            .map(([person, role]) => memberOf(userOf(person), role)),
        );
      case 'getChatMemberCount': {
        const { members, bots, others } = this.#reachable(token, chatId);
        return String(members.size + bots.size + others);
      }
      case 'sendMessage': {
        this.#mayWrite(token, chatId);
        const text = typeof params['text'] === 'string' ? params['text'] : '';
        if (text.trim() === '') throw new Fault(400, 'Bad Request: message text is empty');
        if (text.length > 4_096) throw new Fault(400, 'Bad Request: message is too long');
        this.sent.push({ token, chatId, text });
        return exactJson({ ...this.#message(chatId, this.#selfOf(token)), text });
      }
      case 'setMessageReaction': {
        this.#mayWrite(token, chatId);
        const [reaction] = params['reaction'] as {
          readonly type: string;
          readonly emoji: string;
        }[];
        if (reaction?.type !== 'emoji' || !REACTIONS.has(reaction.emoji))
          throw new Fault(400, 'Bad Request: REACTION_INVALID');
        this.acknowledged.push({ token, chatId, messageId: params['message_id'] as MessengerId });
        return 'true';
      }
      default:
        throw new Fault(404, 'Not Found: method not found');
    }
  }

  async #updates(
    bot: Bot,
    params: AskedOfPlatform['params'],
    response: ServerResponse,
  ): Promise<readonly string[]> {
    const { offset = 0n, limit = 100n, timeout = 0n, allowed_updates } = params;
    if (bot.webhook)
      throw new Fault(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    if (bot.rivalPolls > 0) {
      bot.rivalPolls--;
      throw otherPoll();
    }
    bot.wake?.(otherPoll());
    if (allowed_updates !== undefined) bot.allowed = allowedOf(allowed_updates);
    const from = bot.queue.findIndex(({ id }) => id >= (offset as bigint));
    bot.queue.splice(0, from === -1 ? bot.queue.length : from);
    if (bot.queue.length === 0 && (timeout as bigint) > 0n)
      await this.#wait(bot, Number(timeout), response);
    return bot.queue.slice(0, Number(limit)).map(({ body }) => body);
  }

  async #wait(bot: Bot, seconds: number, response: ServerResponse): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake: Bot['wake'] = null;
    try {
      await new Promise<void>((resolve, reject) => {
        wake = (failure) => (failure ? reject(failure) : resolve());
        bot.wake = wake;
        timer = setTimeout(resolve, seconds * 1_000);
        response.on('close', resolve);
      });
    } finally {
      clearTimeout(timer);
      if (bot.wake === wake) bot.wake = null;
    }
  }

  #setWebhook(bot: Bot, params: AskedOfPlatform['params']): string {
    const { url, secret_token = '', allowed_updates } = params;
    const [address, secret] = [String(url), String(secret_token)];
    if (!/^https:\/\/./.test(address))
      throw new Fault(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook');
    if (!/^[\w-]{0,256}$/.test(secret))
      throw new Fault(400, 'Bad Request: secret token contains unallowed characters');
    if (this.#refusedAddress !== null) throw new Fault(400, this.#refusedAddress);
    if (allowed_updates !== undefined) bot.allowed = allowedOf(allowed_updates);
    bot.lastError = null;
    bot.webhook = { address, secret, params };
    bot.wake?.(new Fault(409, 'Conflict: terminated by setWebhook request'));
    return 'true';
  }

  #tellsGroup(chatId: MessengerId, message: object): void {
    for (const token of this.#groupOf(chatId).bots.keys()) this.push(token, { message });
  }

  #chat(chatId: MessengerId) {
    const { type, title } = this.#groupOf(chatId);
    return { id: chatId, type, title };
  }

  #in(chatId: MessengerId) {
    return { chat: this.#chat(chatId), date: now() };
  }

  #message(chatId: MessengerId, from: unknown) {
    const chat = this.#groups.has(chatId) ? this.#chat(chatId) : { id: chatId, type: 'private' };
    return { message_id: ++this.#messages, from, chat, date: now() };
  }

  /** Without an author, it is written in the name of the group. */
  #written(chatId: MessengerId, from: MessengerPerson | null) {
    if (from) return this.#message(chatId, userOf(from));
    return { ...this.#message(chatId, userOf(ANONYMOUS)), sender_chat: this.#chat(chatId) };
  }

  #selfOf(token: string) {
    const { accountId, name, username } = this.#known(token).account;
    return userOf({ userId: accountId, displayName: name, username, isBot: true });
  }

  #known(token: string): Bot {
    const bot = this.#bots.get(token);
    if (!bot) throw new Error('There is no such bot.');
    return bot;
  }

  #groupOf(chatId: MessengerId): Group {
    const group = this.#groups.get(chatId);
    if (!group) throw new Error(`There is no group ${chatId}.`);
    return group;
  }

  #reachable(token: string, chatId: MessengerId): Group {
    const to = this.#moved.get(chatId);
    if (to !== undefined)
      throw new Fault(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: to,
      });
    const group = this.#groups.get(chatId);
    if (!group) throw new Fault(400, 'Bad Request: chat not found');
    if (!group.bots.has(token))
      throw new Fault(403, `Forbidden: bot is not a member of the ${group.type} chat`);
    return group;
  }

  #mayWrite(token: string, chatId: MessengerId): void {
    if (!this.#known(token).contacts.has(chatId)) this.#reachable(token, chatId);
  }
}

export const openMessengerService = (): Promise<MessengerService> => MessengerService.open();

/** Kinds of updates that have to be allowed. Of others nothing is known. */
const KNOWN = new Set([...USUAL, 'chat_member', 'message_reaction', 'poll']);
const REACTIONS = new Set(['👍', '👎', '❤', '🔥', '👏', '🎉', '🙏', '👌', '👀', '🤝', '🫡']);

/** A user that is not in the registry. */
const OTHER_PERSON: MessengerPerson = {
  userId: 41n,
  displayName: 'Some Body',
  username: '',
  isBot: false,
};
const ANONYMOUS: MessengerPerson = {
  userId: 1_087_968_824n,
  displayName: 'Group',
  username: 'GroupAnonymousBot',
  isBot: true,
};

const otherPoll = (): Fault =>
  new Fault(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  );
const unauthorized = (): Fault => new Fault(401, 'Unauthorized');
const now = (): number => Math.floor(Date.now() / 1_000);
const allowedOf = (list: unknown): readonly string[] =>
  (list as readonly string[]).length === 0 ? USUAL : (list as readonly string[]);

function userOf({ userId, displayName, username, isBot }: MessengerPerson) {
  const [, first = '', last = ''] = /^(\S*)\s*(.*)$/s.exec(displayName) ?? [];
  return {
    id: userId,
    is_bot: isBot,
    first_name: first,
    ...(last !== '' && { last_name: last }),
    ...(username !== '' && { username }),
  };
}

const privateChat = ({ id, first_name }: ReturnType<typeof userOf>) => ({
  id,
  type: 'private',
  first_name,
});

const memberOf = (user: object, role: MemberRole | null) => ({
  user,
  status: role ?? 'left',
  ...(role === 'restricted' && { is_member: true }),
  ...((role === 'creator' || role === 'administrator') && { is_anonymous: false }),
});

/** JSON with whole numbers of any size. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(each))
      : each,
  );

/** Reads JSON, every whole number as a bigint. */
export function exactParse(text: string): unknown {
  const whole = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? '')
      : value;
  return JSON.parse(text, whole);
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function sendFault(response: ServerResponse, { code, message, parameters }: Fault): void {
  const reported = { ok: false, error_code: code, description: message };
  send(response, code, exactJson({ ...reported, ...(parameters && { parameters }) }));
}

function breakWith(how: Exclude<PlatformTrouble, 'hangs'>, response: ServerResponse): void {
  if (typeof how === 'function') return how(response);
  if (how === 'closes') return void response.destroy();
  if (how === 'html') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<html>Welcome to the hotel</html>');
    return;
  }
  if (how === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"ok":true,"resu');
    setImmediate(() => response.destroy());
    return;
  }
  const { status, retryAfter, description = 'It does not want to' } = how;
  const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter };
  sendFault(response, new Fault(status, description, parameters));
}
