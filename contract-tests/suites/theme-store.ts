import { expect } from 'chai';
import fc from 'fast-check';
import { foldName, type Theme } from '../../ports/library.ts';
import type { Backend } from '../backends.ts';
import { aTheme, names, newId, newScope, texts, wholes } from '../samples.ts';

const themes = (): fc.Arbitrary<Theme> =>
  fc
    .record({
      name: names(),
      icon: texts(),
      isHidden: fc.boolean(),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((theme) => ({ id: newId(), ...theme }));

/** The order of UTF-8 bytes, computed from the bytes. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
export const byName = (
  a: { readonly name: string; readonly id: string },
  b: { readonly name: string; readonly id: string },
): number => byBytes(foldName(a.name), foldName(b.name)) || byBytes(a.id, b.id);

/** The contract of every ThemeStore. */
export function themeStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`save` inserts or replaces, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(themes(), themes(), async (theme, next) => {
        const [scope, other] = [newScope(), newScope()];
        const replaced = { ...next, id: theme.id };
        const found = await backend.uow.write(scope, async (s) => {
          await s.themes.save(theme);
          const first = await s.themes.find(theme.id);
          await s.themes.save(replaced);
          return [first, await s.themes.find(theme.id), await s.themes.find(newId())];
        });
        expect(found).to.deep.equal([theme, replaced, undefined]);
        expect(await backend.uow.read(other, (s) => s.themes.find(theme.id))).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`page` lists by name, ignoring case, then by id, excludes hidden ones unless requested, and returns the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(themes(), { maxLength: 8 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (saved, includeHidden, limit) => {
          const scope = newScope();
          await backend.uow.write(scope, async (s) => {
            for (const theme of saved) await s.themes.save({ ...theme, isHidden: false });
            for (const theme of saved) await s.themes.save(theme);
          });
          const expected = saved.filter((t) => includeHidden || !t.isHidden).sort(byName);
          await backend.uow.read(scope, async (s) => {
            const listed: Theme[] = [];
            for (let offset = 0; offset <= saved.length; offset += limit) {
              const page = await s.themes.page({ includeHidden }, { limit, offset });
              expect(page.total).to.equal(expected.length);
              listed.push(...page.items);
            }
            expect(listed).to.deep.equal(expected);
          });
        },
      ),
      {
        numRuns: 25,
        examples: [
          [
            [
              aTheme({ name: 'b' }),
              aTheme({ name: 'B' }),
              aTheme({ name: 'A', isHidden: true }),
              aTheme({ name: '\u{10000}' }),
              aTheme({ name: '\uFFFD' }),
            ],
            true,
            2,
          ],
        ],
      },
    ));

  it('a removed theme is neither found nor listed', async () => {
    const scope = newScope();
    const [gone, stored] = [aTheme(), aTheme()];
    await backend.uow.write(scope, async (s) => {
      for (const theme of [gone, stored]) await s.themes.save(theme);
      await s.themes.remove(gone.id);
      await s.themes.remove('missing');
    });
    const [found, page] = await backend.uow.read(scope, async (s) => [
      await s.themes.find(gone.id),
      await s.themes.page({ includeHidden: true }, { limit: 9, offset: 0 }),
    ]);
    expect(found).to.equal(undefined);
    expect(page).to.deep.equal({ items: [stored], total: 1 });
  });
}
