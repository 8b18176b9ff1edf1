import { expect } from 'chai';
import fc from 'fast-check';
import type { Content } from '../../ports/contents.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aVersion, anObject, newId, newScope, wholes } from '../samples.ts';

const hash = (letter: string): string => letter.repeat(64);
const offer = (over: Partial<Content> = {}): Content => ({
  sha256: hash('a'),
  size: 10,
  blobId: newId(),
  ...over,
});

/** The contract of every ContentStore. */
export function contentStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('The first `retain` of a hash stores the given blob. A later one returns the blob stored already', async () => {
    const scope = newScope();
    const [first, second, other] = [offer(), offer(), offer({ sha256: hash('b') })];
    const answers = await backend.uow.write(scope, async ({ contents }) => [
      await contents.retain(first),
      await contents.retain(second),
      await contents.retain(other),
    ]);
    expect(answers).to.deep.equal([first, first, other]);
    expect(await backend.uow.write(scope, (s) => s.contents.retain(offer()))).to.deep.equal(first);
  });

  it('stores the same hash separately for each owner', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const [first, second] = [offer(), offer({ size: 3 })];
    await backend.uow.write(mine, (s) => s.contents.retain(first));
    const answer = await backend.uow.write(theirs, (s) => s.contents.retain(second));
    expect(answer).to.deep.equal(second);
    const released = await backend.uow.write(theirs, (s) => s.contents.release(hash('a')));
    expect(released).to.equal(second.blobId);
    expect(await backend.uow.read(mine, (s) => s.contents.usedBytes())).to.equal(10);
  });

  it('`release` returns the blob when the last reference is removed, and nothing before. If the hash is retained again, the new blob is stored', async () => {
    const scope = newScope();
    const [first, anew] = [offer(), offer()];
    const answers = await backend.uow.write(scope, async ({ contents }) => {
      await contents.retain(first);
      await contents.retain(offer());
      return [
        await contents.release(first.sha256),
        await contents.release(first.sha256),
        await contents.release(first.sha256),
        await contents.release(hash('f')),
        await contents.retain(anew),
      ];
    });
    expect(answers).to.deep.equal([undefined, first.blobId, undefined, undefined, anew]);
  });

  it('`find` returns the content with a hash, or nothing', async () => {
    const scope = newScope();
    const first = offer();
    await backend.uow.write(scope, async ({ contents }) => {
      await contents.retain(first);
      await contents.retain(offer());
    });
    const find = (of: OwnerScope, sha256: string) =>
      backend.uow.read(of, ({ contents }) => contents.find(sha256));
    expect(await find(scope, hash('a'))).to.deep.equal(first);
    expect(await find(scope, hash('b'))).to.equal(undefined);
    expect(await find(newScope(), hash('a'))).to.equal(undefined);
  });

  it('`retained` returns which of the hashes are stored', async () => {
    const [scope, many] = [newScope(), [...'0123456789abcdef'].map(hash)];
    await backend.uow.write(scope, async ({ contents }) => {
      for (const sha256 of many) await contents.retain(offer({ sha256, blobId: newId() }));
      await contents.release(hash('3'));
    });
    const requested = [...many, hash('x'), hash('3')];
    const [held, none, foreign] = [
      await backend.uow.read(scope, (s) => s.contents.retained(requested)),
      await backend.uow.read(scope, (s) => s.contents.retained([])),
      await backend.uow.read(newScope(), (s) => s.contents.retained(requested)),
    ];
    expect(held).to.deep.equal(new Set(many.filter((each) => each !== hash('3'))));
    expect([none, foreign]).to.deep.equal([new Set(), new Set()]);
  });

  it('`usedBytes` is the sum of the stored sizes, each hash counted once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ letter: fc.constantFrom('a', 'b', 'c'), keep: fc.boolean() }), {
          maxLength: 15,
        }),
        fc.record({ a: small(), b: small(), c: small() }),
        async (steps, sizes) => {
          const scope = newScope();
          const references = { a: 0, b: 0, c: 0 };
          await backend.uow.write(scope, async ({ contents }) => {
            for (const { letter, keep } of steps as { letter: 'a' | 'b' | 'c'; keep: boolean }[]) {
              if (keep) await contents.retain(offer({ sha256: hash(letter), size: sizes[letter] }));
              else await contents.release(hash(letter));
              references[letter] = Math.max(0, references[letter] + (keep ? 1 : -1));
            }
          });
          const expected = (['a', 'b', 'c'] as const)
            .filter((letter) => references[letter] > 0)
            .reduce((sum, letter) => sum + sizes[letter], 0);
          expect(await backend.uow.read(scope, (s) => s.contents.usedBytes())).to.equal(expected);
        },
      ),
      { numRuns: 25 },
    ));

  it('Both include corrected texts, by their length in UTF-8', async () => {
    const scope = newScope();
    const [shown, hidden] = [newId(), newId()];
    const correct = (s: Stores, objectId: string, text: string) =>
      s.texts.putCorrection({ objectId, text, language: '', savedAt: 0 });
    const used = async (s: Pick<Stores, 'contents'>) => [
      await s.contents.usedBytes(),
      await s.contents.hiddenBytes(),
    ];
    const seen = await backend.uow.write(scope, async (s) => {
      await s.contents.retain(offer());
      await s.objects.save(anObject({ id: shown }));
      await s.objects.save(anObject({ id: hidden, isHidden: true }));
      await correct(s, shown, 'first, and longer');
      await correct(s, shown, 'aä€😀');
      await correct(s, hidden, 'abc');
      const both = await used(s);
      await s.texts.removeCorrection(shown);
      const one = await used(s);
      await s.texts.remove(hidden);
      return [both, one, await used(s)];
    });
    expect(seen).to.deep.equal([
      [23, 3],
      [13, 3],
      [10, 0],
    ]);
    expect(await backend.uow.read(newScope(), (s) => s.contents.usedBytes())).to.equal(0);
  });

  it('`hiddenBytes` is the part of it that only versions and previews of hidden objects refer to, in the trash or not', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            isHidden: fc.boolean(),
            trashed: fc.boolean(),
            picture: fc.constantFrom(null, 'a', 'd', 'e'),
            letters: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
          }),
          { maxLength: 6 },
        ),
        async (created) => {
          const scope = newScope();
          const sizes: Readonly<Record<string, number>> = {
            a: 1,
            b: 10,
            c: 100,
            d: 1_000,
            e: 10_000,
          };
          const read = await backend.uow.write(scope, async (s) => {
            for (const { isHidden, trashed, letters, picture } of created) {
              const id = newId();
              await s.objects.save(anObject({ id, isHidden, deletedAt: trashed ? 1 : null }));
              if (picture !== null) {
                const content = offer({ sha256: hash(picture), size: sizes[picture] ?? 0 });
                const image = { ...(await s.contents.retain(content)), mime: 'image/png' };
                const reported = { finalUrl: '', title: '', siteName: '', description: '' };
                await s.links.put({ objectId: id, ...reported, image, fetchedAt: 0 });
              }
              for (const [at, letter] of letters.entries()) {
                const content = offer({ sha256: hash(letter), size: sizes[letter] ?? 0 });
                const { blobId } = await s.contents.retain(content);
                const { sha256, size } = content;
                await s.versions.add(
                  aVersion({ objectId: id, version: at + 1, sha256, size, blobId }),
                );
              }
            }
            return s.contents.hiddenBytes();
          });
          const storedBy = (isHidden: boolean) =>
            new Set(
              created.flatMap((it) =>
                it.isHidden === isHidden
                  ? [...it.letters, ...(it.picture ? [it.picture] : [])]
                  : [],
              ),
            );
          const visible = storedBy(false);
          const expected = [...storedBy(true)]
            .filter((letter) => !visible.has(letter))
            .reduce((sum, letter) => sum + (sizes[letter] ?? 0), 0);
          expect(read).to.equal(expected);
        },
      ),
      { numRuns: 20 },
    ));
}

/** A third of the largest, so that a sum of three is exact. */
const small = () => wholes().map((size) => Math.floor(size / 3));
