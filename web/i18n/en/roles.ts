import { pluralOf } from '../plural.ts';

const plural = pluralOf('en');

export const roles = {
  title: 'Roles of the agent',
  hint: 'A role says how the agent behaves and which tools it has. One is in use at a time.',
  builtIn: 'Built in',
  builtInHint: 'They can not be changed.',
  own: 'Your own',
  ownHint: 'With instructions and tools that you choose.',
  noOwn: 'There is none yet.',
  builtInRoles: {
    assistant: {
      name: 'Assistant',
      description: 'Answers from your documents, writes notes, and looks after your calendar.',
    },
    librarian: {
      name: 'Librarian',
      description: 'Finds documents, puts them into folders, and gives them good names.',
    },
    planner: {
      name: 'Planner',
      description: 'Knows your calendar, finds dates in documents, and plans what comes next.',
    },
  },
  toolsets: {
    objects: 'Search and read documents',
    notes: 'Write notes',
    calendar: 'Look at the calendar and make events',
    organize: 'Move and rename documents',
  },
  noTools: 'no tools',
  tools: 'Tools',
  toolsHint: 'No role can delete, share, hide or send anything.',
  inUse: 'In use',
  use: 'Use',
  useRole: (name: string) => `Use: ${name}`,
  used: (name: string) => `Role in use: ${name}`,
  showInstructions: 'Instructions',
  create: 'Create a role',
  created: (name: string) => `Role created: ${name}`,
  edit: 'Edit',
  editRole: (name: string) => `Edit: ${name}`,
  editTitle: 'Edit the role',
  saved: (name: string) => `Role changed: ${name}`,
  save: 'Save',
  saving: 'Saving',
  delete: 'Delete',
  deleteRole: (name: string) => `Delete: ${name}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteDo: 'Delete the role',
  deleteHint: 'This can not be undone. Conversations stay.',
  deleted: 'Role deleted',
  name: 'Name',
  slug: 'Short name',
  slugHint: 'For programs. Small letters, digits and hyphens; it can not be changed later.',
  description: 'What it is for',
  persona: 'Instructions',
  personaHint: 'What it does, how it behaves, what it watches for.',
  problems: {
    empty: 'Fill this in.',
    tooLong: (limit: number) =>
      plural(limit, { one: 'At most # character.', other: 'At most # characters.' }),
    slug: 'Only small letters, digits and hyphens, at most 63, not beginning with a hyphen.',
    taken: 'This short name is taken.',
    notAllowed: 'This has characters that can not be stored.',
  },
};
