import {
  MessengerError,
  type BotAccount,
  type GroupInfo,
  type Messenger,
  type MessengerId,
  type MessengerUpdate,
  type WebhookReport,
  type WebhookTarget,
} from '../../../ports/messenger.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import { RequestTimeout } from '../request-timeout.ts';
import type { BotApi } from './bot-api.ts';
import { closing, failureOf, tooSlow, unauthorized, unreadable } from './failures.ts';
import { at, truncate, idAt, nameOf, personAt, textAt } from './fields.ts';
import { readJson } from './json.ts';
import { instantAt, READ_UPDATES, roleOf, parseUpdate } from './update-parser.ts';
import { failedDeliveryReason } from './webhook-reasons.ts';

const DEADLINE_MS = 10_000;
const MAX_UPDATES = 100;
/** Maximum response size: a hundred of the longest messages, each a reply to another. */
const UPDATES_BYTES = 8 * 2 ** 20;
const ANSWER_BYTES = 2 ** 20;
const MAX_MESSAGE_LENGTH = 4_096;
const MAX_DESCRIPTION_LENGTH = 1_024;
const MAX_ADDRESS_LENGTH = 4_096;
const MAX_ADMINISTRATORS = 500;
/** Maximum number of concurrent webhook connections of the platform. */
const MAX_CONNECTIONS = 10;
/** Characters of a token. Others must not be inserted into a path. */
const TOKEN = /^[\w:-]{1,256}$/;

/** Calls a method that may be repeated. */
type Ask = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Bots of Telegram, through its Bot API at an address set by the operator. */
export class TelegramMessenger implements Messenger {
  readonly #baseUrl: string;
  readonly #rules: OutboundPolicy;
  readonly #deadlineMs: number;
  readonly #running = new Set<RequestTimeout>();
  readonly #waiting = new Set<RequestTimeout>();
  #api: Promise<BotApi> | undefined;
  #waits = true;
  #closed = false;

  constructor(baseUrl: string, rules: OutboundPolicy, deadlineMs = DEADLINE_MS) {
    this.#baseUrl = baseUrl;
    this.#rules = rules;
    this.#deadlineMs = deadlineMs;
  }

