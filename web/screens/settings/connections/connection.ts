import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { noteChange } from '../../../data/live.ts';
import { hostOf } from '../../../data/own-network.ts';

export type Card = components['schemas']['Integration'];
export type Migration = components['schemas']['StorageMigration'];
export type Direction = Migration['direction'];
export type Kind = Card['kind'];

export interface ModelConfig {
  readonly base_url: string;
  readonly model: string;
  readonly embedding_model?: string;
  readonly temperature?: number;
  readonly context_tokens?: number;
}

export interface BucketConfig {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix?: string;
  readonly force_path_style?: boolean;
  readonly access_key_id: string;
}

/** What is connected. A card that is not configured has no settings. */
export interface Connections {
  readonly model: Card & { readonly of: ModelConfig | undefined };
  readonly bucket: Card & {
    readonly of: BucketConfig | undefined;
    readonly progress: Migration | undefined;
  };
}

const configOf = <Config>({ configured, config }: Card): Config | undefined =>
  configured ? (config as unknown as Config) : undefined;

export async function readConnections(signal: AbortSignal): Promise<Connections> {
  const { items } = await reply(api.GET('/v1/integrations', { signal }));
  const model = items.find(({ kind }) => kind === 'llm');
  const bucket = items.find(({ kind }) => kind === 's3');
  if (!model || !bucket) throw new Error('A connection is missing in the list.');
  return {
    model: { ...model, of: configOf(model) },
    bucket: {
      ...bucket,
      of: configOf(bucket),
      progress: 'status' in bucket.migration ? (bucket.migration as Migration) : undefined,
    },
  };
}

/** Runs a change, and has what shows connections loaded again, even if the change was refused. */
async function changing<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    noteChange('integrations');
  }
}

const pathOf = (kind: Kind) => ({ path: { kind } });

/** Without a secret the stored one stays, as long as the address allows it. */
export const connectModel = (config: ModelConfig, secret: string): Promise<Card> => {
  const body = { config, ...(secret !== '' && { secret }) };
  return changing(reply(api.PUT('/v1/integrations/llm', { body })));
};

export const connectBucket = (config: BucketConfig, secret: string): Promise<Card> => {
  const body = { config, ...(secret !== '' && { secret }) };
  return changing(reply(api.PUT('/v1/integrations/s3', { body })));
};

export const check = (kind: Kind): Promise<Card> =>
  changing(reply(api.POST('/v1/integrations/{kind}/check', { params: pathOf(kind) })));

export const toggle = (kind: Kind, enabled: boolean): Promise<Card> =>
  changing(
    reply(api.PATCH('/v1/integrations/{kind}', { params: pathOf(kind), body: { enabled } })),
  );

export const forget = (kind: Kind): Promise<unknown> =>
  changing(reply(api.DELETE('/v1/integrations/{kind}', { params: pathOf(kind) })));

export const startMigration = (direction: Direction): Promise<Migration> => {
  const params = { header: { 'Idempotency-Key': crypto.randomUUID() } };
  const body = { direction };
  return changing(reply(api.POST('/v1/integrations/s3/migration', { params, body })));
};

export const cancelMigration = (): Promise<unknown> =>
  changing(reply(api.DELETE('/v1/integrations/s3/migration')));

/** Where a bucket is: its server, or that of Amazon. */
export const bucketHost = ({ endpoint }: BucketConfig): string =>
  endpoint === undefined ? 'Amazon S3' : hostOf(endpoint);

/** How many files are in the bucket. `moved` counts at the target of the latest run. */
export const inBucket = ({ direction, moved, remaining }: Migration): number =>
  direction === 'out' ? moved : remaining;
