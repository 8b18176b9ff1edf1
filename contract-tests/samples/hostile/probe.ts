import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { giveUpNetwork } from '../../../adapters/extract/process/no-network.ts';

/** Run where a reader runs: tries what a file that took a reader over would try, and prints what it got. */
giveUpNetwork();

const [secret = '', folder = ''] = process.argv.slice(2);
const attempts: Readonly<Record<string, () => unknown>> = {
  'read a file': () => readFileSync(secret),
  'write a file': () => writeFileSync(`${folder}/left`, 'x'),
  'make a folder': () => mkdtempSync(`${folder}/`),
  'start a process': async () => {
    const { execSync } = (await import('node:child_process' as string)) as { execSync: Run };
    return execSync('true');
  },
  'start a thread': async () => {
    const { Worker } = (await import('node:worker_threads' as string)) as { Worker: New };
    return new Worker('1', { eval: true });
  },
  'open a connection': () => import('node:net' as string),
  'look a name up': () => import('dns' as string),
  fetch: () => fetch('http://127.0.0.1:1/'),
  'ask for a module': () => process.getBuiltinModule('node:net').connect(1),
  'evaluate code': () => (0, eval)('1'),
  'make a function': () => new Function('return 1')() as unknown,
  'see a variable': () =>
    Object.keys(process.env).filter((name) => !/^(PWD|_|SHLVL|OLDPWD)$/.test(name))[0]!.length,
};
type Run = (command: string) => unknown;
type New = new (code: string, options: object) => unknown;

const done: string[] = [];
for (const [what, attempt] of Object.entries(attempts))
  try {
    await attempt();
    done.push(what);
  } catch {
    // Refused, as it should be.
  }
process.stdout.write(JSON.stringify(done));
