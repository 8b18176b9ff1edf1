import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseUrl } from '../pages/base-url.ts';
import type { FirstRequests } from './first-requests.ts';
import { APP_POLICY, officeFramePolicy, PDF_WORKER_POLICY } from './app-policy.ts';

/** One file of the build, as its list describes it. */
interface BuiltFile {
  readonly path: string;
  readonly type: string;
  /** Its name contains a digest of its content. */
  readonly isImmutable: boolean;
  /** Stored beside it in these codings: `main.js.br`. */
  readonly codings: readonly ('br' | 'gzip')[];
  readonly etag: string;
  readonly isPdfWorker?: true;
  /** Loaded by a document of another origin. */
  readonly isCrossOrigin?: true;
}

export interface AppFile extends BuiltFile {
  readonly policy: string;
  /** Reads the bytes in a coding. */
  read(coding: 'br' | 'gzip' | 'identity'): Promise<Buffer>;
}

/** A page with a policy of its own. */
export interface AppPage {
  readonly html: string;
  readonly policy: string;
}

/** The files of the owner's app: a shell for every path of the app, and what it loads. */
export interface AppFiles {
  /** Where the app begins, without a trailing slash. */
  readonly root: string;
  /** The path that a reverse proxy puts before the service, or an empty text. */
  readonly prefix: string;
  readonly shell: string;
  readonly firstRequests: FirstRequests;
  /** Frames the editor of the document server. Undefined without one. */
  readonly officeFrame: AppPage | undefined;
  /** By their path below the root: `/assets/main-4f2a.js`. */
  readonly files: ReadonlyMap<string, AppFile>;
}

/** In the shell, for the path that a reverse proxy puts before the app. */
const ROOT_MARK = '%ROOT%';
const LIST = 'files.json';
const FIRST_REQUESTS = 'first-requests.json';
const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const;

/** Reads the list of a build. Undefined if the folder has none. `officeUrl` is the address of the document server. */
export async function readAppFiles(
  folder: string,
  { prefix }: BaseUrl,
  officeUrl?: string,
): Promise<AppFiles | undefined> {
  const list = await readFile(join(folder, LIST), 'utf8').catch(ignoreMissing);
  if (list === undefined) return undefined;
  const built = JSON.parse(list) as readonly BuiltFile[];
  const root = `${prefix}/app`;
  const readPage = async (name: string) =>
    (await readFile(join(folder, name), 'utf8')).replaceAll(ROOT_MARK, root);
  const shell = await readPage('index.html');
  const firstRequests = JSON.parse(
    await readFile(join(folder, FIRST_REQUESTS), 'utf8'),
  ) as FirstRequests;
  const officeFrame =
    officeUrl === undefined
      ? undefined
      : { html: await readPage('office-frame.html'), policy: officeFramePolicy(officeUrl) };
  const files = built.map((file): [string, AppFile] => [
    file.path,
    {
      ...file,
      policy: file.isPdfWorker ? PDF_WORKER_POLICY : APP_POLICY,
      read: (coding) => readFile(join(folder, `${file.path}${SUFFIXES[coding]}`)),
    },
  ]);
  return { root, prefix, shell, firstRequests, officeFrame, files: new Map(files) };
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
