import { agentsPart } from './agents.ts';
import { calendarPart } from './calendar.ts';
import { chatsPart } from './chats.ts';
import { collectionsPart, themesPart } from './library.ts';
import { contentsOf, takeObjects } from './objects-in.ts';
import { objectsOut } from './objects-out.ts';
import type { AnyPart, Part } from './part.ts';
import { objectShape, type ArchivedObject } from './records.ts';
import { settingsPart } from './settings.ts';

export const objectsPart: Part<ArchivedObject> = {
  name: 'objects',
  out: objectsOut,
  reader: () => (sent) => objectShape.read(sent, ''),
  needs: contentsOf,
  atOnce: 20,
  take: takeObjects,
};

/**
 * The parts of a workspace in the order they are taken in: what is referred to before what refers to it. They go out
 * the other way round, so that what an object refers to is at least as new as the object.
 */
export const PARTS: readonly AnyPart[] = [
  // Refers to nothing and may be refused for want of room: then nothing else has been changed yet.
  agentsPart,
  themesPart,
  collectionsPart,
  objectsPart,
  chatsPart,
  calendarPart,
  settingsPart,
];
