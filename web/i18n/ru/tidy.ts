import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('ru');
const documents = (count: number) =>
  n(count, { one: '# документ', few: '# документа', many: '# документов', other: '# документа' });
const folders = (count: number) =>
  n(count, { one: '# папку', few: '# папки', many: '# папок', other: '# папки' });

export const tidy: Messages['tidy'] = {
  title: 'Навести порядок',
  isPlan: 'План: пока ничего не перемещено',
  scope: 'Что просматривается',
  scopes: { uncategorized: 'Без папки', all: 'Всё' },
  intro:
    'Документы раскладываются по папкам по содержанию. Вы увидите план до того, как что-то переместится.',
  start: 'Составить план',
  looking: (done, total) => `Просмотр документов: ${done} из ${total}`,
  moving: (done, total) => `Перемещение документов: ${done} из ${total}`,
  lookedAt: (count) => `Просмотрено: ${count}.`,
  wouldMove: (count) =>
    n(count, {
      one: 'Переместится #',
      few: 'Переместятся #',
      many: 'Переместятся #',
      other: 'Переместятся #',
    }),
  into: (count, fresh) =>
    fresh === 0 ? `в ${folders(count)}.` : `в ${folders(count)}, из них новых: ${fresh}.`,
  stay: (count) =>
    n(count, {
      one: '# остаётся на месте.',
      few: '# остаются на месте.',
      many: '# остаются на месте.',
      other: '# остаются на месте.',
    }),
  nothing: 'Ничего не переместится: каждый документ уже на своём месте.',
  plan: 'План',
  newFolder: 'Новая папка',
  renameFolder: (name) => `Переименовать ${name}`,
  folderName: 'Имя новой папки',
  after: (before, after) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name, folder) => `Переместить ${name} в ${folder}`,
  noFolder: 'Без папки',
  stays: 'Остаётся на месте',
  ticked: (count, total) => `Отмечено ${count} из ${total}. Потом всё можно отменить.`,
  tooMany: 'Исключить можно не больше 500 документов. Иначе откажитесь от плана.',
  discard: 'Отказаться',
  move: (count) => `Переместить ${documents(count)}`,
  moved: (count) => `Перемещено: ${documents(count)}`,
  skipped: (count) =>
    n(count, {
      one: '# остался на месте.',
      few: '# остались на месте.',
      many: '# остались на месте.',
      other: '# остались на месте.',
    }),
  before: 'Порядок наводился раньше',
  noneBefore: 'Порядок ещё не наводился.',
  foldersMade: (count) => `Создано папок: ${count}.`,
  takenBack: (count, stayed) =>
    stayed === 0
      ? `Возвращено: ${count}.`
      : `Возвращено: ${count}; осталось ${stayed}, они с тех пор изменены.`,
  runs: 'Предыдущие разы',
  failed: 'Работа прервалась раньше времени.',
  rules:
    'Сначала берутся имеющиеся папки. Скрытое и корзина не просматриваются, и ради одного документа папка не создаётся.',
  again: 'Составить другой план',
  toLibrary: 'В библиотеку',
};
