import { createHash } from 'node:crypto';
import { writeZip } from '../../adapters/archive-zip/writer.ts';
import type { NewEntry } from '../../ports/archives.ts';
import { FOLDERS_CREATED, folderId, themeId } from './ids.ts';
import { linkFields, objectRecord, type DemoBytes } from './records.ts';
import { readDemoFile, type DemoWorkspace } from './workspace.ts';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The demo workspace in the format of an export, the only one that carries the dates of documents. All documents except links
 * are recorded as unread, so the service that imports them reads, classifies and indexes each of them.
 */
export async function demoArchive(workspace: DemoWorkspace): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of writeZip(entriesOf(workspace))) parts.push(new Uint8Array(chunk));
  return new Blob(parts, { type: 'application/zip' });
}

async function* entriesOf(workspace: DemoWorkspace): AsyncIterable<NewEntry> {
  const listed: string[] = [];
  const entry = (path: string, bytes: Buffer): NewEntry => {
    listed.push(JSON.stringify({ path, size: bytes.length, sha256: sha256(bytes) }));
    return { path, modifiedAt: 0, compress: false, content: once(bytes) };
  };
  const table = (part: string, rows: readonly object[]): NewEntry =>
    entry(
      `metadata/${part}-000001.jsonl`,
      Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    );

  const objects: object[] = [];
  for (const document of workspace.documents) {
    const content = await readDemoFile(document.file);
    const path = `files/${document.file}`;
    const bytes: DemoBytes = { path, size: content.length, sha256: sha256(content) };
    objects.push({ ...objectRecord(document, bytes), ...linkFields(document) });
    yield entry(path, content);
  }
  yield table('themes', themesOf(workspace));
  yield table('collections', foldersOf(workspace));
  yield table('objects', objects);
  yield table('settings', [
    {
      auto_rename_mode: 'suggest',
      calendar_reminders_messenger: false,
      chat_memory: true,
      proactive: false,
      timezone: workspace.timezone,
      ui: {},
      prefs: {},
    },
  ]);
  const format = { format: 'owner-workspace-export', version: 1 };
  const head = { ...format, created_at: FOLDERS_CREATED, made_by: '' };
  const manifest = `${JSON.stringify(head).slice(0, -1)},"entries":[\n${listed.join(',\n')}\n]}\n`;
  yield { path: 'manifest.json', modifiedAt: 0, compress: false, content: manifest };
}

const DATED = { created_at: FOLDERS_CREATED, updated_at: FOLDERS_CREATED };

const themesOf = ({ themes }: DemoWorkspace) =>
  themes.map(({ name }) => ({ id: themeId(name), name, icon: '', is_hidden: false, ...DATED }));

const foldersOf = ({ themes }: DemoWorkspace) =>
  themes.flatMap((theme) =>
    theme.folders.map((name) => ({
      id: folderId(name),
      name,
      description: '',
      icon: '',
      theme_id: themeId(theme.name),
      ...DATED,
    })),
  );

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
