import { addNote } from '../../objects/index.ts';
import { line, type Tool } from '../tool.ts';

export const noteTool: Tool<'create_note'> = {
  toolset: 'notes',
  changes: true,
  description: 'Writes a new note into the workspace. Only when the owner asks for one.',
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
      touched: [{ objectId: id, filename }],
    };
  },
};
