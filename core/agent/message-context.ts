import type { ToolName } from '../../ports/agent-tools.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { withObjectMetadata } from '../answers/index.ts';
import type { AgentContext } from './tool.ts';

/** Maximum number of attachments shown, and of passages over all of them. */
const MAX_ATTACHMENTS = 50;
const BEGINNINGS = 12;
/** Maximum number of folders listed when a tool can move objects. */
const MAX_FOLDERS = 100;
const TO_FOLDERS: readonly ToolName[] = ['create_note', 'move_object'];

/** Context that is sent with a message. */
export interface Surroundings {
  /** Attachments with their first passages: text of documents. */
  readonly documents: readonly string[];
  /** The existing folders. Their names are no words of the owner: imports, models and mails create folders too. */
  readonly folders: readonly string[];
}

export async function contextForMessage(
  stores: Pick<Stores, 'collections' | 'objects' | 'search' | 'texts'>,
  work: Pick<AgentContext, 'collectionId' | 'offering'>,
  attached: readonly StoredObject[],
  allowed: readonly ToolName[],
): Promise<Surroundings> {
  const documents: string[] = [];
  const folders: string[] = [];
  const shown = attached.slice(0, MAX_ATTACHMENTS);
  const each = Math.max(1, Math.floor(BEGINNINGS / Math.max(1, shown.length)));
  for (const [i, object] of shown.entries()) {
    const passages = i < BEGINNINGS ? await beginning(stores, work, object, each) : [];
    documents.push([`Attached is object ${object.id}: ${object.filename}`, ...passages].join('\n'));
  }
  if (allowed.some((name) => TO_FOLDERS.includes(name))) {
    const { items } = await stores.collections.page({}, { limit: MAX_FOLDERS, offset: 0 });
    if (items.length > 0)
      folders.push(['Folders:', ...items.map(({ id, name }) => `${id} ${name}`)].join('\n'));
  }
  return { documents, folders };
}

/** The first passages of an attachment, unless it is in the trash, or outside the session's folder. */
async function beginning(
  stores: Pick<Stores, 'objects' | 'search' | 'texts'>,
  { collectionId, offering }: Pick<AgentContext, 'collectionId' | 'offering'>,
  { id: objectId, collectionId: folder, deletedAt }: StoredObject,
  limit: number,
): Promise<readonly string[]> {
  if (deletedAt !== null || (collectionId !== null && folder !== collectionId)) return [];
  const passages = await stores.search.passagesOf(objectId, 0, limit);
  const offered = await withObjectMetadata(
    stores,
    passages.map((passage) => ({ ...passage, objectId })),
  );
  return offered.map((each) => `[${offering.offer(each)}]\n${each.passage.text}`);
}
