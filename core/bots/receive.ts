import type { Bot } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Sealer, SecretDigest } from '../../ports/secrets.ts';
import { notAuthenticated } from '../identity/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import { tokenOf, type FoundBot } from './access.ts';
import { processUpdates, type ProcessUpdatesDeps } from './process-updates.ts';

export interface AdmitDeps {
  readonly directory: Pick<Directory, 'botById'>;
  readonly digests: SecretDigest;
}

/** A digest that matches no secret: an unknown bot takes as long to reject as a wrong secret. */
const NO_DIGEST = '0'.repeat(64);

/** Authenticates the platform by the webhook secret of this bot. Ends with `unauthorized`. */
export async function admitPlatform(
  deps: AdmitDeps,
  botId: string,
  secret: string | undefined,
): Promise<FoundBot> {
  const found = await deps.directory.botById(botId);
  const digest = found?.bot.webhook?.digest ?? NO_DIGEST;
  const known = deps.digests.matches(secret ?? '', digest);
  if (!found || !known || secret === undefined) throw notAuthenticated();
  return found;
}

export interface ReceiveDeps extends ProcessUpdatesDeps {
  readonly sealer: Sealer;
}

/**
 * Processes an update delivered by the platform. When it resolves, the update is stored; if it rejects, the platform
 * delivers it again.
 */
export async function receiveUpdate(
  deps: ReceiveDeps,
  { bot, scope }: FoundBot,
  body: string,
): Promise<void> {
  const update = deps.messenger.read(body);
  if (!update) throw new InvalidInput('body', '', 'this is not an update of the platform');
  const unchanged = (found: Bot) => Promise.resolve(found);
  await processUpdates(deps, scope, bot.id, [update], tokenOf(deps, bot), unchanged);
}
