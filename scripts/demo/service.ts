import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A service in the memory of a child process, with its first owner. */
export interface DemoService {
  readonly base: string;
  readonly token: string;
  /** Signs the owner in once, within 30 minutes. */
  readonly link: string;
  /** Ends the process if it is running, and returns its exit status. */
  stop(): Promise<number>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<number>;
}

/** Variables that reach the service. Those of another installation, such as its folder and database, do not. */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LANG|NODE_.*|HOST|PORT|PUBLIC_URL|TRUST_PROXY|LOG_LEVEL|LLM_.*|ANSWER_SECONDS|AGENT_ENABLED|OFFICE_.*|OUTBOUND_ALLOW|OCR_LANGS|TESSDATA_PREFIX|MAX_.*)$/;
/** Not the default port of an installation, so that the demo can run beside one. */
const DEFAULTS = { PORT: '8090', LOG_LEVEL: 'warn', OCR_LANGS: 'eng' };
const LINK = /^\s+(https?:\S+\/app\/sign-in#\S+)$/;
const TOKEN = /\bexport TOKEN=(owt_\S+)$/;

/**
 * Starts the command line at `cli` on the memory profile, with a first owner of this name. It runs in an empty temporary folder, where it finds no `.env` and
 * nothing of an owner. The service ends with this process.
 */
export async function startDemoService(
  cli: string,
  owner: string,
  environment: NodeJS.ProcessEnv,
): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'ow-demo-'));
  const passedOn = Object.entries(environment).filter(([name]) => PASSED_ON.test(name));
  const child = spawn(process.execPath, [cli, 'start', '--json', '--owner', owner], {
    cwd: folder,
    env: {
      ...DEFAULTS,
      ...Object.fromEntries(passedOn),
      PROFILE: 'memory',
      DATA_DIR: join(folder, 'data'),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(async ([status]) => {
    await rm(folder, { recursive: true, force: true });
    return (status as number | null) ?? 1;
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return ended;
  };
  if (!child.stdout) throw new Error('The service has no output.');
  let [base, link, token] = ['', '', ''];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) base = (JSON.parse(line) as { listening: string }).listening;
    link ||= LINK.exec(line)?.[1] ?? '';
    token ||= TOKEN.exec(line)?.[1] ?? '';
    if (token !== '') break;
  }
  // Its message about a wrong setting is on standard error.
  if (token === '') throw new DemoNotStarted(await ended);
  child.stdout.resume();
  return { base, token, link, stop, ended };
}

/** The service ended instead of serving, and has said why. */
export class DemoNotStarted extends Error {
  override readonly name = 'DemoNotStarted';
  readonly status: number;
  constructor(status: number) {
    super(`The service ended with status ${status}.`);
    this.status = status;
  }
}
