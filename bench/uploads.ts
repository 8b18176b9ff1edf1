import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve, type Server } from './processes.ts';

const run = promisify(execFile);
const POLL_MS = 20;

export interface UploadKind {
  readonly name: string;
  readonly bytes: number;
  readonly atOnce: number;
  /** Work of the bare server: syncs and commits a row, or only writes the file. */
  readonly limit: 'durable' | 'plain';
}

export interface UploadFigures {
  /** Uploads per second, medians of the rounds. */
  readonly service: number;
  readonly limit: number;
  /** CPU milliseconds per upload, the minimum; for the service including the extraction that follows. */
  readonly serviceCpuMs: number;
  readonly limitCpuMs: number;
  /** Memory growth of the service during the uploads in MB, per concurrent upload. */
  readonly growthMB: number;
}

/** Uploads to the service and to a bare server, alternating. */
export async function compareUploads(
  service: Server,
  bearer: string,
  folder: string,
  kind: UploadKind,
  rounds: number,
  seconds: number,
): Promise<UploadFigures> {
  const own = join(folder, kind.name);
  await mkdir(own);
  const limits = join(import.meta.dirname, 'limits', 'uploads.ts');
  const bare = await serve(`limit: ${kind.limit} upload`, [limits, own, kind.limit]);
  const rates: { service: number[]; limit: number[] } = { service: [], limit: [] };
  const cpu: { service: number[]; limit: number[] } = { service: [], limit: [] };
  let growthMB = 0;
  try {
    for (let round = -1; round < rounds; round++) {
      const before = bare.cpuSeconds();
      const limit = await rate(bare, bearer, kind, seconds);
      const limitCpu = (bare.cpuSeconds() - before) / limit.uploads;
      await idle(service, bearer);
      const resident = service.residentMB();
      let most = resident;
      const poll = setInterval(() => (most = Math.max(most, service.residentMB())), POLL_MS);
      const from = service.cpuSeconds();
      const measured = await rate(service, bearer, kind, seconds);
      clearInterval(poll);
      await idle(service, bearer);
      const serviceCpu = (service.cpuSeconds() - from) / measured.uploads;
      // The first round warms up and is not counted.
      if (round < 0) continue;
      rates.limit.push(limit.perSecond);
      rates.service.push(measured.perSecond);
      cpu.limit.push(limitCpu * 1_000);
      cpu.service.push(serviceCpu * 1_000);
      growthMB = Math.max(growthMB, (most - resident) / kind.atOnce);
    }
  } finally {
    await bare.stop();
  }
  return {
    service: median(rates.service),
    limit: median(rates.limit),
    serviceCpuMs: Math.min(...cpu.service),
    limitCpuMs: Math.min(...cpu.limit),
    growthMB,
  };
}

/** Waits until the files of the last round have been processed, for at most a minute. */
async function idle({ base }: Server, bearer: string): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}` };
  for (let polls = 0; polls < 600; polls++) {
    const { checks } = (await (await fetch(`${base}/health/deep`, { headers })).json()) as {
      checks: readonly { name: string; detail: string }[];
    };
    if (checks.some(({ name, detail }) => name === 'queue' && detail.startsWith('0 '))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function rate(server: Server, bearer: string, kind: UploadKind, seconds: number) {
  const load = join(import.meta.dirname, 'upload-load.ts');
  const words = [server.base, bearer, kind.bytes, kind.atOnce, seconds].map(String);
  const { stdout } = await run(process.execPath, [load, ...words]);
  const { uploads, seconds: took } = JSON.parse(stdout) as { uploads: number; seconds: number };
  return { uploads, perSecond: uploads / took };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
