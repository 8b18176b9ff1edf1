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
function plainly(patterns: readonly string[], requested: string, fits: (n: number) => boolean) {
  for (const [n, each] of patterns.entries()) {
    const names = [...each.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const found = new RegExp(`^${each.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(requested);
    if (!found || !fits(n)) continue;
    return {
      value: n,
      params: Object.fromEntries(
        names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]),
      ),
    };
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
        (patterns, requested, mask) => {
          const fits = (n: number) => ((mask >> n) & 1) === 0;
          const find = createRouteTable(
            patterns.map((each, n) => [each, n] as const),
            fits,
          );
          for (const each of requested)
            expect(find(each, '')).to.deep.equal(plainly(patterns, each, fits));
        },
      ),
    );
  });

  it('decodes the values of parameters, and finds nothing for a malformed escape', () => {
    const find = createRouteTable([['/a/:x', 1]] as const, () => true);
    const foundAt = (path: string) => find(path, 'GET');
    expect(foundAt('/a/b')).to.deep.equal({ value: 1, params: { x: 'b' } });
    expect(foundAt('/a/%62%2fc')).to.deep.equal({ value: 1, params: { x: 'b/c' } });
    for (const path of ['/a/%', '/a/%zz', '/a/%ff', '/%61/b'])
      expect(foundAt(path)).to.equal(undefined);
  });

  it('removes a literal suffix of a segment from the value', () => {
    const find = createRouteTable([['/a/:x.ics', 1]] as const, () => true);
    expect(find('/a/b.c.ics', 'GET')).to.deep.equal({ value: 1, params: { x: 'b.c' } });
    for (const path of ['/a/.ics', '/a/b', '/a/b.ics2'])
      expect(find(path, 'GET')).to.equal(undefined);
  });
});
