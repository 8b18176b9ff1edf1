import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { PORT_NAMES } from '../../composition/tokens.ts';

const ROOT = join(import.meta.dirname, '../..');
const LISTS = [
  { file: join(ROOT, 'composition/tokens.ts'), begins: 'export const PORTS = {\n' },
  { file: join(ROOT, 'composition/adapter-module.ts'), begins: 'const bindings: Bindings = {\n' },
];

/** The file without the first port of its list. */
function withoutFirst({ file, begins }: (typeof LISTS)[number]): string {
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf(begins) + begins.length;
  expect(at, file).to.be.greaterThan(begins.length);
  return text.slice(0, at) + text.slice(text.indexOf('\n', at) + 1);
}

/** The compiler's errors in these files with these texts. */
function errorsIn(texts: ReadonlyMap<string, string>): readonly string[] {
  const path = join(ROOT, 'tsconfig.json');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const options = ts.getParsedCommandLineOfConfigFile(path, {}, host)?.options ?? {};
  const compiler = ts.createCompilerHost(options);
  const readFile = compiler.readFile.bind(compiler);
  compiler.readFile = (name) => texts.get(name) ?? readFile(name);
  const program = ts.createProgram([...texts.keys()], options, compiler);
  return [...texts.keys()].flatMap((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

describe('the bindings', function () {
  this.timeout(120_000);

  it('do not compile when a port is missing in the list of ports or in the list of adapters', () => {
    const [first = ''] = PORT_NAMES;
    const [missing, unbound] = LISTS.map((list) =>
      errorsIn(new Map([[list.file, withoutFirst(list)]])),
    );
    expect(missing?.join('\n')).to.include(`Property '${first}' is missing`);
    expect(unbound?.join('\n')).to.include(`Property '${first}' is missing`);
  });

  it('compile as they are', () => {
    const texts = LISTS.map(({ file }) => [file, readFileSync(file, 'utf8')] as const);
    expect(errorsIn(new Map(texts))).to.deep.equal([]);
  });
});
