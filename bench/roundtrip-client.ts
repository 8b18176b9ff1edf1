import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { IncomingMessage } from 'node:http';
import type { Service } from '../contract-tests/http/harness.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- looked at from outside
export type Json = any;

/** Repeats a request until it succeeds: waits after a rate limit or an outage, and throws any other error. */
export async function get(service: Service, path: string): Promise<Json> {
  return (await waitForResponse(service, 'GET', path)).json;
}

export async function waitForResponse(
  service: Service,
  method: string,
  path: string,
  body?: object,
): Promise<Awaited<ReturnType<Service['call']>>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await service.call(method, path, body ? { body } : {});
    if (answer.status === 200) return answer;
    if (attempt === 30 || ![429, 503].includes(answer.status))
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

/** Over a plain connection: fetch times out if a response takes five minutes to begin. */
async function exchange(
  { base, token }: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
  send: (to: NodeJS.WritableStream) => Promise<void>,
): Promise<IncomingMessage> {
  const requested = request(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    requested.once('response', resolve).once('error', reject);
  });
  await send(requested);
  return answer;
}

/** Returns the size of the export in bytes. */
export async function exportTo(service: Service, file: string): Promise<number> {
  const answer = await exchange(service, 'GET', '/v1/export', {}, async (to) => void to.end());
  if (answer.statusCode !== 200) throw new Error(`The export was answered ${answer.statusCode}.`);
  const target = createWriteStream(file);
  await pipeline(answer, target);
  return target.bytesWritten;
}

export async function importFrom(service: Service, file: string): Promise<Json> {
  const headers = { 'content-type': 'application/zip' };
  const answer = await exchange(service, 'POST', '/v1/import', headers, (to) =>
    pipeline(createReadStream(file), to),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (answer.statusCode !== 200)
    throw new Error(`The import was answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}

export interface Memory {
  readonly residentMB: number;
  /** Since `resetPeakMemory`. */
  readonly peakMB: number;
}

/** Memory of the service as reported by the system. */
export async function memoryOf({ process: { pid } }: Service): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string) =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6);
  return { residentMB: mb('VmRSS'), peakMB: mb('VmHWM') };
}

export const resetPeakMemory = ({ process: { pid } }: Service): Promise<void> =>
  writeFile(`/proc/${pid}/clear_refs`, '5');
