import { expect } from 'chai';
import fc from 'fast-check';
import { TOKEN_SCOPES, type Token } from '../../ports/identity.ts';
import type { Backend } from '../backends.ts';
import {
  aToken,
  newestFirst,
  newId,
  newPrefix,
  newScope,
  orNull,
  texts,
  wholes,
} from '../samples.ts';

const tokens = (): fc.Arbitrary<Token> =>
  fc
    .record({
      name: texts(),
      digest: texts(),
      access: fc.constantFrom('full', 'read'),
      scopes: orNull(fc.subarray([...TOKEN_SCOPES])),
      folderIds: orNull(fc.array(fc.uuid())),
      lastUsedAt: orNull(wholes()),
      lastUsedNetwork: orNull(texts()),
      createdAt: fc.oneof(wholes(), fc.nat(2)),
      expiresAt: orNull(wholes()),
    })
    .map((token) => ({ id: newId(), prefix: newPrefix(), ...token }));

/** The contract of every TokenStore. */
export function tokenStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('A token that was added is found by its id and listed newest first. A removed one is neither', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(tokens(), { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        async (added, index) => {
          const scope = newScope();
          const gone = added[index % added.length] ?? aToken();
          const stored = added.filter((token) => token !== gone);
          const removed = await backend.uow.write(scope, async (s) => {
            for (const token of added) expect(await s.tokens.add(token)).to.equal(true);
            for (const token of added) expect(await s.tokens.find(token.id)).to.deep.equal(token);
            return [await s.tokens.remove(gone.id), await s.tokens.remove(gone.id)];
          });
          expect(removed).to.deep.equal([true, false]);
          await backend.uow.read(scope, async (s) => {
            expect(await s.tokens.find(gone.id)).to.equal(undefined);
            expect(await s.tokens.page(99, 0)).to.deep.equal({
              items: stored.sort(newestFirst),
              total: stored.length,
            });
          });
        },
      ),
      { numRuns: 15 },
    ));

  it('`add` returns `false` and stores nothing if a token of any owner has the prefix', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const first = aToken();
    const add = (scope: typeof mine, token: Token) =>
      backend.uow.write(scope, (s) => s.tokens.add(token));
    expect(await add(mine, first)).to.equal(true);
    for (const scope of [mine, theirs]) {
      const clash = aToken({ prefix: first.prefix });
      expect(await add(scope, clash)).to.equal(false);
      const [found, page] = await backend.uow.read(scope, async (s) => [
        await s.tokens.find(clash.id),
        await s.tokens.page(9, 0),
      ]);
      expect(found).to.equal(undefined);
      expect(page.total).to.equal(scope === mine ? 1 : 0);
    }
    await backend.uow.write(mine, (s) => s.tokens.remove(first.id));
    expect(await add(theirs, aToken({ prefix: first.prefix }))).to.equal(true);
  });

  it('`page` divides the list without gaps or duplicates and returns the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(tokens(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (added, limit) => {
          const scope = newScope();
          await backend.uow.write(scope, async (s) => {
            for (const token of added) await s.tokens.add(token);
          });
          await backend.uow.read(scope, async (s) => {
            const seen: Token[] = [];
            for (let offset = 0; offset <= added.length; offset += limit) {
              const page = await s.tokens.page(limit, offset);
              expect(page.total).to.equal(added.length);
              seen.push(...page.items);
            }
            expect(seen).to.deep.equal(added.sort(newestFirst));
          });
        },
      ),
      { numRuns: 15 },
    ));

  it('`recordUse` stores the last use of a token, and changes nothing for a missing one', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const [used, foreign] = [aToken(), aToken()];
    await backend.uow.write(mine, (s) => s.tokens.add(used));
    await backend.uow.write(theirs, (s) => s.tokens.add(foreign));
    await backend.uow.write(mine, async (s) => {
      await s.tokens.recordUse(used.id, 2 ** 41, '192.0.2.0/24');
      await s.tokens.recordUse(foreign.id, 7, 'n');
      await s.tokens.recordUse(newId(), 7, 'n');
    });
    const found = await backend.uow.read(mine, (s) => s.tokens.page(9, 0));
    const stored = { ...used, lastUsedAt: 2 ** 41, lastUsedNetwork: '192.0.2.0/24' };
    expect(found).to.deep.equal({ items: [stored], total: 1 });
    expect(await backend.uow.read(theirs, (s) => s.tokens.find(foreign.id))).to.deep.equal(foreign);
  });
}
