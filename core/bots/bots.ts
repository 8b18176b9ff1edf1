import type { Directory } from '../../ports/directory.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { MessengerError, type Messenger } from '../../ports/messenger.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import { ownBot, tokenOf, visibleBot } from './access.ts';
import { botView, type BotView } from './register.ts';
import { botRemoved } from './security-events.ts';

export interface BotDeps extends SecurityEventDeps {
  readonly uow: UnitOfWork<'bots' | 'tasks' | 'securityEvents'>;
  readonly directory: Pick<Directory, 'botById' | 'botsOfTenant'>;
  readonly messenger: Messenger;
  readonly sealer: Sealer;
}

/** The bots of all owners of the tenant, newest first. */
export async function listBots(
  { directory }: Pick<BotDeps, 'directory'>,
  caller: Caller,
  request: PageRequest,
): Promise<Page<BotView>> {
  const { items, total } = await directory.botsOfTenant(caller.scope.tenantId, request);
  return { items: items.map(({ bot, ownerId }) => botView(bot, ownerId, caller)), total };
}

export async function getBot(
  deps: Pick<BotDeps, 'directory'>,
  caller: Caller,
  botId: string,
): Promise<BotView> {
  const { bot, scope } = await visibleBot(deps, caller, botId);
  return botView(bot, scope.ownerId, caller);
}

/**
 * Deletes a bot with its token, its registry and its tasks. Afterwards the webhook is removed, if one is set;
 * otherwise the platform delivers nothing.
 */
export async function removeBot(deps: BotDeps, caller: Caller, botId: string): Promise<void> {
  const { bot, scope } = await ownBot(deps, caller, botId);
  await deps.uow.write(scope, async (stores) => {
    if (!(await stores.bots.remove(botId))) throw notFound();
    await stores.tasks.removeFor(botId);
    await recordSecurityEvent(deps, stores, sourceOf(caller), botRemoved(bot));
  });
  const token = tokenOf(deps, bot);
  if (token === undefined || bot.webhook === null) return;
  try {
    await deps.messenger.deleteWebhook(token);
  } catch (error) {
    if (!(error instanceof MessengerError) && !(error instanceof UnavailableError)) throw error;
  }
}
