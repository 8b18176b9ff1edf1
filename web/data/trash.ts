import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';

const DAY_MS = 86_400_000;

/** How long the service leaves documents in the trash; undefined until it is known. */
const retentionDays = signal<number | undefined>(undefined);

export async function loadRetention(signal: AbortSignal): Promise<void> {
  const trash = await reply(api.GET('/v1/objects/trash', { signal }));
  retentionDays.value = trash.retention_days;
}

/** When a document that is in the trash since `deletedAt` is erased, as far as it is known. */
export const erasureOf = (deletedAt: string): string | undefined =>
  retentionDays.value === undefined
    ? undefined
    : new Date(Date.parse(deletedAt) + retentionDays.value * DAY_MS).toISOString();
