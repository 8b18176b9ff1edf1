export const ownKeys = {
  change: 'Change',
  changeOf: (action: string) => `Change the key: ${action}`,
  reset: 'Back to the usual',
  resetOf: (action: string) => `Back to the usual key: ${action}`,
  press: 'Press a key. Esc leaves it as it is.',
  pressNext: (key: string) => `${key}, and now the next key`,
  usedBy: (action: string, screen?: string) =>
    `This key is used: ${action}${screen === undefined ? '' : ` (${screen})`}`,
  elsewhere: 'Keys of lists, documents and the calendar are changed in their help (?).',
};
