import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { disableNetwork } from '../../../adapters/extract/process/disable-network.ts';

/** Run where a reader runs: tries what a file that took a reader over would try, and prints what it got. */
disableNetwork();

const [secret = '', folder = ''] = process.argv.slice(2);
const attempts: Readonly<Record<string, () => unknown>> = {
  'read a file': () => readFileSync(secret),
  'write a file': () => writeFileSync(`${folder}/left`, 'x'),
  'make a folder': () => mkdtempSync(`${folder}/`),
  'start a process': async () => (await import('node:child_process')).execSync('true'),
  'start a thread': async () =>
    new (await import('node:worker_threads')).Worker('1', { eval: true }),
  'open a connection': () => import('node:net'),
  'look a name up': () => import('dns'),
  'fetch a page': () => fetch('data:text/plain,hello'),
  'ask for a module': () => process.getBuiltinModule('node:net'),
  'see a variable': () => {
    // The shell that starts it sets these.
    const seen = Object.keys(process.env).filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name));
    if (seen.length === 0) throw new Error('none');
  },
};

const done: string[] = [];
for (const [what, attempt] of Object.entries(attempts))
  try {
    await attempt();
    done.push(what);
  } catch {
    // Refused, as it should be.
  }
process.stdout.write(JSON.stringify(done));
