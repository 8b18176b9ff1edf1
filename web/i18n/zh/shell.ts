import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('zh');

export const shell: Messages['shell'] = {
  product: 'Owner Workspace',
  workspace: '工作区',
  skip: '跳到内容',
  places: {
    library: '资料库',
    ask: '提问',
    agent: '智能体',
    calendar: '日历',
    shares: '分享',
    notifications: '通知',
    trash: '回收站',
    settings: '设置',
  },
  more: '更多',
  unread: (count: number) => `通知：${count} 条未读`,
  goTo: (place: string) => `前往${place}`,
  firstSteps: '最初的五分钟',
  search: '在工作区中搜索',
  searchHint: '搜索或提问',
  palette: '打开命令面板',
  add: '添加',
  account: (name: string) => `${name}：账户`,
  hiddenZone: '隐藏区',
  signOut: '退出登录',
  signOutTitle: '要退出登录吗？',
  unsentFiles: (count: number) =>
    plural(count, { other: '还有 # 个文件尚未发送。退出登录会将其从此浏览器中删除。' }),
  undo: '撤销',
  undone: (change: string) => `已撤销：${change}`,
  dismiss: '关闭提示',
  close: '关闭',
  cancel: '取消',
  tryAgain: '重试',
  loading: '正在加载',
  notFound: '未找到',
  notFoundHere: '此地址没有内容。',
};
