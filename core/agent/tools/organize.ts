import { editObject, getObject, moveObject } from '../../objects/index.ts';
import { within } from '../place.ts';
import { line, type Tool } from '../tool.ts';

export const moveTool: Tool<'move_object'> = {
  toolset: 'organize',
  changes: true,
  description:
    'Puts an object into a folder that is there already, or takes it out of every folder. Only when the owner asks for it.',
  run: async (deps, work, { objectId, collectionId }) => {
    within(work, (await getObject(deps, work.caller, objectId)).object);
    const { object, collectionName } = await moveObject(deps, work.caller, objectId, collectionId);
    const { filename } = object;
    const where = collectionId === null ? 'out of its folder' : `into folder ${collectionName}`;
    return {
      result: `${filename} was moved ${where}.`,
      summary: line(`Moved ${filename} ${where}`),
      touched: [{ objectId, filename }],
      quoted: [filename, where],
    };
  },
};

export const renameTool: Tool<'rename_object'> = {
  toolset: 'organize',
  changes: true,
  description: 'Gives an object another file name. Only when the owner asks for it.',
  run: async (deps, work, { objectId, filename }) => {
    const before = within(work, (await getObject(deps, work.caller, objectId)).object);
    const { object } = await editObject(deps, work.caller, objectId, { filename });
    return {
      result: `${before.filename} is now called ${object.filename}.`,
      summary: line(`Renamed ${before.filename} to ${object.filename}`),
      touched: [{ objectId, filename: object.filename }],
      quoted: [before.filename],
    };
  },
};
