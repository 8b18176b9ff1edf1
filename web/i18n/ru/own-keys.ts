import type { OwnKeysText } from '../messages.ts';

export const ownKeys: OwnKeysText = {
  change: 'Изменить',
  changeOf: (action: string) => `Изменить клавишу: ${action}`,
  reset: 'Вернуть обычную',
  resetOf: (action: string) => `Вернуть обычную клавишу: ${action}`,
  press: 'Нажмите клавишу. Esc оставит всё как есть.',
  pressNext: (key: string) => `${key}, теперь следующая клавиша`,
  usedBy: (action: string, screen?: string) =>
    `Эта клавиша занята: ${action}${screen === undefined ? '' : ` (${screen})`}`,
  elsewhere: 'Клавиши списков, документов и календаря меняются в их справке (?).',
};
