import type { ArchiveFormat, NewEntry } from '../../ports/archives.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { StreamedFile } from '../shared/streamed-file.ts';
import { MANIFEST, Manifest } from './manifest.ts';
import type { ExportDeps, Source } from './part.ts';
import { PARTS } from './parts.ts';
import { ArchivePaths } from './archive-paths.ts';
import { README } from './readme.ts';

export interface ExportWorkspaceDeps extends ExportDeps, ZoneDeps, SecurityEventDeps {
  readonly archives: ArchiveFormat;
  /** Name and version of this program. */
  readonly madeBy: string;
}

/** Maximum size of a metadata file in UTF-16 units. */
const CHUNK = 4_000_000;

/**
 * Exports all data of an owner as one archive that people can open and `importArchive` restores, except tokens, PIN,
 * shares, idempotency records, tasks and security events. Hidden objects are included unless the zone is locked for the caller.
 */
export async function exportWorkspace(
  deps: ExportWorkspaceDeps,
  caller: Caller,
): Promise<StreamedFile> {
  const startedAt = deps.clock.now();
  const zone = await deps.uow.read(caller.scope, (stores) => zoneFor(deps, stores.pinLock, caller));
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return {
    filename: `owner-workspace-${day}.zip`,
    bytes: () => {
      const source = { deps, caller, zone, startedAt, places: new ArchivePaths(), leftOut: [] };
      return deps.archives.write(entriesOf(deps, source));
    },
  };
}

/** Committed before the first byte is sent, so that no export is missing in the log. */
async function recordExport(
  deps: ExportWorkspaceDeps,
  { caller, zone }: Pick<Source, 'caller' | 'zone'>,
): Promise<void> {
  const extent = { unset: '', closed: ' without the hidden zone', open: ' with the hidden zone' };
  const what = caller.scope.folderIds
    ? 'The folders that the token is bound to were exported'
    : `The workspace was exported${extent[zone]}`;
  await deps.uow.write(caller.scope, (stores) =>
    recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'exported',
      detail: `${what}.`,
      facts: caller.scope.folderIds ? { extent: 'folders' } : { extent: 'workspace', zone },
    }),
  );
}

async function* entriesOf(deps: ExportWorkspaceDeps, source: Source): AsyncIterable<NewEntry> {
  await recordExport(deps, source);
  const manifest = new Manifest();
  const file = (path: string, content: NewEntry['content']): NewEntry => ({
    path,
    modifiedAt: source.startedAt,
    compress: true,
    content,
  });
  const isBound = source.caller.scope.folderIds !== undefined;
  for (const part of [...PARTS].reverse()) {
    if (isBound && part.isOfAccount) continue;
    let lines: string[] = [];
    let size = 0;
    let files = 0;
    const gathered = () => {
      const number = String(++files).padStart(6, '0');
      const text = lines.join('');
      lines = [];
      size = 0;
      return manifest.listed(file(`metadata/${part.name}-${number}.jsonl`, text));
    };
    for await (const out of part.out(source)) {
      if ('entry' in out) {
        yield manifest.listed(out.entry);
        continue;
      }
      const line = `${JSON.stringify(out.line)}\n`;
      lines.push(line);
      size += line.length;
      manifest.count(part.name, out.counts ? 1 : 0);
      if (size >= CHUNK) yield gathered();
    }
    if (lines.length > 0) yield gathered();
  }
  yield manifest.listed(file('README.txt', README));
  const { madeBy } = deps;
  yield file(MANIFEST, manifest.text({ at: source.startedAt, madeBy }, source.leftOut));
}
