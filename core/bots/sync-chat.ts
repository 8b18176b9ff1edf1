import type { Bot, BotChat } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { MessengerError, type MessengerId } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { DomainError } from '../shared/errors.ts';
import type { TaskHandler } from '../tasks/index.ts';
import { ownBot, toCallerError, tokenOf } from './access.ts';
import { isHere } from './apply.ts';
import { botTokenRejected } from './errors.ts';
import { SYNC_EVERY_MS, syncGroup, type SyncDeps } from './sync.ts';
import { reschedule } from '../tasks/index.ts';
import { pauseAfter, restartTask, retryStateOf, type RetryState } from './tasks.ts';

export interface SyncChatDeps extends SyncDeps {
  readonly directory: Pick<Directory, 'botById'>;
  readonly sealer: Sealer;
}

/**
 * Queries the platform about a group immediately. Only the bot's owner may do this. Returns the group, under its
 * current id.
 */
export async function syncBotChat(
  deps: SyncChatDeps,
  caller: Caller,
  botId: string,
  chatId: MessengerId,
): Promise<BotChat> {
  const { bot, scope } = await ownBot(deps, caller, botId);
  const known = await deps.uow.read(scope, ({ bots }) => bots.chats(botId, [chatId]));
  if (!isHere(known[0])) throw notFound();
  const token = tokenOf(deps, bot);
  if (token === undefined) throw botTokenRejected();
  try {
    return await syncGroup(deps, scope, bot, token, chatId);
  } catch (error) {
    throw error instanceof MessengerError ? toCallerError(error) : error;
  }
}

export interface SyncTaskDeps extends Omit<SyncDeps, 'uow'> {
  readonly uow: UnitOfWork<'bots' | 'tasks'>;
  readonly random: RandomSource;
  readonly sealer: Sealer;
}

const CHATS_IN_A_TURN = 20;
const REFUSED_MS = 3_600_000;
const UNEXPECTED_MS = 60_000;
/** Delay after a group changed during the query. */
const BUSY_MS = 60_000;

/** Syncs the groups of a bot that are due: first ten seconds after they were seen, then daily. */
export const syncDueChats = (deps: SyncTaskDeps): TaskHandler => ({
  run: async (scope, task) => {
    const known = await deps.uow.read(scope, async ({ bots }) => ({
      bot: await bots.find(task.subject),
      chats: await bots.dueChats(task.subject, CHATS_IN_A_TURN),
    }));
    const { bot } = known;
    if (!bot) return deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
    const due = known.chats.filter(({ syncDueAt }) => syncDueAt <= deps.clock.now());
    const token = tokenOf(deps, bot);
    const pause =
      token === undefined
        ? { inMs: REFUSED_MS }
        : await syncAll(deps, scope, bot, token, due, retryStateOf(task));
    await deps.uow.write(scope, async ({ bots, tasks }) => {
      const now = deps.clock.now();
      const [next] = await bots.dueChats(bot.id, 1);
      const dueAt = next?.syncDueAt ?? now + SYNC_EVERY_MS;
      const { inMs = 0, trouble = {} } = pause ?? {};
      await reschedule(tasks, task.id, Math.max(now + inMs, Math.min(dueAt, now + SYNC_EVERY_MS)), {
        ...trouble,
      });
    });
  },
  abandon: (scope, task) =>
    deps.uow.write(scope, async ({ bots, tasks }) => {
      if (await bots.find(task.subject)) await restartTask(deps, tasks, task, UNEXPECTED_MS);
    }),
});

interface Pause {
  readonly inMs: number;
  readonly trouble?: RetryState;
}

/**
 * One after the other. A group that keeps changing waits a minute; one the platform does not disclose waits until
 * tomorrow; other failures pause the rest.
 */
async function syncAll(
  deps: SyncTaskDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  due: readonly BotChat[],
  trouble: RetryState,
): Promise<Pause | undefined> {
  for (const { chatId } of due)
    try {
      await syncGroup(deps, scope, bot, token, chatId);
    } catch (error) {
      const pause = pauseFor(error, trouble);
      if (pause) return pause;
      await putOff(
        deps,
        scope,
        bot,
        chatId,
        error instanceof DomainError ? BUSY_MS : SYNC_EVERY_MS,
      );
    }
  return undefined;
}

/** Pause before the next query of the platform; undefined if only this group is not disclosed. */
function pauseFor(error: unknown, trouble: RetryState): Pause | undefined {
  if (error instanceof MessengerError) {
    if (error.reason === 'unauthorized') return { inMs: REFUSED_MS };
    if (error.reason === 'too_many') return { inMs: (error.retryAfter ?? 1) * 1_000 };
    return undefined;
  }
  if (error instanceof DomainError) return undefined;
  if (!(error instanceof UnavailableError) || error.port !== 'messenger') throw error;
  const failures = trouble.failures ?? 0;
  return { inMs: pauseAfter(failures), trouble: { failures: failures + 1 } };
}

async function putOff(
  { uow, clock }: SyncTaskDeps,
  scope: OwnerScope,
  bot: Bot,
  chatId: MessengerId,
  byMs: number,
): Promise<void> {
  await uow.write(scope, async ({ bots }) => {
    const [card] = await bots.chats(bot.id, [chatId]);
    if (isHere(card)) await bots.saveChats(bot.id, [{ ...card, syncDueAt: clock.now() + byMs }]);
  });
}
