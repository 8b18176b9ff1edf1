import type { Messages } from '../messages.ts';

export const keys: Messages['keys'] = {
  help: 'Tastenkürzel',
  groups: {
    everywhere: 'Überall',
    go: 'Gehe zu',
    add: 'Hinzufügen',
    list: 'In Listen',
    document: 'In einem Dokument',
    answer: 'In einer Antwort',
    calendar: 'Im Kalender',
  },
};
