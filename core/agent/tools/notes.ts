import { addNote } from '../../objects/index.ts';
import { folderClaim, requirePlace } from '../session-scope.ts';
import { line, type Tool } from '../tool.ts';

export const noteTool: Tool<'create_note'> = {
  toolset: 'notes',
  scope: 'write',
  effect: 'change',
  action: 'note',
  result: 'trusted',
  description: 'Writes a new note into the workspace. Only when the owner asks for one.',
  claims: async (deps, work, { content, title, collectionId = work.collectionId }) => {
    requirePlace(work, collectionId);
    return {
      content: { kind: 'text', value: content },
      title: title === undefined ? { kind: 'default' } : { kind: 'text', value: title },
      collectionId:
        collectionId === work.collectionId
          ? { kind: 'default' }
          : await folderClaim(deps, work, collectionId),
    };
  },
  run: async (deps, work, { content, title, collectionId = work.collectionId }) => {
    const { object, collectionName } = await addNote(deps, work.caller, {
      content,
      ...(title !== undefined && { title }),
      ...(collectionId !== null && { collectionId }),
    });
    const { id, filename } = object;
    const where = collectionName === null ? '' : ` in folder ${collectionName}`;
    return {
      result: `The note was made: object ${id}, ${filename}${where}.`,
      summary: line(`Wrote the note ${filename}${where}`),
      change: { kind: 'note', name: filename, folder: collectionName },
      touched: [{ objectId: id, filename }],
    };
  },
};
