import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { openVersion, type ReadableContent } from '../objects/index.ts';
import { findCredential } from '../identity/index.ts';
import { notFound } from '../shared/common-errors.ts';
import type { SelftestFetches } from './selftest-fetches.ts';
import type { FileCapability, UrlCapability, ProbeCapability } from './capability-urls.ts';

type ReadStores = Pick<Stores, 'objects' | 'versions' | 'pinLock' | 'tokens' | 'sessions'>;

export interface ReadForEngineDeps {
  readonly uow: UnitOfWork<keyof ReadStores>;
  readonly blobs: OwnerBlobs;
  readonly clock: Clock;
  readonly digests: SecretDigest;
  readonly selftestFetches: SelftestFetches;
}

/**
 * The bytes of the opened version, for the document server. Access ends with that of the user who opened it: when the
 * credential has ended or the zone is locked. Ends with `not_found` only.
 */
export async function readForEngine(
  deps: ReadForEngineDeps,
  pass: UrlCapability,
): Promise<ReadableContent> {
  if (pass.opens === 'probe') return readProbe(deps, pass);
  if (pass.opens !== 'file') throw notFound();
  const { object, held } = await deps.uow.read(pass.scope, async (stores) => {
    const object = await stores.objects.find(pass.objectId);
    const reachable = object && (await isReachable(deps, stores, object, pass));
    const held = reachable ? await stores.versions.find(object.id, pass.version) : undefined;
    return { object, held };
  });
  if (!object || !held) throw notFound();
  return openVersion(deps, object, held);
}

async function isReachable(
  { clock }: Pick<ReadForEngineDeps, 'clock'>,
  stores: ReadStores,
  { isHidden }: StoredObject,
  { credential, unlockedBy }: FileCapability,
): Promise<boolean> {
  if (!(await findCredential(clock, stores, credential))) return false;
  if (!isHidden || !(await stores.pinLock.get())) return true;
  const unlocked = unlockedBy === null ? undefined : await stores.pinLock.findToken(unlockedBy);
  return unlocked !== undefined && unlocked.expiresAt > clock.now();
}

const PROBE = 'This text is asked for by the selftest of the office editor.\n';

/** The selftest text, which belongs to no owner. Only the fact that it is fetched matters. */
function readProbe(
  {
    selftestFetches,
    clock,
    digests,
  }: Pick<ReadForEngineDeps, 'selftestFetches' | 'clock' | 'digests'>,
  { nonce }: ProbeCapability,
): ReadableContent {
  const bytes = Uint8Array.from(PROBE, (letter) => letter.charCodeAt(0));
  selftestFetches.note(nonce);
  return {
    filename: 'selftest.txt',
    mime: 'text/plain',
    size: bytes.length,
    sha256: digests.digest(PROBE),
    modifiedAt: clock.now(),
    isHidden: false,
    async *open(range = { first: 0, last: bytes.length - 1 }) {
      yield bytes.subarray(range.first, range.last + 1);
    },
  };
}
