import { editObject, getObject, moveObject } from '../../objects/index.ts';
import { folderClaim, objectClaim, requireInSession } from '../session-scope.ts';
import { line, type Tool } from '../tool.ts';

export const moveTool: Tool<'move_object'> = {
  toolset: 'organize',
  scope: 'write',
  effect: 'change',
  action: 'move',
  result: 'trusted',
  description:
    'Puts an object into a folder that is there already, or takes it out of every folder. Only when the owner asks for it.',
  claims: async (deps, work, { objectId, collectionId }) => ({
    objectId: await objectClaim(deps, work, objectId),
    collectionId: await folderClaim(deps, work, collectionId),
  }),
  run: async (deps, work, { objectId, collectionId }) => {
    const before = await getObject(deps, work.caller, objectId);
    requireInSession(work, before.object);
    const { object, collectionName } = await moveObject(deps, work.caller, objectId, collectionId);
    const { filename } = object;
    const where = collectionId === null ? 'out of its folder' : `into folder ${collectionName}`;
    return {
      result: `Object ${objectId} was moved ${where}.`,
      summary: line(`Moved ${filename} ${where}`),
      change: {
        kind: 'folder',
        name: filename,
        before: before.collectionName,
        after: collectionName,
      },
      touched: [{ objectId, filename }],
    };
  },
};

export const renameTool: Tool<'rename_object'> = {
  toolset: 'organize',
  scope: 'write',
  effect: 'change',
  action: 'rename',
  result: 'trusted',
  description: 'Gives an object another file name. Only when the owner asks for it.',
  claims: async (deps, work, { objectId, filename }) => {
    const object = await objectClaim(deps, work, objectId);
    return {
      objectId: object,
      filename: { kind: 'filename', value: filename, before: object.filename },
    };
  },
  run: async (deps, work, { objectId, filename }) => {
    const before = requireInSession(work, (await getObject(deps, work.caller, objectId)).object);
    const { object } = await editObject(deps, work.caller, objectId, { filename });
    return {
      result: `Object ${objectId} was renamed.`,
      summary: line(`Renamed ${before.filename} to ${object.filename}`),
      change: { kind: 'name', before: before.filename, after: object.filename },
      touched: [{ objectId, filename: object.filename }],
    };
  },
};
