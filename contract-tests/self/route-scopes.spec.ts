import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'adapters/http/routes/service.ts');
const SCOPE = "    scope: 'any',\n";

/** The compiler's errors in the file with this text. */
function errorsIn(text: string): readonly string[] {
  const path = join(ROOT, 'tsconfig.json');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const options = ts.getParsedCommandLineOfConfigFile(path, {}, host)?.options ?? {};
  const compiler = ts.createCompilerHost(options);
  const readFile = compiler.readFile.bind(compiler);
  compiler.readFile = (name) => (name === FILE ? text : readFile(name));
  const program = ts.createProgram([FILE], options, compiler);
  return program
    .getSemanticDiagnostics(program.getSourceFile(FILE))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the route table', function () {
  this.timeout(120_000);
  const text = readFileSync(FILE, 'utf8');

  it('compiles with a scope on each route of an owner', () => {
    expect(text).to.include(SCOPE);
    expect(errorsIn(text)).to.deep.equal([]);
  });

  it('does not compile if a route of an owner has no scope', () => {
    expect(errorsIn(text.replace(SCOPE, '')).join('\n')).to.match(/Property 'scope' is missing/);
  });

  it('does not compile with an unknown scope', () => {
    const unknown = text.replace(SCOPE, "    scope: 'everything',\n");
    expect(errorsIn(unknown).join('\n')).to.include('"everything"');
  });

  it('does not compile if a public route has a scope', () => {
    const open = "    access: 'public',\n";
    expect(text).to.include(open);
    expect(errorsIn(text.replace(open, `${open}    scope: 'read',\n`))).not.to.deep.equal([]);
  });
});
