import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadDemo, setDemoPassword } from './demo/load.ts';
import { DemoNotStarted, startDemoService, type DemoService } from './demo/service.ts';
import { readDemoWorkspace, visibleDocuments, type DemoWorkspace } from './demo/workspace.ts';

/**
 * A workspace to try out: `npm run demo`. It serves the documents of `demo/` from the memory of a process, to anyone with the
 * printed link or password. Every start begins anew, and nothing remains at the end. `--port` and `--host` as for `npm start`.
 */
const ROOT = join(import.meta.dirname, '..');
const CLI = process.env['PROGRAM'] === 'sources' ? 'composition/cli.ts' : 'dist/composition/cli.js';
const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const { port, host, json } = parseArgs({ options: OPTIONS }).values;
const environment = { ...process.env, ...(port && { PORT: port }), ...(host && { HOST: host }) };

let service: DemoService | undefined;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isStopping = true;
    void service?.stop();
  });

const say = (line: string): void => {
  if (!json) process.stdout.write(`${line}\n`);
};

/** A line each ten seconds or so: the output may be a file. */
function progress(): (read: number, total: number) => void {
  let shown = 0;
  return (read, total) => {
    if (read - shown < 60) return;
    shown = read;
    say(`  ${read} of ${total}`);
  };
}

async function run(): Promise<number> {
  const workspace = await readDemoWorkspace();
  const from = performance.now();
  service = await startDemoService(join(ROOT, CLI), workspace.owner, environment);
  if (isStopping) return service.stop();
  const { base, link, ended } = service;
  try {
    const { length } = visibleDocuments(workspace);
    say(`The demo reads ${length} documents in six languages. This takes less than a minute.`);
    await setDemoPassword(service, workspace.password);
    await loadDemo(service, workspace, progress());
    const seconds = Math.round((performance.now() - from) / 1_000);
    if (json)
      process.stdout.write(
        `${JSON.stringify({ listening: base, link, token: service.token, documents: length, seconds })}\n`,
      );
    else say(welcome(link, base, workspace));
  } catch (error) {
    await service.stop();
    // Calls fail while the service is being stopped.
    if (!isStopping) throw error;
  }
  return ended;
}

const welcome = (link: string, base: string, { owner, password, pin }: DemoWorkspace): string =>
  [
    '',
    '  Open this link in a browser. It signs you in, once and within 30 minutes:',
    '',
    `    ${link}`,
    '',
    `  Afterwards sign in as \`${owner}\` with the password \`${password}\`. The PIN of the hidden zone is ${pin}.`,
    `  The reference of the interface is at ${base}/docs.`,
    '',
    '  The person and all documents are invented. Everything is in the memory of this process and is gone when it ends (Ctrl C).',
    '',
  ].join('\n');

process.exitCode = await run().catch((error: unknown) => {
  if (error instanceof DemoNotStarted) return error.status;
  throw error;
});
