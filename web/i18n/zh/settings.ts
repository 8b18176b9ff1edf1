import type { Messages } from '../messages.ts';

export const settings: Messages['settings'] = {
  sections: {
    you: '你和你的设备',
    look: '语言和外观',
    filing: '命名和归档',
    keys: '键盘',
    connections: '连接',
    roles: '智能体角色',
    bots: '机器人',
    office: '办公编辑器',
    security: '安全',
    data: '你的数据',
    usage: '用量和状态',
  },
};
