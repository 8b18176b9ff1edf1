import type { Bot } from '../../ports/bots.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Sealer, SecretDigest } from '../../ports/secrets.ts';
import { notAuthenticated } from '../identity/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import { tokenOf, type FoundBot } from './access.ts';
import { takeIn, type IntakeDeps } from './intake.ts';

export interface AdmitDeps {
  readonly directory: Pick<Directory, 'botById'>;
  readonly digests: SecretDigest;
}

/** What no secret has for a digest: whoever names an unknown bot waits as long for the refusal. */
const NO_DIGEST = '0'.repeat(64);

/** The platform itself, told by the secret it was given for this bot. Ends with `unauthorized`. */
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

export interface ReceiveDeps extends IntakeDeps {
  readonly sealer: Sealer;
}

/** Takes in what the platform brings: it is stored when this settles, and brought again where it rejects. */
export async function receiveUpdate(
  deps: ReceiveDeps,
  { bot, scope }: FoundBot,
  body: string,
): Promise<void> {
  const update = deps.messenger.read(body);
  if (!update) throw new InvalidInput('body', '', 'this is no update of the platform');
  const unchanged = (found: Bot) => Promise.resolve(found);
  await takeIn(deps, scope, bot.id, [update], tokenOf(deps, bot), unchanged);
}
