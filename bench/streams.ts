/**
 * Measures streamed answers of a model: `npm run bench:streams`. Prints the delay between the first byte of the model
 * and that of the answer, one at a time and two hundred at once, and the memory the service uses for them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from './processes.ts';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const AT_ONCE = 200;
const ONE_BY_ONE = 30;
/** Length of an answer, short enough for a quick run. */
const SHORT = 3;
const PIECES = 120;
const PIECE_MS = 100;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** When the model began to answer each question. */
const begun = new Map<string, number>();
let open = 0;

const piece = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

async function answer(body: string, response: ServerResponse): Promise<void> {
  const [, number = ''] =
    /keeper number (\d+)/.exec(body.slice(body.lastIndexOf('Question'))) ?? [];
  open++;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await wait(20);
  begun.set(number, performance.now());
  const pieces = Number(number) < ONE_BY_ONE ? SHORT : PIECES;
  for (let i = 0; i < pieces; i++) {
    response.write(piece(i % 20 === 5 ? ' "The keeper is Ada" [1].' : ` word${i}`));
    await wait(PIECE_MS);
  }
  open--;
  response.end(piece('', 'stop'));
}

const model = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void answer(Buffer.concat(chunks).toString(), response));
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const { port } = model.address() as AddressInfo;

const folder = await mkdtemp(join(tmpdir(), 'bench-streams-'));
const env = {
  DATA_DIR: folder,
  PORT: '0',
  LOG_LEVEL: 'error',
  LLM_URL: `http://127.0.0.1:${port}/v1`,
  LLM_MODEL: 'bench',
};
const cli = async (...words: string[]): Promise<{ readonly token: string }> => {
  const { stdout } = await run(process.execPath, [CLI, ...words, '--json'], {
    env: { PATH: process.env['PATH'], ...env },
  });
  return JSON.parse(stdout) as { token: string };
};
await cli('tenant', 'create', 'bench');
const { token } = await cli('owner', 'create', 'bench', '--tenant', 'bench');
const service = await serve('service', [CLI, 'serve', '--json'], env);
const post = (path: string, body: object, accept = 'application/json') =>
  fetch(service.base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });
await post('/v1/objects/notes', { content: 'The keeper is Ada. She lives in the tower.' });
await wait(1_000);

/** Milliseconds from the model's first byte to the answer's. */
async function ask(number: number): Promise<number> {
  const response = await post(
    '/v1/ask',
    { question: `Who is keeper number ${number}?` },
    'text/event-stream',
  );
  let first = NaN;
  let text = '';
  for await (const chunk of response.body ?? []) {
    if (Number.isNaN(first)) first = performance.now();
    text += Buffer.from(chunk as Uint8Array).toString();
  }
  if (!text.includes('event: done')) throw new Error(`An answer did not end: ${text.slice(-200)}`);
  return first - (begun.get(String(number)) ?? NaN);
}

const spread = (times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(1);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
};

const idle = service.residentMB();
const alone: number[] = [];
for (let i = 0; i < ONE_BY_ONE; i++) alone.push(await ask(i));
const cpu = service.cpuSeconds();
let [peak, most] = [0, 0];
const watch = setInterval(() => {
  peak = Math.max(peak, service.residentMB());
  most = Math.max(most, open);
}, 50);
const together = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ask(1_000 + i)));
clearInterval(watch);
console.table({
  'first byte after the model’s, one at a time, ms': spread(alone),
  [`the same, ${AT_ONCE} at once, ms`]: spread(together),
});
console.table({
  'answers open at the model at once': most,
  'resident before, MB': Math.round(idle),
  'resident at most, MB': Math.round(peak),
  'processor time an answer, ms': Math.round(((service.cpuSeconds() - cpu) * 1000) / AT_ONCE),
});
await service.stop();
model.closeAllConnections();
model.close();
await rm(folder, { recursive: true });
