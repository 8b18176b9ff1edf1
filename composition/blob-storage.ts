import { createHmac } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FsBlobStore } from '../adapters/blobs-fs/blob-store.ts';
import { sharedProbe } from '../adapters/guards/health-probe.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { S3Error } from '../adapters/s3/errors.ts';
import { bucketAddress, type BucketLocation } from '../adapters/s3/bucket-url.ts';
import type { BlobStore } from '../ports/blobs.ts';
import { UnavailableError } from '../ports/errors.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { Config } from './config.ts';
import { ConfigError } from './env-variables.ts';
import type { Logger } from './log.ts';

const MAX_UPLOAD_MS = 24 * 3_600_000;
const CHECK_MS = 2_000;
/** How long all callers share one result of the bucket's health check. */
const PROBE_LASTING_MS = 10_000;

/** The blob storage of an installation. */
export interface BlobStorage {
  readonly blobs: BlobStore;
  readonly probe: HealthProbe;
  /** Called before this process accepts requests. */
  begin(): Promise<void>;
  /** Aborts uploads begun before the moment that never became a blob. */
  removeAbandoned(before: number): Promise<void>;
  /**
   * Whether the stored bytes belong to the installation with this key and to no other, so that those without a row
   * may be deleted. A folder is locked, or shared on purpose; a bucket may be used by anyone with its URL.
   */
  isClaimedBy(key: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The bucket of BLOB_S3_URL, or by default the data folder, which the processes of a team share. */
export function openBlobStorage(config: Config, log?: Logger): Promise<BlobStorage> {
  return config.blobS3 ? inBucket(config.blobS3, config.dataDir, log) : inFolder(config);
}

async function inFolder({ dataDir, profile }: Config): Promise<BlobStorage> {
  const blobs = await FsBlobStore.open(dataDir);
  const openedAt = Date.now();
  return {
    blobs,
    probe: {
      name: 'storage',
      check: async () => {
        await stat(join(dataDir, 'blobs'));
        return { status: 'ok', detail: 'The folder of the files exists.' };
      },
    },
    begin: () =>
      // Processes that share a folder ignore each other's uploads for the maximum duration of one.
      blobs.removeAbandoned(profile === 'standalone' ? openedAt : openedAt - MAX_UPLOAD_MS),
    removeAbandoned: (before) => blobs.removeAbandoned(before),
    isClaimedBy: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

async function inBucket(
  place: BucketLocation,
  dataDir: string,
  log?: Logger,
): Promise<BlobStorage> {
  const [{ S3BlobStore }, { createSsrfSafeConnector }] = await Promise.all([
    // Loaded here only, since storage in a folder needs no S3 client.
    import('../adapters/s3/blob-store.ts'),
    import('../adapters/outbound/ssrf-guard.ts'),
  ]);
  // The operator's bucket may have any address, but no redirect is followed.
  const rules = { allowed: destinationOfUrl(bucketAddress(place)) };
  const blobs = new S3BlobStore(place, { connector: (ms) => createSsrfSafeConnector(rules, ms) });
  return {
    blobs,
    probe: sharedProbe(
      {
        name: 'storage',
        check: async () => {
          await blobs.check(CHECK_MS);
          return { status: 'ok', detail: 'The bucket answers.' };
        },
      },
      PROBE_LASTING_MS,
    ),
    begin: async () => {
      await requireBucketAccess(blobs.check(CHECK_MS), log);
      if (await holdsFiles(dataDir))
        log?.warn({ dataDir }, 'BLOB_S3_URL is set: files in the data folder are ignored');
    },
    removeAbandoned: (before) => blobs.removeAbandoned(before),
    isClaimedBy: async (key) => {
      const mark = createHmac('sha256', key).update('files').digest('hex').slice(0, 32);
      return (await blobs.claimBucket(mark)) === mark;
    },
    close: () => blobs.close(),
  };
}

/** A wrong name, key or secret is a configuration error; an unreachable server may recover. */
async function requireBucketAccess(check: Promise<void>, log?: Logger): Promise<void> {
  try {
    await check;
  } catch (error) {
    const why = error instanceof UnavailableError ? error.cause : error;
    if (!(why instanceof S3Error)) throw error;
    if (why.kind === 'rejected') throw new ConfigError(`BLOB_S3_URL: ${why.message}.`);
    log?.warn({ err: error }, 'the bucket of BLOB_S3_URL is not responding');
  }
}

const holdsFiles = async (dataDir: string): Promise<boolean> => {
  const names = await readdir(join(dataDir, 'blobs')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  return names.length > 0;
};
