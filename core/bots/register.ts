import type { Bot, BotStore } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import { MessengerError, type BotAccount, type MessengerPlatform } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import { requireStoredCredential } from '../identity/index.ts';
import { recordSecurityEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { unavailable } from '../shared/common-errors.ts';
import { InvalidInput } from '../shared/errors.ts';
import { reschedule, enqueueAll } from '../tasks/index.ts';
import { botExists, tooManyBots } from './errors.ts';
import { newLinkCode } from './owner-link.ts';
import { NEW_RECEPTION } from './reception.ts';
import { botRegistered, botTokenChanged } from './security-events.ts';
import { UPDATES_TASK, startTasks } from './tasks.ts';
import { setWebhook, webhookUrl, type WebhookDeps } from './webhook.ts';

export interface RegisterDeps extends Omit<WebhookDeps, 'uow'> {
  readonly uow: UnitOfWork<
    'bots' | 'tasks' | 'idempotency' | 'securityEvents' | 'sessions' | 'tokens'
  >;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly sealer: Sealer;
}

export interface NewBot {
  readonly platform: MessengerPlatform;
  readonly token: string;
}

/** A bot as shown to a caller. */
export interface BotView {
  readonly bot: Bot;
  /** Null for other owners and for tokens without the scope `connections`: the sender of the code gets the reminders. */
  readonly linkCode: string | null;
}

export const botView = (bot: Bot, ownerId: string, { scope, scopes }: Caller): BotView => ({
  bot,
  linkCode: ownerId === scope.ownerId && scopes.has('connections') ? bot.linkCode : null,
});

const MAX_BOTS = 20;
/** The task waits this long for the registration to set the webhook. */
const HEAD_START_MS = 15_000;

/**
 * Registers the bot of the token. If its owner registers it again, it gets the new token and is otherwise unchanged.
 *
 * Ends with InvalidInput if the platform rejects the token, with `bot_exists`, `too_many_bots`, and `unavailable` if
 * the platform is rate limiting.
 */
export async function registerBot(
  deps: RegisterDeps,
  caller: Caller,
  { platform, token }: NewBot,
): Promise<BotView> {
  const account = await identified(deps, token);
  const now = deps.clock.now();
  const created: Bot = {
    id: deps.random.uuid(),
    platform,
    ...account,
    sealedToken: deps.sealer.seal(token),
    linkCode: newLinkCode(deps),
    ownerChatId: null,
    webhook: null,
    reception: NEW_RECEPTION,
    cursor: null,
    createdAt: now,
    updatedAt: now,
  };
  const address = webhookUrl(deps, created);
  const bot = await deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const known = await ownWith(stores.bots, created);
    const stored = known
      ? await renewed(stores, known, created)
      : await added(deps, stores, created, address);
    if (!known || deps.sealer.open(known.sealedToken) !== token)
      await recordSecurityEvent(
        deps,
        stores,
        sourceOf(caller),
        known ? botTokenChanged(stored) : botRegistered(stored),
      );
    await saveResponse(stores, deps.clock, caller, botView(stored, caller.scope.ownerId, caller));
    return stored;
  });
  const isNew = bot.id === created.id;
  const connected =
    isNew && address !== undefined
      ? await connectWebhook(deps, caller, bot, token, address)
      : undefined;
  if (!connected) await startSoon(deps, caller, bot, now);
  return botView(connected ?? bot, caller.scope.ownerId, caller);
}

async function identified({ messenger }: RegisterDeps, token: string): Promise<BotAccount> {
  try {
    const { accountId, username, name } = await messenger.identify(token);
    return { accountId, username, name };
  } catch (error) {
    if (!(error instanceof MessengerError)) throw error;
    if (error.reason === 'too_many') throw unavailable({}, error.retryAfter ?? 1);
    throw new InvalidInput('body', 'token', 'the platform does not accept this token');
  }
}

const ownWith = async (bots: BotStore, { platform, accountId }: Bot): Promise<Bot | undefined> =>
  (await bots.all()).find((bot) => bot.platform === platform && bot.accountId === accountId);

async function added(
  deps: RegisterDeps,
  { bots, tasks }: Pick<Stores, 'bots' | 'tasks'>,
  bot: Bot,
  address: string | undefined,
): Promise<Bot> {
  if ((await bots.all()).length >= MAX_BOTS) throw tooManyBots();
  if (!(await bots.add(bot))) throw botExists();
  await startTasks(deps, tasks, bot, bot.createdAt + (address === undefined ? 0 : HEAD_START_MS));
  return bot;
}

/** With the new token all operations are retried immediately, regardless of earlier failures. */
async function renewed(
  { bots, tasks }: Pick<Stores, 'bots' | 'tasks'>,
  known: Bot,
  { username, name, sealedToken, reception, updatedAt }: Bot,
): Promise<Bot> {
  const webhook = known.webhook && { ...known.webhook, address: '' };
  const bot = { ...known, username, name, sealedToken, webhook, reception, updatedAt };
  await bots.save(bot);
  for (const task of await tasks.findFor(bot.id, UPDATES_TASK))
    if (task.state !== 'running') await reschedule(tasks, task.id, updatedAt);
  return bot;
}

/** The bot with its webhook; undefined if the platform fails: then the task retries. */
async function connectWebhook(
  deps: RegisterDeps,
  { scope }: Caller,
  bot: Bot,
  token: string,
  address: string,
): Promise<Bot | undefined> {
  try {
    return await setWebhook(deps, scope, bot, token, address);
  } catch (error) {
    if (error instanceof MessengerError || error instanceof UnavailableError) return undefined;
    throw error;
  }
}

async function startSoon(
  { uow, jobs }: RegisterDeps,
  { scope }: Caller,
  { id }: Bot,
  at: Instant,
): Promise<void> {
  const nudges = await uow.write(scope, async ({ tasks }) => {
    const waiting = (await tasks.findFor(id, UPDATES_TASK)).filter((t) => t.state === 'waiting');
    for (const task of waiting) await tasks.save({ ...task, dueAt: Math.min(task.dueAt, at) });
    return waiting.map(({ kind, id: taskId }) => ({ kind, taskId }));
  });
  await enqueueAll(jobs, nudges);
}
