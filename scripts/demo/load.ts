import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { demoArchive } from './archive.ts';
import { folderId } from './ids.ts';
import { documentId } from './records.ts';
import { DEMO_FOLDER, type DemoShare, type DemoWorkspace } from './workspace.ts';

/** A service and the token of the owner whose workspace is filled. */
export interface DemoTarget {
  readonly base: string;
  readonly token: string;
}

/** Called while documents are being read. */
export type DemoProgress = (read: number, total: number) => void;

interface Page {
  readonly total: number;
}

const POLL_MS = 250;
const MAX_READ_MS = 300_000;

/**
 * Fills the empty workspace of an owner through the public interface, and returns when the service has read every document.
 * The conversations are real answers of the engine to the questions of the demo.
 */
export async function loadDemo(
  target: DemoTarget,
  workspace: DemoWorkspace,
  onProgress: DemoProgress = () => undefined,
): Promise<void> {
  const call = callerOf(target);
  await call('POST', '/v1/import', await demoArchive(workspace), 'application/zip');
  const calendar = await readFile(join(DEMO_FOLDER, 'calendar.ics'), 'utf8');
  await call('POST', '/v1/calendar/import', calendar, 'text/calendar');
  await untilRead(call, onProgress);
  for (const view of workspace.views) await call('POST', '/v1/views', view);
  for (const share of workspace.shares) {
    const made = await call('POST', '/v1/shares', shareBody(share, workspace));
    await visit(target, (made as { readonly token: string }).token, share.visits);
  }
  for (const { question } of workspace.questions) await call('POST', '/v1/ask', { question });
  await call('POST', '/v1/hidden-pin', { pin: workspace.pin });
}

async function untilRead(call: Call, onProgress: DemoProgress): Promise<void> {
  const deadline = Date.now() + MAX_READ_MS;
  const count = async (filter: string): Promise<number> =>
    ((await call('GET', `/v1/objects?limit=1${filter}`)) as Page).total;
  const total = await count('');
  for (;;) {
    const unread = (await count('&status=pending')) + (await count('&status=processing'));
    onProgress(total - unread, total);
    if (unread === 0) return;
    if (Date.now() > deadline) throw new Error(`${unread} documents of the demo are still unread.`);
    await pause(POLL_MS);
  }
}

/** Opens the address of a share as visitors do. */
async function visit({ base }: DemoTarget, token: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const response = await fetch(`${base}/v1/public/shares/${token}`);
    await response.body?.cancel();
  }
}

function shareBody(
  { folder, file, visits: _, ...share }: DemoShare,
  { documents }: DemoWorkspace,
): object {
  if (folder !== undefined) return { ...share, kind: 'folder', resource_id: folderId(folder) };
  const document = documents.find((each) => each.file === file);
  if (!document) throw new Error(`The demo has no document ${file ?? ''}.`);
  return { ...share, kind: 'file', resource_id: documentId(document) };
}

type Call = ReturnType<typeof callerOf>;

const callerOf =
  ({ base, token }: DemoTarget) =>
  async (
    method: string,
    path: string,
    body?: object | string,
    type = 'application/json',
  ): Promise<unknown> => {
    const isJson = type === 'application/json';
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as Blob | string) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  };

/** Lets the owner sign in by password too. The one-time link works once and for 30 minutes. */
export async function setDemoPassword(target: DemoTarget, password: string): Promise<void> {
  await callerOf(target)('PUT', '/v1/me/password', { password });
}