  identify(token: string): Promise<BotAccount> {
    return this.#asking(token, async (ask) => {
      const me = await ask('getMe');
      const accountId = idAt(me, 'id');
      if (accountId === undefined) throw unreadable();
      return { accountId, username: textAt(me, 'username'), name: nameOf(me) };
    });
  }

  async updates(
    token: string,
    { after, waitSeconds }: { readonly after: MessengerId | null; readonly waitSeconds: number },
  ): Promise<readonly MessengerUpdate[]> {
    if (!this.#waits) throw closing();
    const params = {
      ...(after !== null && { offset: after + 1n }),
      limit: MAX_UPDATES,
      timeout: waitSeconds,
      allowed_updates: READ_UPDATES,
    };
    const call = { token, method: 'getUpdates', params, maxBytes: UPDATES_BYTES };
    const deadline = this.#deadlineMs + waitSeconds * 1_000;
    return this.#within(token, deadline, this.#waiting, async (api, watch) => {
      const result = await api.poll(call, watch);
      if (!Array.isArray(result)) throw unreadable();
      return result.slice(0, MAX_UPDATES).map((raw: unknown) => {
        const update = parseUpdate(raw);
        if (!update) throw unreadable();
        return update;
      });
    });
  }

  async setWebhook(token: string, { address, secret }: WebhookTarget): Promise<void> {
    await this.#asking(token, (ask) =>
      ask('setWebhook', {
        url: address,
        secret_token: secret,
        allowed_updates: READ_UPDATES,
        max_connections: MAX_CONNECTIONS,
        drop_pending_updates: false,
      }),
    );
  }

  async deleteWebhook(token: string): Promise<void> {
    await this.#asking(token, (ask) => ask('deleteWebhook', { drop_pending_updates: false }));
  }

  webhookReport(token: string): Promise<WebhookReport> {
    return this.#asking(token, async (ask) => reportFrom(await ask('getWebhookInfo')));
  }

  read(body: string): MessengerUpdate | undefined {
    let raw: unknown;
    try {
      raw = readJson(body);
    } catch {
      return undefined;
    }
    return parseUpdate(raw);
  }

  fetchGroup(token: string, chatId: MessengerId): Promise<GroupInfo> {
    return this.#asking(token, async (ask) => {
      const [administrators, chat, memberCount] = await answered(
        // Sequentially: for a migrated group the methods fail differently.
        ['getChatAdministrators', 'getChat', 'getChatMemberCount'],
        (method) => ask(method, { chat_id: chatId }),
      );
      return {
        title: textAt(chat, 'title'),
        description: descriptionOf(chat),
        memberCount: countOf(memberCount),
        administrators: administratorsOf(administrators),
      };
    });
  }

  async send(token: string, chatId: MessengerId, text: string): Promise<void> {
    const params = { chat_id: chatId, text: inOneMessage(text) };
    const call = { token, method: 'sendMessage', params, maxBytes: ANSWER_BYTES };
    await this.#within(token, this.#deadlineMs, this.#running, (api, watch) =>
      api.once(call, watch),
    );
  }

  async acknowledge(token: string, chatId: MessengerId, messageId: MessengerId): Promise<void> {
    const reaction = [{ type: 'emoji', emoji: '👌' }];
    await this.#asking(token, (ask) =>
      ask('setMessageReaction', { chat_id: chatId, message_id: messageId, reaction }),
    );
  }

  stopWaiting(): void {
    this.#waits = false;
    for (const watch of this.#waiting) watch.end(closing());
  }

  close(): Promise<void> {
    this.#closed = true;
    this.stopWaiting();
    for (const watch of this.#running) watch.end(closing());
    void this.#api?.then((api) => api.destroy()).catch(() => undefined);
    return Promise.resolve();
  }

  /** Runs all requests of `work` within one deadline. */
  #asking<T>(token: string, work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.#within(token, this.#deadlineMs, this.#running, (api, watch) =>
      work((method, params = {}) =>
        api.ask({ token, method, params, maxBytes: ANSWER_BYTES }, watch),
      ),
    );
  }

  async #within<T>(
    token: string,
    ms: number,
    among: Set<RequestTimeout>,
    work: (api: BotApi, watch: RequestTimeout) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw closing();
    if (!TOKEN.test(token)) throw unauthorized();
    const watch = new RequestTimeout({ idleMs: ms, totalMs: ms }, tooSlow);
    among.add(watch);
    watch.begin();
    try {
      return await work(await watch.within(this.#loaded()), watch);
    } catch (error) {
      throw failureOf(error);
    } finally {
      watch.end(new Error('The deadline has passed.'));
      among.delete(watch);
    }
  }

  /** Loading the HTTP client takes a third of a second and 28 MB, so it is deferred to the first request. */
  #loaded(): Promise<BotApi> {
    this.#api ??= import('./bot-api.ts').then(
      ({ BotApi }) => new BotApi(this.#baseUrl, this.#rules, this.#deadlineMs),
    );
    return this.#api;
  }
}

/** The result of each; undefined for a failed one, if at least one succeeded. */
async function answered(
  methods: readonly string[],
  ask: (method: string) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const refusals: MessengerError[] = [];
  for (const method of methods)
    try {
      answers.push(await ask(method));
    } catch (error) {
      // If another method succeeded, the token is valid, and `Not Found` means the method.
      const may = error instanceof MessengerError && /^(refused|unauthorized)$/.test(error.reason);
      if (!may) throw error;
      refusals.push(error);
      answers.push(undefined);
    }
  const [first] = refusals;
  if (first && refusals.length === methods.length) throw first;
  return answers;
}

function reportFrom(info: unknown): WebhookReport {
  if (typeof info !== 'object' || info === null) throw unreadable();
  const pending = countOf(at(info, 'pending_update_count')) ?? 0;
  const failedAt = instantAt(info, 'last_error_date');
  return {
    address: textAt(info, 'url', MAX_ADDRESS_LENGTH),
    pending,
    lastFailure:
      failedAt === null
        ? null
        : { at: failedAt, reason: failedDeliveryReason(textAt(info, 'last_error_message')) },
  };
}

function descriptionOf(chat: unknown): string | null {
  if (chat === undefined) return null;
  if (typeof chat !== 'object' || chat === null) throw unreadable();
  return textAt(chat, 'description', MAX_DESCRIPTION_LENGTH);
}

function countOf(value: unknown): number | null {
  if (value === undefined) return null;
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unreadable();
  return value as number;
}

function administratorsOf(list: unknown): GroupInfo['administrators'] {
  if (list === undefined) return null;
  if (!Array.isArray(list)) throw unreadable();
  return list.slice(0, MAX_ADMINISTRATORS).flatMap((member: unknown) => {
    const [role, person] = [roleOf(member), personAt(member, 'user')];
    return person && (role === 'creator' || role === 'administrator') ? [{ person, role }] : [];
  });
}

/** Truncated to the maximum length of a message. */
const inOneMessage = (text: string): string =>
  text.length <= MAX_MESSAGE_LENGTH
    ? text.toWellFormed()
    : `${truncate(text, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
