import type { Bot } from '../../ports/bots.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Entropy } from '../../ports/time-and-ids.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

const SECRET_BYTES = 32;

export interface WebhookDeps {
  readonly uow: UnitOfWork<'bots'>;
  readonly digests: SecretDigest;
  readonly entropy: Entropy;
  readonly messenger: Messenger;
  /** Where the service is reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

/** Where updates are to be brought; undefined where the platform can not reach us and has to be asked for them. */
export function wantedAddress(
  { publicUrl }: Pick<WebhookDeps, 'publicUrl'>,
  { id }: Pick<Bot, 'id'>,
): string | undefined {
  const base = publicUrl();
  return base.startsWith('https://') ? `${base}/v1/bots/${id}/webhook` : undefined;
}

/**
 * Has the platform bring updates to the address, with a secret that nobody else has. Its digest is stored before the
 * platform hears of it, and the address once the platform has agreed: whoever dies in between begins anew.
 */
export async function listenAt(
  deps: WebhookDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  address: string,
): Promise<void> {
  const secret = deps.entropy.secret(SECRET_BYTES);
  const digest = deps.digests.digest(secret);
  const put = (before: string | undefined, confirmed: string) =>
    deps.uow.write(scope, async ({ bots }) => {
      const found = await bots.find(bot.id);
      if (!found || (before !== undefined && found.webhook?.digest !== before)) return;
      await bots.save({ ...found, webhook: { address: confirmed, digest } });
    });
  await put(undefined, '');
  await deps.messenger.listen(token, { address, secret });
  // Another one that was agreed on meanwhile may be the one that holds: the next turn of the task sees to it.
  await put(digest, address);
}

/** Has the platform bring updates nowhere. */
export async function stopListening(
  deps: Pick<WebhookDeps, 'uow' | 'messenger'>,
  scope: OwnerScope,
  bot: Bot,
  token: string,
): Promise<void> {
  await deps.messenger.stopListening(token);
  if (bot.webhook === null) return;
  await deps.uow.write(scope, async ({ bots }) => {
    const found = await bots.find(bot.id);
    if (found) await bots.save({ ...found, webhook: null });
  });
}
