import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint } from 'eslint';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'core/index.ts');

/** The compiler's errors in a file of the core with this text. */
function complaints(text: string): readonly string[] {
  const path = join(ROOT, 'core/tsconfig.json');
  const settings = ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  const host = ts.createCompilerHost(settings?.options ?? {});
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => (name === FILE ? text : readFile(name));
  const program = ts.createProgram([FILE], settings?.options ?? {}, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}

describe('the core', () => {
  it('compiles with the language features only', () => {
    expect(
      complaints('export const now = (at: number) => new Date(at).toISOString();'),
    ).to.deep.equal([]);
  });

  for (const name of [
    'process',
    'Buffer',
    'setTimeout',
    'fetch',
    'console',
    'TextEncoder',
    'URL',
    'require',
  ])
    it(`does not compile with ${name}`, () => {
      const [first = 'nothing', ...more] = complaints(`export const it = ${name};`);
      expect(first).to.include(`Cannot find name '${name}'`);
      expect(more).to.deep.equal([]);
    });

  it('does not compile with a platform module', () => {
    expect(
      complaints("import 'node:fs';\nimport { join } from 'node:path';\njoin('a');"),
    ).to.have.length(2);
  });

  const REFUSED: Readonly<Record<string, string>> = {
    'export const a = Date.now();': 'no-restricted-properties',
    'export const b = Math.random();': 'no-restricted-properties',
    'export const c = new Date();': 'no-restricted-syntax',
    'export const d = Date();': 'no-restricted-syntax',
    'export const e = globalThis.Date;': 'no-restricted-syntax',
    'export const f = (g: any) => [g];': '@typescript-eslint/no-explicit-any',
    'void 0; Promise.resolve(1);': '@typescript-eslint/no-floating-promises',
    'export const h = [1].filter(async (i) => i > 0);': '@typescript-eslint/no-misused-promises',
    'export const k = (l: string) => l == "";': 'eqeqeq',
  };
  const lines = Object.keys(REFUSED);
  let received: readonly string[];

  before(async () => {
    const linter = new ESLint({ cwd: ROOT });
    const [result] = await linter.lintText(lines.join('\n'), { filePath: FILE });
    received = result?.messages.map(({ line, ruleId }) => `${lines[line - 1]} ${ruleId}`) ?? [];
  });

  for (const [line, rule] of Object.entries(REFUSED))
    it(`is rejected by the linter: ${line}`, () => {
      expect(received).to.include(`${line} ${rule}`);
    });
});
