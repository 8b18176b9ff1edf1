import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configTable, errorCatalogue, openApiDocument } from '../composition/reference.ts';
import {
  fullTables,
  shortTables,
  withTables,
  type PublishedFigures,
} from './performance-tables.ts';
import { readPorts, type Port } from './ports.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = 'docs/reference';
const MADE = 'Made by `npm run docs`; `npm run check` fails when it is out of date.';
const SHOWN_LINES = 5;

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`;

const errorsPage = (): string =>
  page(
    'Errors',
    'Every answer that is no success, but 422, has the body `{"detail": "<sentence>", "code": "<code>"}`. 422 has `{"detail": [{"loc", "msg", "type", "input"?, "ctx"?}]}` with every failure of the request.',
    table(
      ['status', 'code', 'meaning'],
      errorCatalogue().map(({ status, code, message }) => [String(status), `\`${code}\``, message]),
    ),
  );

const configPage = (): string =>
  page(
    'Configuration',
    'Read from the environment, and from `.env` in the working folder beneath it. A wrong value stops the start with one line that names it.',
    table(
      ['variable', 'meaning', 'default'],
      configTable().map(({ name, meaning, byDefault }) => [`\`${name}\``, meaning, byDefault]),
    ),
  );

const portsPage = (): string =>
  page(
    'Ports',
    'What the core asks of the world, and what each adapter of a port promises.',
    ...readPorts().map(portSection),
  );

function portSection({ name, file, summary, suite, contract, members }: Port): string {
  const methods = members.map(
    ({ signature, comment }) => `- \`${signature}\`${comment === '' ? '' : `<br>${cell(comment)}`}`,
  );
  return [
    `## ${name}`,
    `\`ports/${file}\``,
    summary,
    contract.length > 0 && `Contract, held by \`${suite}\`:`,
    contract.map((bullet) => `- ${bullet}`).join('\n'),
    'Members:',
    methods.join('\n'),
  ]
    .filter((part) => part !== false && part !== '')
    .join('\n\n');
}

/** What is different, as the first few lines of each side. */
function difference(name: string, there: string, wanted: string): string {
  const [old, made] = [there.split('\n'), wanted.split('\n')];
  const first = made.findIndex((line, at) => line !== old[at]);
  const at = first === -1 ? made.length : first;
  const lines = [
    `${name} is out of date from line ${at + 1} on; npm run docs makes it anew.`,
    ...old.slice(at, at + SHOWN_LINES).map((line) => `  - ${line}`),
    ...made.slice(at, at + SHOWN_LINES).map((line) => `  + ${line}`),
  ];
  return lines.join('\n');
}

const read = (name: string): Promise<string> => readFile(join(ROOT, name), 'utf8');

const figures = JSON.parse(await read('docs/performance.json')) as PublishedFigures;

const pages: Readonly<Record<string, string>> = {
  [`${FOLDER}/openapi.json`]: `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  [`${FOLDER}/errors.md`]: errorsPage(),
  [`${FOLDER}/ports.md`]: portsPage(),
  [`${FOLDER}/config.md`]: configPage(),
  'README.md': withTables(await read('README.md'), shortTables(figures)),
  'docs/performance.md': withTables(await read('docs/performance.md'), fullTables(figures)),
};

await mkdir(join(ROOT, FOLDER), { recursive: true });
for (const [name, wanted] of Object.entries(pages)) {
  if (!process.argv.includes('--check')) {
    await writeFile(join(ROOT, name), wanted);
    continue;
  }
  const there = await read(name).catch(() => '');
  if (there === wanted) continue;
  console.error(difference(name, there, wanted));
  process.exitCode = 1;
}
