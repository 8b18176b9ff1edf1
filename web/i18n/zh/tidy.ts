import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('zh');
const documents = (count: number) => n(count, { other: '# 个文档' });
const folders = (count: number) => n(count, { other: '# 个文件夹' });

export const tidy: Messages['tidy'] = {
  title: '整理',
  isPlan: '方案：尚未移动任何文档',
  scope: '查看范围',
  scopes: { uncategorized: '未归档', all: '全部' },
  intro: '按内容把文档放进文件夹。移动之前，你会先看到方案。',
  start: '生成方案',
  looking: (done, total) => `正在查看文档：${done} / ${total}`,
  moving: (done, total) => `正在移动文档：${done} / ${total}`,
  lookedAt: (count) => `已查看 ${count} 个。`,
  wouldMove: (count) => n(count, { other: '将移动 # 个' }),
  into: (count, fresh) =>
    fresh === 0 ? `到${folders(count)}。` : `到${folders(count)}，其中 ${fresh} 个为新建。`,
  stay: (count) => n(count, { other: '# 个留在原处。' }),
  nothing: '无需移动：每个文档都在最合适的位置。',
  plan: '方案',
  newFolder: '新建文件夹',
  renameFolder: (name) => `重命名 ${name}`,
  folderName: '新文件夹的名称',
  after: (before, after) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name, folder) => `将 ${name} 移到 ${folder}`,
  noFolder: '未归档',
  stays: '留在原处',
  ticked: (count, total) => `已勾选 ${count} / ${total}。之后可以全部撤销。`,
  tooMany: '最多可排除 500 个文档。否则请放弃方案。',
  discard: '放弃',
  move: (count) => `移动${documents(count)}`,
  moved: (count) => `已移动${documents(count)}`,
  skipped: (count) => n(count, { other: '# 个留在原处。' }),
  before: '以前的整理',
  noneBefore: '还没有整理过。',
  foldersMade: (count) => `新建了${folders(count)}。`,
  takenBack: (count, stayed) =>
    stayed === 0
      ? `已移回 ${count} 个。`
      : `已移回 ${count} 个；${stayed} 个此后有更改，留在原处。`,
  runs: '以前的各次整理',
  failed: '整理在完成前停止。',
  rules: '优先使用已有的文件夹。不查看隐藏内容和回收站，也不会为单个文档新建文件夹。',
  again: '重新生成方案',
  toLibrary: '前往资料库',
};
