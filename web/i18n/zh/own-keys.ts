import type { OwnKeysText } from '../messages.ts';

export const ownKeys: OwnKeysText = {
  change: '更改',
  changeOf: (action: string) => `更改按键：${action}`,
  reset: '恢复默认',
  resetOf: (action: string) => `恢复默认按键：${action}`,
  press: '请按一个键。按 Esc 保持不变。',
  pressNext: (key: string) => `${key}，请按下一个键`,
  usedBy: (action: string, screen?: string) =>
    `此按键已被使用：${action}${screen === undefined ? '' : `（${screen}）`}`,
  elsewhere: '列表、文档和日历的按键可在其帮助（?）中更改。',
};
