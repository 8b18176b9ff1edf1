import type { ToolName } from '../../../ports/agent-tools.ts';
import type { Tool } from '../tool.ts';
import { agendaTool, eventTool } from './calendar.ts';
import { noteTool } from './notes.ts';
import { moveTool, renameTool } from './organize.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';

export const TOOLS: { readonly [N in ToolName]: Tool<N> } = {
  search_objects: searchTool,
  read_object: readTool,
  create_note: noteTool,
  get_agenda: agendaTool,
  create_event: eventTool,
  move_object: moveTool,
  rename_object: renameTool,
};
