import type { RolesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('zh');

export const roles: RolesText = {
  title: '智能体角色',
  hint: '角色决定智能体的行为方式和可用工具。同一时间使用一个角色。',
  builtIn: '内置',
  builtInHint: '不能更改。',
  own: '自定义',
  ownHint: '由你选择指示和工具。',
  noOwn: '还没有。',
  builtInRoles: {
    assistant: {
      name: '助手',
      description: '根据你的文档回答，写笔记，并照看你的日历。',
    },
    librarian: {
      name: '图书管理员',
      description: '查找文档，放入文件夹，并取好名字。',
    },
    planner: {
      name: '规划师',
      description: '了解你的日历，在文档中找出日期，并安排接下来的事。',
    },
  },
  toolsets: {
    objects: '搜索和阅读文档',
    notes: '写笔记',
    calendar: '查看日历和创建日程',
    organize: '移动和重命名文档',
  },
  noTools: '没有工具',
  tools: '工具',
  toolsHint: '任何角色都不能删除、分享、隐藏或发送。',
  inUse: '使用中',
  use: '使用',
  useRole: (name: string) => `使用：${name}`,
  used: (name: string) => `使用中的角色：${name}`,
  showInstructions: '指示',
  create: '创建角色',
  created: (name: string) => `已创建角色：${name}`,
  edit: '编辑',
  editRole: (name: string) => `编辑：${name}`,
  editTitle: '编辑角色',
  saved: (name: string) => `已更改角色：${name}`,
  save: '保存',
  saving: '正在保存',
  delete: '删除',
  deleteRole: (name: string) => `删除：${name}`,
  deleteTitle: (name: string) => `删除 ${name}？`,
  deleteDo: '删除角色',
  deleteHint: '此操作无法撤销。对话会保留。',
  deleted: '角色已删除',
  name: '名称',
  slug: '短名称',
  slugHint: '供程序使用。小写字母、数字和连字符；之后不能更改。',
  description: '用途',
  persona: '指示',
  personaHint: '它做什么、如何行事、注意什么。',
  problems: {
    empty: '请填写此项。',
    tooLong: (limit: number) => plural(limit, { other: '最多 # 个字符。' }),
    slug: '只能用小写字母、数字和连字符，最多 63 个，不能以连字符开头。',
    taken: '此短名称已被使用。',
    notAllowed: '其中有无法保存的字符。',
  },
};
