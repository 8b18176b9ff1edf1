import { expect } from 'chai';
import fc from 'fast-check';
import { createRouteTable } from '../../adapters/http/server/route-table.ts';

/** Few names, so that patterns and paths meet. */
const segment = fc.constantFrom('a', 'b', ':x', ':y');
const pattern = fc
  .uniqueArray(segment, { minLength: 1, maxLength: 3 })
  .map((s) => `/${s.join('/')}`);
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', '', 'd%20'), { minLength: 1, maxLength: 4 })
  .map((s) => `/${s.join('/')}`);

/** The first that fits, looked for one after the other. */
function plainly(patterns: readonly string[], asked: string, fits: (n: number) => boolean) {
  for (const [n, each] of patterns.entries()) {
    const names = [...each.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const found = new RegExp(`^${each.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(asked);
    if (!found || !fits(n)) continue;
    return { value: n, params: Object.fromEntries(names.map((name, i) => [name, found[i + 1]])) };
  }
  return undefined;
}

describe('the table of paths', () => {
  it('finds the first pattern that fits, with the values of its parameters', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(pattern, { maxLength: 8 }),
        fc.array(path, { minLength: 1, maxLength: 20 }),
        fc.nat(),
        (patterns, asked, mask) => {
          const fits = (n: number) => ((mask >> n) & 1) === 0;
          const find = createRouteTable(patterns.map((each, n) => [each, n] as const));
          for (const each of asked.filter((one) => !one.includes('%')))
            expect(find(each, fits)).to.deep.equal(plainly(patterns, each, fits));
        },
      ),
    );
  });

  it('leaves a path with an escape or a fragment to whoever takes it apart', () => {
    const find = createRouteTable([['/a/:x', 1]] as const);
    expect(find('/a/b', () => true)).to.deep.equal({ value: 1, params: { x: 'b' } });
    for (const path of ['/a/%62', '/a/b#c']) expect(find(path, () => true)).to.equal(undefined);
  });
});
