import type { Messages } from '../messages.ts';

export const keys: Messages['keys'] = {
  help: 'Atajos de teclado',
  groups: {
    everywhere: 'En todas partes',
    go: 'Ir a',
    add: 'Añadir',
    list: 'En listas',
    document: 'En un documento',
    answer: 'En una respuesta',
    calendar: 'En el calendario',
  },
};
