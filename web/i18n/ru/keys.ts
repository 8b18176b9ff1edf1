import type { Messages } from '../messages.ts';

export const keys: Messages['keys'] = {
  help: 'Сочетания клавиш',
  groups: {
    everywhere: 'Везде',
    go: 'Перейти',
    add: 'Добавить',
    list: 'В списках',
    document: 'В документе',
    answer: 'В ответе',
    calendar: 'В календаре',
  },
};
