/**
 * Compares the CPU time of a request by session cookie with that of one by bearer token:
 * `npm run bench:session-cookie [-- --pairs=40] [-- --requests=2000]`. Bursts of both alternate against the built service
 * with SQLite, over kept connections. Ends with 1 if the median of the ratios is above 1.15.
 */
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { quantile } from './mann-whitney.ts';
import { serve } from './processes.ts';

const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const MAX_RATIO = 1.15;
const CONNECTIONS = 8;
const WARM_UP = 5;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '40' },
    requests: { type: 'string', default: '2000' },
  },
});

type Headers = Readonly<Record<string, string>>;

const folder = await mkdtemp(join(tmpdir(), 'ow-cookie-'));
const roles = join(folder, 'roles.json');
const plenty = { questions: null, enrichments: null, storage_bytes: null };
await writeFile(roles, JSON.stringify({ unlimited: { requests_per_minute: 1e9, ...plenty } }));
const env = { DATA_DIR: join(folder, 'data'), PORT: '0', ROLES_FILE: roles, LOG_LEVEL: 'warn' };
const cli = async (...words: string[]) => {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CLI, ...words, '--json'],
    options,
  );
  return JSON.parse(stdout) as Record<string, string>;
};

/** Of all threads, in nanoseconds as the scheduler counts them: the ticks of `Server.cpuSeconds` are too coarse. */
const cpuSeconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    .reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e9, 0);

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const get = (url: string, headers: Headers) =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`The service answered ${response.statusCode}.`));
      });
    })
      .once('error', reject)
      .end();
  });

/** Sends the requests, a few at a time. */
async function burst(url: string, headers: Headers, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) await get(url, headers);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

async function signIn(base: string, owner: string): Promise<string> {
  const { link = '' } = await cli('owner', 'sign-in-link', owner);
  const answer = await fetch(`${base}/v1/sign-in/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
  });
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

await cli('tenant', 'create', 'bench');
const { token = '', id = '' } = await cli('owner', 'create', 'bench', '--tenant', 'bench');
const server = await serve('service', [CLI, 'serve', '--json'], env);
try {
  // A page of the service sends Fetch Metadata with both.
  const page = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
  const byToken = { ...page, authorization: `Bearer ${token}` };
  const byCookie = { ...page, cookie: await signIn(server.base, id) };
  let isTooSlow = false;
  for (const path of ['/v1/me', '/v1/collections']) {
    const cost = async (headers: Headers): Promise<number> => {
      const before = cpuSeconds(server.pid);
      await burst(server.base + path, headers, Number(values.requests));
      return cpuSeconds(server.pid) - before;
    };
    const ratios: number[] = [];
    const costs = { token: 0, cookie: 0 };
    for (let i = -WARM_UP; i < Number(values.pairs); i++) {
      // The order alternates, so that a drift of the machine favours neither.
      const first = await cost(i % 2 ? byToken : byCookie);
      const second = await cost(i % 2 ? byCookie : byToken);
      if (i < 0) continue;
      const [ofToken, ofCookie] = i % 2 ? [first, second] : [second, first];
      ratios.push(ofCookie / ofToken);
      costs.token += ofToken;
      costs.cookie += ofCookie;
    }
    const all = Number(values.pairs) * Number(values.requests);
    const microseconds = (seconds: number) => ((seconds / all) * 1e6).toFixed(0);
    ratios.sort((a, b) => a - b);
    const median = quantile(ratios, 0.5);
    console.log(
      `GET ${path}: token ${microseconds(costs.token)} µs, cookie ${microseconds(costs.cookie)} µs of CPU time; ` +
        `ratio: median ${median.toFixed(3)}, middle half ${quantile(ratios, 0.25).toFixed(3)} to ${quantile(ratios, 0.75).toFixed(3)}, of sums ${(costs.cookie / costs.token).toFixed(3)}`,
    );
    isTooSlow ||= median > MAX_RATIO;
  }
  process.exitCode = isTooSlow ? 1 : 0;
} finally {
  agent.destroy();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
