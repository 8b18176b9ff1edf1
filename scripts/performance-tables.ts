/**
 * The content of `docs/performance.json`: the figures of one complete run of `npm run bench`. Times are µs per request.
 */
export interface PublishedFigures {
  /** Day of the run, ISO 8601. */
  readonly date: string;
  readonly commit: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  /** Objects in the workspaces, smallest first; the baselines are measured at the second size. */
  readonly sizes: readonly number[];
  readonly operations: readonly OperationFigures[];
  readonly goals: readonly GoalFigures[];
}

/** Null where a run did not record the figure. */
export interface OperationFigures {
  readonly database: string;
  readonly operation: string;
  readonly service: number | null;
  readonly bare: number | null;
  readonly guarded: number | null;
  readonly ratio: number;
  readonly against: 'bare' | 'guarded';
  readonly atMost: number;
  readonly growth: number | null;
}

export interface GoalFigures {
  readonly what: string;
  readonly measured: number;
  readonly atMost: number;
  readonly unit: string;
}

const BEGIN = '<!-- performance:begin (npm run docs:generate) -->';
const END = '<!-- performance:end -->';

const LABELS: Readonly<Record<string, string>> = {
  'list: newest 20': 'newest 20 objects with exact total',
  'list: kind': 'list filtered by kind',
  'list: kind + doc_type': 'list filtered by kind and doc_type',
  'list: offset 5000': 'list at offset 5 000',
  'list: by cursor, anywhere': 'list by cursor, from the middle',
  'one object': 'one object',
  'rename, durable': 'rename, durable',
  'poll of notifications': 'notifications poll',
  'poll that is answered 304': 'notifications poll, 304',
};

const GOAL_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'a page by cursor in the middle against the first page':
      'page by cursor from the middle ÷ first page',
    'memory at idle': 'resident memory when idle',
    'search: a rare word, p50': 'search, rare word, p50',
    'search: a word in some, p50': 'search, word in 2 % of the passages, p50',
    'search: a word in nearly all, p50': 'search, word in nearly all passages, p50',
    'ask: four words, p50': 'ask, four-word question, p50',
    'time of 100 kB uploads against a bare durable one': 'uploads of 100 kB ÷ bare durable uploads',
    'time of 20 MB uploads against a bare plain one': 'uploads of 20 MB ÷ bare uploads',
  }),
);

const DATABASES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'Postgres' };

const grouped = (n: number): string => String(n).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
const figure = (value: number | null): string => (value === null ? '–' : String(value));
const verdict = (measured: number, atMost: number): string =>
  measured <= atMost ? 'yes' : '**no**';

const goalLabel = (what: string): string =>
  GOAL_LABELS.get(what) ??
  what
    .replace('first answer after the start, ', 'start to first response, ')
    .replace('agenda of ', 'agenda of one month, ')
    .replaceAll(/\d{4,}/g, (digits) => grouped(Number(digits)));

/** Padded the way prettier pads, so that formatting leaves it alone. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The labels of all generated rows: no other table of a document may have a row of the same name. */
export const labelsOf = ({ goals }: PublishedFigures): readonly string[] => [
  ...Object.values(LABELS),
  ...goals.map(({ what }) => goalLabel(what)),
];

const source = ({ date, commit, machine, sizes }: PublishedFigures): string =>
  `Run of ${date}, commit \`${commit}\`, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, ${grouped(sizes[1] ?? 0)} objects.`;

const find = ({ operations }: PublishedFigures, database: string, operation: string) =>
  operations.find((each) => each.database === database && each.operation === operation);

function goalsTable({ goals }: PublishedFigures): string {
  return table(
    ['Measurement', 'Result', 'Bound', 'Met'],
    goals.map(({ what, measured, atMost, unit }) => [
      goalLabel(what),
      `${measured} ${unit}`,
      `${atMost} ${unit}`,
      verdict(measured, atMost),
    ]),
  );
}

/** Ratios only: the table of the README. */
export function shortTables(figures: PublishedFigures): string {
  const rows = Object.entries(LABELS).map(([operation, label]) => [
    label,
    ...['sqlite', 'postgres'].flatMap((database) => {
      const found = find(figures, database, operation);
      if (found === undefined) return ['–', '–'];
      const { ratio, against, atMost } = found;
      return [ratio <= atMost ? `${ratio} × ${against}` : `**${ratio} × ${against}**`, `${atMost}`];
    }),
  ]);
  return [
    source(figures),
    table(['Operation', 'SQLite', 'Bound', 'Postgres', 'Bound'], rows),
    goalsTable(figures),
  ].join('\n\n');
}

/** All figures: the tables of docs/performance.md. */
export function fullTables(figures: PublishedFigures): string {
  const [smallest = 0] = figures.sizes;
  const largest = figures.sizes.at(-1) ?? 0;
  const growth = `${grouped(largest)} ÷ ${grouped(smallest)}`;
  const sections = Object.entries(DATABASES).map(([database, title]) => {
    const rows = Object.entries(LABELS).flatMap(([operation, label]) => {
      const found = find(figures, database, operation);
      if (found === undefined) return [];
      const { service, bare, guarded, ratio, against, atMost } = found;
      return [
        [
          ...[label, figure(service), figure(bare), figure(guarded), `${ratio} × ${against}`],
          ...[String(atMost), figure(found.growth), verdict(ratio, atMost)],
        ],
      ];
    });
    const head = [
      ...[`${title}, µs per request`, 'service', 'bare', 'guarded', 'ratio', 'bound'],
      ...[growth, 'met'],
    ];
    return [table(head, rows), otherLists(figures, database)].filter(Boolean).join('\n\n');
  });
  return [source(figures), ...sections, goalsTable(figures)].join('\n\n');
}

/** One sentence for the filtered lists that have no row of their own. */
function otherLists({ operations }: PublishedFigures, database: string): string {
  const others = operations.filter(
    (each) => each.database === database && !Object.hasOwn(LABELS, each.operation),
  );
  if (others.length === 0) return '';
  const ratios = others.map(({ ratio }) => ratio);
  const bound = Math.min(...others.map(({ atMost }) => atMost));
  return `The other ${others.length} filtered lists: ${Math.min(...ratios)} to ${Math.max(...ratios)} × bare (bound ${bound}).`;
}

/** The document with everything between its markers replaced. */
export function withTables(document: string, tables: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`The document has no "${BEGIN}" … "${END}".`);
  return `${document.slice(0, begin)}${BEGIN}\n\n${tables}\n\n${document.slice(end)}`;
}

/** What stands outside the markers. */
export function withoutTables(document: string): string {
  return withTables(document, '');
}
