import type { Bot } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import type { MessengerRefusal } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden, notFound, unavailable } from '../shared/common-errors.ts';
import { botNotInChat, botRefused, platformRefused } from './errors.ts';

export interface FoundBot {
  readonly bot: Bot;
  /** Of its owner. */
  readonly scope: OwnerScope;
}

interface AccessDeps {
  readonly directory: Pick<Directory, 'botById'>;
}

/** A bot as everybody of its tenant may see it. Ends with `not_found`. */
export async function visibleBot(
  { directory }: AccessDeps,
  caller: Caller,
  botId: string,
): Promise<FoundBot> {
  const found = await directory.botById(botId);
  if (found?.scope.tenantId !== caller.scope.tenantId) throw notFound();
  return found;
}

/** A bot as its owner may change it. Ends with `not_found`, and `forbidden` for others of the tenant. */
export async function ownBot(deps: AccessDeps, caller: Caller, botId: string): Promise<FoundBot> {
  const found = await visibleBot(deps, caller, botId);
  requireOwner(caller, found);
  return found;
}

export function requireOwner(caller: Caller, { scope }: FoundBot): void {
  if (scope.ownerId !== caller.scope.ownerId)
    throw forbidden({}, undefined, 'Only the owner of the bot may do that.');
}

/** The token in plain text; undefined where it was sealed under another key. */
export const tokenOf = ({ sealer }: { readonly sealer: Sealer }, bot: Bot): string | undefined =>
  sealer.open(bot.sealedToken);

/** What a refusal of the platform means for whoever asked for something. */
export function refusalToCaller({ reason, message, retryAfter }: MessengerRefusal): Error {
  switch (reason) {
    case 'unauthorized':
      return botRefused();
    case 'forbidden':
      return botNotInChat();
    case 'too_many':
      return unavailable({}, retryAfter ?? 1);
    case 'conflict':
    case 'moved':
    case 'refused':
      return platformRefused(message);
  }
}
