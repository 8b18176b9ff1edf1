import type { ViewerText } from '../messages.ts';

export const viewerText: ViewerText = {
  editor: '办公编辑器',
  opening: '正在打开编辑器',
  readOnly: '编辑器只能显示这种格式的文件。请另存为较新的格式后再编辑。',
  whenStored: '关闭编辑器后，更改会保存为一个版本。',
  unsent: '正在发送你的更改',
  stored: (version) => `你的更改已保存为版本 ${version}。`,
  newer: (version) => `版本 ${version} 是在别处添加的。你在此保存的内容会另存为一个版本。`,
  outdated: '文档有比编辑器中更新的版本。',
  openAgain: '打开最新版本',
  failed: '编辑器报告了错误。如果无法继续，请重新打开。',
  missing: '无法从文档服务器加载编辑器。',
  off: {
    switched_off: '未连接文档服务器，因此无法在此编辑文件本身。',
    engine_unavailable: '文档服务器没有响应，因此现在无法编辑文件本身。',
    unsupported_format: '文档服务器无法打开这种格式的文件。',
  },
  onlyText: '这是从中读取的文本。',
  otherwise: '请下载文件，用其他程序编辑，再添加为新版本。',
  newerVersion: (version) => `有更新的版本：${version}。`,
  isEarlier: (version) => `这是版本 ${version}，所引文字出自此版本。`,
  toNewest: '显示最新版本',
};
