import { expect } from 'chai';
import { sha256ContentDigest } from '../../adapters/node/content-digest.ts';
import { sha256Digest } from '../../adapters/node/system.ts';
import { createBlobReader, checkIntegrity, isDamage } from '../../core/integrity/index.ts';
import { BlobNotFoundError, type BlobStore } from '../../ports/blobs.ts';
import type { Buckets } from '../../ports/buckets.ts';
import { findBrokenChains } from '../../core/integrity/broken-chains.ts';
import { ROW_CHECKS, type OwnedSecurityEvent } from '../../ports/integrity.ts';
import { digestOf } from '../../core/security-events/index.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const AGES_AGO = 0;
const SOON = Date.now() + 3_600_000;

const NOTES = ['blobs_not_settled', 'blobs_out_of_reach', 'copies_without_content'];

describe('an integrity check', () => {
  let backend: Backend;
  let world: CoreFixture;
  beforeEach(async () => {
    const [, open] = backends.find(([name]) => name === 'memory') ?? [];
    if (!open) throw new Error('It needs the memory backend.');
    backend = await open();
    world = await openCoreFixture(backend);
  });
  afterEach(() => backend.close());

  async function found(
    options: {
      settledBefore?: number;
      verify?: boolean;
      blobs?: Pick<BlobStore, 'list' | 'read'>;
    } = {},
  ): Promise<Record<string, readonly [count: number, ...examples: string[]]>> {
    const { settledBefore = SOON, verify = false, blobs = world.blobs } = options;
    const deps = { ...backend, blobs, digest: sha256ContentDigest, digests: sha256Digest };
    const all: Record<string, readonly [number, ...string[]]> = {};
    for await (const finding of checkIntegrity(deps, { settledBefore, verify })) {
      const { name, count, examples } = finding;
      if (count > 0) all[name] = [count, ...examples];
      expect(isDamage(finding)).to.equal(count > 0 && !NOTES.includes(name));
    }
    return all;
  }
  const note = async (content: string) => {
    const { object } = await world.core.objects.addNote(world.caller, { content });
    await world.runPendingTasks();
    return object;
  };
  const replaced = (read: BlobStore['read']) => ({
    list: () => world.blobs.list(),
    read,
  });
  async function* bytes(text: string) {
    yield await Promise.resolve(Buffer.from(text));
  }

  it('reports every check in order, including those without findings', async () => {
    await note('sound');
    const names: string[] = [];
    const deps = {
      ...backend,
      blobs: world.blobs,
      digest: sha256ContentDigest,
      digests: sha256Digest,
    };
    for await (const { name } of checkIntegrity(deps, { settledBefore: SOON, verify: true }))
      names.push(name);
    expect(names).to.deep.equal([
      ...ROW_CHECKS,
      'security_events_changed',
      'security_events_unlinked',
      'security_events_missing',
      'blobs_without_row',
      'blobs_not_settled',
      'copies_without_content',
      'rows_without_blob',
      'blobs_out_of_reach',
      'damaged_blobs',
    ]);
    expect(await found({ verify: true })).to.deep.equal({});
  });

  it("checks the files in an owner's bucket, and reports an unavailable one", async () => {
    await world.core.integrations.connectBucket(world.caller, {
      config: { region: 'eu-west-9', bucket: 'papers', access_key_id: 'AKID' },
      secret: 'open sesame',
    });
    const stored = await note('in the bucket');
    const gone = await note('in the bucket, and lost');
    const { buckets } = world;
    let requested = 0;
    const counting: Pick<Buckets, 'open'> = {
      open: (address) => (requested++, buckets.open(address)),
    };
    const inPlace = () =>
      createBlobReader({
        ...backend,
        storage: world.blobs,
        buckets: counting,
        sealer: world.sealer,
      });
    expect(await found({ verify: true, blobs: inPlace() })).to.deep.equal({});
    const address = {
      endpoint: null,
      region: 'eu-west-9',
      bucket: 'papers',
      prefix: '',
      forcePathStyle: false,
      accessKeyId: 'AKID',
      secretAccessKey: 'open sesame',
    };
    await buckets.at(address).remove(gone.blobId);
    const lost = `contents/${gone.blobId}`;
    expect(await found({ blobs: inPlace() })).to.deep.equal({ rows_without_blob: [1, lost] });
    buckets.setUnavailable();
    const away = await found({ verify: true, blobs: inPlace() });
    expect(Object.keys(away)).to.deep.equal(['blobs_out_of_reach']);
    expect(away['blobs_out_of_reach']?.[0]).to.equal(2);
    requested = 0;
    await found({ blobs: inPlace() });
    expect(requested).to.be.at.most(2);
    buckets.setUnavailable(false);
    for (const { id } of [stored, gone])
      await world.core.objects.deleteObject(world.caller, id, true);
    const copies = await found({ blobs: inPlace() });
    expect(copies['copies_without_content']?.[0]).to.equal(2);
    await world.runPendingTasks();
    expect(await found({ blobs: inPlace() })).to.deep.equal({});
  });

  it('finds bytes without a row after the grace period', async () => {
    const { blobId } = await world.blobs.write('left over', { maxBytes: 99 });
    expect(await found()).to.deep.equal({ blobs_without_row: [1, blobId] });
    expect(await found({ settledBefore: AGES_AGO })).to.deep.equal({
      blobs_not_settled: [1, blobId],
    });
  });

  it('does not report bytes that a task is about to remove', async () => {
    const { object } = await world.core.objects.addNote(world.caller, { content: 'going' });
    await world.core.objects.deleteObject(world.caller, object.id, true);
    expect(await found()).to.deep.equal({ blobs_not_settled: [1, object.blobId] });
    await world.runPendingTasks();
    expect(await found()).to.deep.equal({});
  });

  it('does not report bytes that were removed during the check', async () => {
    const { blobId } = await world.blobs.write('listed', { maxBytes: 99 });
    const blobs = replaced((id) => {
      if (id === blobId) throw new BlobNotFoundError('gone in between');
      return world.blobs.read(id);
    });
    expect(await found({ blobs })).to.deep.equal({});
  });

  it('finds rows whose bytes are missing, but not those deleted together with them', async () => {
    const [lost, erased, empty] = [await note('lost'), await note('erased'), await note('')];
    await world.blobs.remove(lost.blobId);
    const blobs = replaced(async function* (id, range) {
      // Deleted between reading the page of rows and checking its bytes.
      if (id === erased.blobId) {
        await world.core.objects.deleteObject(world.caller, erased.id, true);
        await world.runPendingTasks();
      }
      yield* world.blobs.read(id, range);
    });
    for (const verify of [false, true])
      expect(await found({ blobs, verify })).to.deep.equal({
        rows_without_blob: [1, `contents/${lost.blobId}`],
      });
    expect(empty.size).to.equal(0);
  });

  it('reads every byte only with verify', async () => {
    const [one, two] = [await note('one'), await note('two')];
    for (const [text, what] of [
      ['ONE', 'other bytes'],
      ['one more', 'more bytes'],
      ['', 'none'],
    ] as const) {
      const blobs = replaced((id, range) =>
        id === one.blobId ? bytes(text) : world.blobs.read(id, range),
      );
      expect(await found({ blobs }), what).to.deep.equal({});
      expect(await found({ blobs, verify: true }), what).to.deep.equal({
        damaged_blobs: [1, `contents/${one.blobId}`],
      });
    }
    expect(two.contentHash).not.to.equal(one.contentHash);
  });

  it('reads long chains in steps, while events are added and expire', async () => {
    const { ownerId } = world.caller.scope;
    const [template] = await backend.integrity.securityEvents(null, 1);
    const chain: OwnedSecurityEvent[] = [];
    const append = (count: number) => {
      for (let n = 0; n < count; n++) {
        const previous = chain.at(-1)?.event;
        const { digest: _, ...fields } = template!.event;
        const event = {
          ...fields,
          seq: (previous?.seq ?? 0) + 1,
          previousDigest: previous?.digest ?? '',
        };
        chain.push({ ownerId, event: { ...event, digest: digestOf(sha256Digest, event) } });
      }
    };
    append(1_200);
    const pages: number[] = [];
    const check = (meanwhile: () => void) => {
      const securityEvents: Backend['integrity']['securityEvents'] = (after, limit) => {
        const rest = chain.filter(({ event: { seq } }) => seq > (after?.seq ?? 0));
        const page = rest.slice(0, limit);
        pages.push(page.length);
        if (limit > 1) meanwhile();
        return Promise.resolve(page);
      };
      return findBrokenChains({ integrity: { securityEvents }, digests: sha256Digest });
    };
    const none = { changed: [], unlinked: [], missing: [] };
    expect(await check(() => undefined)).to.deep.equal(none);
    expect(pages).to.deep.equal([500, 500, 200]);
    // The second page begins after a gap, but nothing is left before it.
    let steps = 0;
    const expire = () => {
      steps++;
      append(7);
      if (steps < 2) chain.splice(0, 520);
    };
    expect(await check(expire)).to.deep.equal(none);
    const at = chain.findIndex(({ event: { seq } }) => seq === 1_100);
    chain.splice(at, 1);
    expect(await check(() => append(7))).to.deep.equal({ ...none, missing: [`${ownerId}/1101`] });
  });

  it('processes more rows and bytes than fit in one batch', async () => {
    for (let i = 0; i < 3; i++)
      await world.core.objects.addFiles(
        world.caller,
        await Promise.all(Array.from({ length: 200 }, (_, n) => world.file(`${n}`, `${i}/${n}`))),
        {},
      );
    await world.runPendingTasks();
    const strays: string[] = [];
    for (let i = 0; i < 250; i++)
      strays.push((await world.blobs.write(`stray ${i}`, { maxBytes: 99 })).blobId);
    const all = await backend.integrity.blobReferences(null, 1_000);
    await world.blobs.remove(all[0]?.blobId ?? '');
    await world.blobs.remove(all.at(-1)?.blobId ?? '');
    const { blobs_without_row: stray, rows_without_blob: missing } = await found({ verify: true });
    expect([stray?.[0], stray?.length, missing?.[0]]).to.deep.equal([250, 6, 2]);
  });
});
