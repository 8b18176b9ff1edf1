import { agentsPart } from './agents.ts';
import { calendarPart } from './calendar.ts';
import { chatsPart } from './chats.ts';
import { collectionsPart, themesPart } from './library.ts';
import { contentsOf, importObjects } from './import-objects.ts';
import { exportObjects } from './export-objects.ts';
import type { AnyPart, Part } from './part.ts';
import { objectShape, type ArchivedObject } from './records.ts';
import { settingsPart } from './settings.ts';
import { viewsPart } from './views.ts';

export const objectsPart: Part<ArchivedObject> = {
  name: 'objects',
  out: exportObjects,
  reader: () => (sent) => objectShape.read(sent, ''),
  needs: contentsOf,
  atOnce: 20,
  importRecords: importObjects,
};

/**
 * The parts of a workspace in import order: referenced records come before those that refer to them. The export order
 * is the reverse, so that a referenced record is at least as new as the object.
 */
export const PARTS: readonly AnyPart[] = [
  // It has no references and may be rejected by a limit: then nothing else has been changed yet.
  agentsPart,
  themesPart,
  collectionsPart,
  objectsPart,
  chatsPart,
  calendarPart,
  settingsPart,
  // It refers to folders and themes, and may be rejected by a limit: then all other parts are imported.
  viewsPart,
];
