import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { publishedFigures } from '../../bench/publish.ts';
import {
  fullTables,
  labelsOf,
  shortTables,
  withTables,
  withoutTables,
  type PublishedFigures,
} from '../../scripts/performance-tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const figures = JSON.parse(read('docs/performance.json')) as PublishedFigures;

const DOCUMENTS = [
  { path: 'README.md', tables: shortTables },
  { path: 'docs/performance.md', tables: fullTables },
] as const;

/** The first cells of all rows of the Markdown tables in a text. */
const firstCells = (text: string): readonly string[] =>
  [...text.matchAll(/^\|([^|\n]*)\|/gm)].map(([, cell = '']) => cell.trim());

/** Cells with a figure of speed or memory: a number with a unit, or a ratio. */
const FIGURE = /\d\s?(ms|µs|MB|×)|×\s?\d/;

describe('the performance figures in the documents', () => {
  for (const { path, tables } of DOCUMENTS)
    describe(path, () => {
      it('has the tables generated from docs/performance.json', () => {
        const document = read(path);
        expect(document).to.equal(withTables(document, tables(figures)));
      });

      it('has no other table with a row of the same name', () => {
        const labels = labelsOf(figures);
        const repeated = firstCells(withoutTables(read(path))).filter((it) => labels.includes(it));
        expect(repeated).to.deep.equal([]);
      });
    });

  it('are in the README between the markers only', () => {
    const rows = withoutTables(read('README.md')).match(/^\|.*\|$/gm) ?? [];
    expect(rows.filter((row) => FIGURE.test(row))).to.deep.equal([]);
  });

  it('are published from the result of a bench run', () => {
    const measured = { server: 'x', perSecond: 1, p50: 1, p99: 1, cpuMicros: 64.4, residentMB: 90 };
    const ratios = { ratio: 1.23, bareRatio: 1.6, guardedRatio: 1.23, atMost: 1.33, growth: 0.98 };
    const compared = {
      operation: 'one object',
      database: 'sqlite',
      against: 'guarded',
      ...{ bare: measured, guarded: measured, service: measured },
      ...ratios,
    } as const;
    const goals = [
      { what: 'sqlite, one object: growth', measured: 0.98, 'at most': 1.3, unit: '×' },
      { what: 'memory at idle', measured: 92, 'at most': 100, unit: 'MB' },
    ];
    const published = publishedFigures('0123abc', [1, 2], [compared], goals);
    expect(published.operations[0]).to.include({ service: 64, ratio: 1.23, atMost: 1.33 });
    expect(published.goals).to.deep.equal([
      { what: 'memory at idle', measured: 92, atMost: 100, unit: 'MB' },
    ]);
    expect(fullTables(published)).to.match(/one object +\| 64 /);
  });
});
