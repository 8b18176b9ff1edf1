import type { Server } from './processes.ts';
import type { Library } from './library-data.ts';

const TIMES = 150;
/** Warm-up: a service in use has the words of its documents in its caches. */
const WARMING = 100;

export interface Latency {
  readonly what: string;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  /** CPU time of the server. */
  readonly 'CPU ms': number;
  readonly found: number;
}

/** Latency of one client with sequential requests. */
export async function searchLatencies(server: Server, library: Library): Promise<Latency[]> {
  const headers = { authorization: `Bearer ${library.bearer}`, 'content-type': 'application/json' };
  const search = (q: string) => async () => {
    const path = `${server.base}/v1/search?q=${encodeURIComponent(q)}`;
    return ((await answer(path, { headers })) as { total: number }).total;
  };
  const ask = async (n: number) => {
    const body = JSON.stringify({ question: library.questions[n % library.questions.length] });
    const path = `${server.base}/v1/ask`;
    const reply = await answer(path, { method: 'POST', headers, body });
    return (reply as { citations: unknown[] }).citations.length;
  };
  const { rare, mid, common } = library.words;
  const waited = (what: string, once: (n: number) => Promise<number>) =>
    measured(server, what, once);
  return [
    await waited('search: a rare word', search(rare)),
    await waited('search: a word in some', search(mid)),
    await waited('search: a word in nearly all', search(common)),
    await waited('search: two words and a phrase', search(`${mid} ${rare} "${common}"`)),
    await waited('ask: four words', ask),
  ];
}

async function answer(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function measured(
  server: Server,
  what: string,
  once: (n: number) => Promise<number>,
): Promise<Latency> {
  const times: number[] = [];
  let found = 0;
  let before = 0;
  for (let n = -WARMING; n < TIMES; n++) {
    if (n === 0) before = server.cpuSeconds();
    const from = performance.now();
    found = await once(n + WARMING);
    if (n >= 0) times.push(performance.now() - from);
  }
  const cpu = ((server.cpuSeconds() - before) * 1_000) / TIMES;
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(share * times.length)] ?? 0).toFixed(1));
  return { what, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'CPU ms': Number(cpu.toFixed(1)), found };
}
