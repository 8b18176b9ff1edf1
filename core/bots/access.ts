import type { Bot } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import type { MessengerError } from '../../ports/messenger.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden, notFound, unavailable } from '../shared/common-errors.ts';
import { botNotInChat, botTokenRejected, platformRejected } from './errors.ts';

export interface FoundBot {
  readonly bot: Bot;
  /** The owner's scope. */
  readonly scope: OwnerScope;
}

interface AccessDeps {
  readonly directory: Pick<Directory, 'botById'>;
}

/** A bot as visible to all owners of its tenant. Ends with `not_found`. */
export async function visibleBot(
  { directory }: AccessDeps,
  caller: Caller,
  botId: string,
): Promise<FoundBot> {
  const found = await directory.botById(botId);
  if (found?.scope.tenantId !== caller.scope.tenantId) throw notFound();
  return found;
}

/** A bot that its owner may change. Ends with `not_found`, and with `forbidden` for other owners of the tenant. */
export async function ownBot(deps: AccessDeps, caller: Caller, botId: string): Promise<FoundBot> {
  const found = await visibleBot(deps, caller, botId);
  requireOwner(caller, found);
  return found;
}

export function requireOwner(caller: Caller, { scope }: FoundBot): void {
  if (scope.ownerId !== caller.scope.ownerId)
    throw forbidden({}, undefined, 'Only the owner of the bot may do that.');
}

/** The token in plain text; undefined if it was sealed with another key. */
export const tokenOf = ({ sealer }: { readonly sealer: Sealer }, bot: Bot): string | undefined =>
  sealer.open(bot.sealedToken);

/** Maps an error of the platform to the error for the caller. */
export function toCallerError({ reason, message, retryAfter }: MessengerError): Error {
  switch (reason) {
    case 'unauthorized':
      return botTokenRejected();
    case 'forbidden':
      return botNotInChat();
    case 'too_many':
      return unavailable({}, retryAfter ?? 1);
    case 'conflict':
    case 'moved':
    case 'refused':
      return platformRejected(message);
  }
}
