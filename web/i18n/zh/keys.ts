import type { Messages } from '../messages.ts';

export const keys: Messages['keys'] = {
  help: '键盘快捷键',
  groups: {
    everywhere: '通用',
    go: '前往',
    add: '添加',
    list: '列表中',
    document: '文档中',
    answer: '回答中',
    calendar: '日历中',
  },
};
