import type { OwnKeysText } from '../messages.ts';

export const ownKeys: OwnKeysText = {
  change: 'Cambiar',
  changeOf: (action: string) => `Cambiar la tecla: ${action}`,
  reset: 'La habitual',
  resetOf: (action: string) => `Volver a la tecla habitual: ${action}`,
  press: 'Pulsa una tecla. Esc la deja como está.',
  pressNext: (key: string) => `${key}, y ahora la siguiente tecla`,
  usedBy: (action: string, screen?: string) =>
    `Esta tecla ya se usa: ${action}${screen === undefined ? '' : ` (${screen})`}`,
  elsewhere: 'Las teclas de listas, documentos y calendario se cambian en su ayuda (?).',
};
