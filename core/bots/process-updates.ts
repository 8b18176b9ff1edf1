import type { Bot } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { MessengerError, type Messenger, type MessengerUpdate } from '../../ports/messenger.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  recordSecurityEvent,
  visitorSource,
  type SecurityEventDeps,
} from '../security-events/index.ts';
import { applyUpdates, type Applied } from './apply.ts';
import type { Acknowledgement } from './owner-link.ts';
import { FIRST_SYNC_MS } from './registry.ts';
import { ownerChatChange } from './security-events.ts';
import { SYNC_TASK, scheduleBy } from './tasks.ts';

export interface ProcessUpdatesDeps extends SecurityEventDeps {
  readonly uow: UnitOfWork<'bots' | 'tasks' | 'securityEvents'>;
  readonly messenger: Messenger;
}

/**
 * Processes updates together with the changes of `also`, in one unit of work. Does nothing if the bot was deleted.
 * Messages that linked a chat are marked as seen afterwards, if a `token` is given.
 */
export async function processUpdates(
  deps: ProcessUpdatesDeps,
  scope: OwnerScope,
  botId: string,
  updates: readonly MessengerUpdate[],
  token: string | undefined,
  also: (bot: Bot, stores: Pick<Stores, 'bots' | 'tasks'>) => Promise<Bot>,
): Promise<Applied | undefined> {
  const applied = await deps.uow.write(scope, async (stores): Promise<Applied | undefined> => {
    const bot = await stores.bots.find(botId);
    if (!bot) return undefined;
    const now = deps.clock.now();
    const done = await applyUpdates(deps, stores.bots, bot, updates, now);
    if (done.metGroups) await scheduleBy(stores.tasks, SYNC_TASK, botId, now + FIRST_SYNC_MS);
    const chatChange = ownerChatChange(bot, done.bot);
    // By a person on the platform, whose network is not known.
    if (chatChange) await recordSecurityEvent(deps, stores, visitorSource(''), chatChange);
    const changed = await also(done.bot, stores);
    if (changed !== bot) await stores.bots.save({ ...changed, updatedAt: now });
    return { ...done, bot: changed };
  });
  if (applied && token !== undefined) await greet(deps, token, applied.greetings);
  return applied;
}

/** Shows the sender that the code was accepted. Its failure is ignored, since nothing depends on it. */
async function greet(
  { messenger }: Pick<ProcessUpdatesDeps, 'messenger'>,
  token: string,
  greetings: readonly Acknowledgement[],
): Promise<void> {
  for (const { chatId, messageId } of greetings)
    try {
      await messenger.acknowledge(token, chatId, messageId);
    } catch (error) {
      if (!(error instanceof MessengerError) && !(error instanceof UnavailableError)) throw error;
    }
}
