import type { Bot } from '../../ports/bots.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

const SECRET_BYTES = 32;

export interface WebhookDeps {
  readonly uow: UnitOfWork<'bots'>;
  readonly digests: SecretDigest;
  readonly random: RandomSource;
  readonly messenger: Messenger;
  /** Where the service is reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

/** The webhook URL; undefined if the platform cannot reach this service, so that updates are polled. */
export function webhookUrl(
  { publicUrl }: Pick<WebhookDeps, 'publicUrl'>,
  { id }: Pick<Bot, 'id'>,
): string | undefined {
  const base = publicUrl();
  return base.startsWith('https://') ? `${base}/v1/bots/${id}/webhook` : undefined;
}

/**
 * Sets the webhook with a new secret. The digest of the secret is stored before the platform gets it, and the URL
 * after the platform has accepted it: after a crash in between, the registration starts again.
 * Returns the bot; undefined if it was deleted or has another webhook meanwhile.
 */
export async function setWebhook(
  deps: WebhookDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  address: string,
): Promise<Bot | undefined> {
  const secret = deps.random.secret(SECRET_BYTES);
  const digest = deps.digests.digest(secret);
  const put = (before: string | undefined, confirmed: string) =>
    deps.uow.write(scope, async ({ bots }) => {
      const found = await bots.find(bot.id);
      if (!found || (before !== undefined && found.webhook?.digest !== before)) return undefined;
      const saved: Bot = {
        ...found,
        webhook: { address: confirmed, digest },
        ...(confirmed !== '' && {
          reception: { ...found.reception, state: 'webhook', reason: '' },
        }),
      };
      await bots.save(saved);
      return saved;
    });
  await put(undefined, '');
  await deps.messenger.setWebhook(token, { address, secret });
  // A concurrent registration may have set another webhook: the next run of the task resolves this.
  return put(digest, address);
}

/** Deletes the webhook. */
export async function deleteWebhook(
  deps: Pick<WebhookDeps, 'uow' | 'messenger'>,
  scope: OwnerScope,
  bot: Bot,
  token: string,
): Promise<void> {
  await deps.messenger.deleteWebhook(token);
  if (bot.webhook === null) return;
  await deps.uow.write(scope, async ({ bots }) => {
    const found = await bots.find(bot.id);
    if (found) await bots.save({ ...found, webhook: null });
  });
}
