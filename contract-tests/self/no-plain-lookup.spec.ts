import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint } from 'eslint';
import ts from 'typescript-eslint';
import { noPlainLookup } from '../../scripts/lint/no-plain-lookup.js';

/** Every line that ends in `// no` is to be reported, and no other. */
const SNIPPET = `
declare const key: string;
declare const loose: any;
declare const other: string;
declare const word: 'a' | 'b';
declare const branded: string & { readonly brand: true };
declare const header: \`x-\${string}\`;
declare const maybe: string | undefined;
declare const table: Record<string, number>;
declare const closed: Record<'a' | 'b', number>;
declare const part: Partial<Record<'a' | 'b', number>>;
declare const list: readonly number[];
declare const pair: readonly [number, string];
declare const text: string;
declare const lower: Lowercase<string>;
declare const unbranded: string & {};
declare const load: () => Record<string, number> | undefined;
declare const map: Map<string, number>;
declare const known: (name: string) => name is 'a' | 'b';

export const forbidden = () => {
  void table[key]; // no
  void table[loose]; // no
  void table[header]; // no
  void table[maybe ?? 'a']; // no
  void closed[key as 'a' | 'b']; // no
  void closed[key as never as 'a']; // no
  void part[<'a' | 'b'>key]; // no
  void loose[key]; // no
  void (table as Record<string, unknown>)[key]; // no
  void { a: 1, b: 2 }[key]; // no
  void (key in table); // no
  void (key in loose); // no
  table[key] = 1; // no
  table[key] ??= 1; // no
  delete table[key]; // no
  const { [key]: taken } = table; // no
  void taken;
  const cast = key as 'a' | 'b';
  void closed[cast]; // no
  void closed[cast satisfies string]; // no
  void Reflect.get(table, key); // no
  void Reflect.has(closed, key as 'a'); // no
  Reflect.set(table, key, 1); // no
  void table[lower]; // no
  void table[unbranded]; // no
  void list[key as unknown as number]; // no
  void text[key as never]; // no
  void load()?.[key]; // no
  void (Object.hasOwn(table, other) ? table[key] : 0); // no
  void (Object.hasOwn(closed, key) ? table[key] : 0); // no
  void (Object.hasOwn(table, key) ? 0 : table[key]); // no
  void (Object.hasOwn(table, key) || table[key]); // no
  if (Object.hasOwn(table, key)) void 0;
  else void table[key]; // no
  if (Object.hasOwn(table, key)) return () => table[key]; // no
  return undefined;
};

export const entry = <T extends Record<string, number>>(whole: T, name: keyof T) => whole[name]; // no
export const parameter = ({ name }: { name: string }) => table[name]; // no
export const generic = <K extends string>(name: K) => table[name]; // no

export const allowed = <T extends object, P extends keyof T>(whole: T, name: P) => {
  void whole[name];
  void table['a'];
  void table[word];
  void table[branded];
  void closed[word];
  void part[word];
  void ('a' in table);
  void list[0];
  void list[Number(key)];
  void pair[1];
  void text[0];
  void map.get(key);
  const typed: 'a' | 'b' = word;
  void closed[typed];
  void list[loose];
  void Reflect.get(closed, word);
  void Reflect.ownKeys(table);
  void new Proxy(table, { get: (target, name) => Reflect.get(target, name) as number });
  void (Object.hasOwn(table, key) ? Reflect.get(table, key) : 0);
  void process.env[key];
  if (known(key)) void closed[key];
  void (Object.hasOwn(table, key) ? table[key] : 0);
  void (Object.hasOwn(table, key) && table[key]);
  void (text !== '' && Object.hasOwn(table, key) ? (table as Record<string, unknown>)[key] : 0);
  if (text !== '' && Object.hasOwn(table, key)) table[key] = 1;
  return { [key]: 1 };
};
`;

describe('the lint rule against lookups by any string', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'ow-lint-')));
    const compilerOptions = { strict: true, target: 'ES2023', types: [] };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    );
    const globals = 'declare const process: { env: Record<string, string | undefined> };';
    await writeFile(join(folder, 'snippet.ts'), globals + SNIPPET);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('reports every unguarded lookup and nothing else', async () => {
    const eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.ts'],
          languageOptions: {
            parser: ts.parser,
            parserOptions: { projectService: true, tsconfigRootDir: folder },
          },
          plugins: { local: { rules: { 'no-plain-lookup': noPlainLookup } } },
          rules: { 'local/no-plain-lookup': 'error' },
        },
      ] as ESLint.Options['overrideConfig'],
    });
    const [result] = await eslint.lintFiles(['snippet.ts']);
    const lines = SNIPPET.split('\n');
    const shown = (numbers: Iterable<number>) =>
      [...new Set(numbers)].sort((a, b) => a - b).map((line) => lines[line - 1]?.trim());
    const marked = lines.flatMap((line, i) => (line.endsWith('// no') ? [i + 1] : []));
    expect(result?.messages.filter(({ ruleId }) => ruleId !== 'local/no-plain-lookup')).to.be.empty;
    expect(shown(result?.messages.map(({ line }) => line) ?? [])).to.deep.equal(shown(marked));
  });
});
