import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const DEMO_FOLDER = join(import.meta.dirname, '../../demo');

/** A document of the demo workspace. Its bytes are in `demo/files`. */
export interface DemoDocument {
  /** Relative to `demo/files`. */
  readonly file: string;
  /** If the name is not one for all file systems. */
  readonly name?: string;
  readonly folder?: string;
  readonly created: string;
  readonly language: string;
  readonly labels?: readonly string[];
  readonly hidden?: true;
  readonly trashed?: true;
  /** The name is the one of a camera or a scanner, so the service may suggest another. */
  readonly suggest?: true;
  /** Of a link: the saved page. The demo fetches nothing. */
  readonly page?: DemoPage;
}

export interface DemoPage {
  readonly url: string;
  readonly title: string;
  readonly site: string;
  readonly description: string;
  readonly text: string;
}

export interface DemoShare {
  readonly name: string;
  /** The name of a folder, or else a path in `demo/files`. */
  readonly folder?: string;
  readonly file?: string;
  readonly role?: 'contributor';
  readonly password?: string;
  readonly expires_in_days?: number;
  /** How often its address was opened. */
  readonly visits: number;
}

/** A question with the document that answers it. */
export interface DemoQuestion {
  readonly language: string;
  readonly question: string;
  readonly file: string;
  /** Words of the answer. */
  readonly answer: string;
}

/** Everything about the demo workspace except the bytes of its files. */
export interface DemoWorkspace {
  /** Name of the invented person. */
  readonly owner: string;
  readonly password: string;
  readonly pin: string;
  readonly timezone: string;
  readonly themes: readonly { readonly name: string; readonly folders: readonly string[] }[];
  readonly documents: readonly DemoDocument[];
  readonly views: readonly { readonly name: string; readonly filters: object }[];
  readonly shares: readonly DemoShare[];
  readonly questions: readonly DemoQuestion[];
}

export async function readDemoWorkspace(): Promise<DemoWorkspace> {
  const json = await readFile(join(DEMO_FOLDER, 'workspace.json'), 'utf8');
  return JSON.parse(json) as DemoWorkspace;
}

export const readDemoFile = (file: string): Promise<Buffer> =>
  readFile(join(DEMO_FOLDER, 'files', file));

/** The name that the document has in the workspace. */
export const nameOf = ({ file, name }: DemoDocument): string =>
  name ?? file.slice(file.lastIndexOf('/') + 1);

/** The documents that an owner sees while the hidden zone is locked. */
export const visibleDocuments = ({ documents }: DemoWorkspace): readonly DemoDocument[] =>
  documents.filter(({ hidden, trashed }) => !hidden && !trashed);
