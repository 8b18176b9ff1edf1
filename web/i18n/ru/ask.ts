import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('ru');

export const ask: Messages['ask'] = {
  newTitle: 'Вопросы',
  begin: 'Спросите о своих документах',
  beginHint: 'Ответы составлены из того, что в них написано, с местом каждого предложения.',
  chats: 'Беседы',
  conversation: 'Беседа',
  pinnedChats: 'Закреплённые',
  lately: 'Недавние',
  today: 'Сегодня',
  dayInFolder: (day: string, folder: string) => `${day} · в папке ${folder}`,
  newChat: 'Новая беседа',
  gone: 'Этой беседы больше нет.',
  loading: 'Беседа загружается',
  pin: 'Закрепить беседу',
  unpin: 'Открепить беседу',
  pinned: (title: string) => `Закреплено: ${title}`,
  unpinned: (title: string) => `Откреплено: ${title}`,
  moreOf: 'Ещё об этой беседе',
  rename: 'Переименовать беседу',
  renameDo: 'Переименовать',
  renamed: (title: string) => `Новое название: ${title}`,
  title: 'Название',
  deleteChat: 'Удалить беседу',
  deleteWarning: 'Её вопросы и ответы будут удалены. Отменить это нельзя.',
  deleted: 'Беседа удалена',
  question: 'Вопрос о ваших документах',
  placeholder: 'Спросите о своих документах',
  placeholderOn: 'Уточните или спросите о другом',
  send: (key: string) => `Спросить (${key})`,
  sendQuestion: 'Задать вопрос',
  write: 'Написать вопрос',
  stop: 'Остановить ответ',
  nextQuestion: 'Следующий вопрос',
  previousQuestion: 'Предыдущий вопрос',
  nextCitation: 'Следующая цитата',
  previousCitation: 'Предыдущая цитата',
  searchIn: 'Где искать:',
  allDocuments: 'Все документы',
  oneFolder: 'Одна папка',
  findFolder: 'Найти папку',
  chooseDocuments: 'Спросить о выбранных документах',
  findDocument: 'Найти документ',
  noDocument: 'Документ не найден.',
  askAboutCount: (count: number) =>
    plural(count, {
      one: 'Спросить о # документе',
      few: 'Спросить о # документах',
      many: 'Спросить о # документах',
      other: 'Спросить о # документах',
    }),
  aboutThese: 'О документах',
  withoutDocument: (name: string) => `Убрать ${name}`,
  moreDocuments: (count: number) =>
    plural(count, { one: 'и ещё #', few: 'и ещё #', many: 'и ещё #', other: 'и ещё #' }),
  aboutAll: 'Обо всех',
  searching: 'Поиск в ваших документах',
  waiting: 'Сервис занят. Ваш вопрос ждёт.',
  stopped: 'Не полностью: ответ был прерван.',
  cutOff: {
    length: 'Не полностью: модель достигла своего предела токенов.',
    filtered: 'Не полностью: сервис модели удержал остальное.',
  },
  stoppedEmpty: 'Ответа нет: он был остановлен до начала.',
  noSource: 'без источника',
  sources: 'Источники',
  sourcesOf: 'Источники ответа',
  sourceLabel: (index: number, name: string, page?: number) =>
    page === undefined
      ? `Источник ${index}: ${name}`
      : `Источник ${index}: ${name}, страница ${page}`,
  sourcesShort: (count: number) =>
    plural(count, {
      one: '# источник',
      few: '# источника',
      many: '# источников',
      other: '# источника',
    }),
  inDocuments: (count: number) =>
    plural(count, {
      one: 'в # документе',
      few: 'в # документах',
      many: 'в # документах',
      other: 'в # документах',
    }),
  sourcesIn: (sources: number, documents: number) =>
    `${sources} ${plural(documents, {
      one: 'в # документе',
      few: 'в # документах',
      many: 'в # документах',
      other: 'в # документах',
    })}`,
  page: (page: number) => `Страница ${page}`,
  openAtPlace: 'Открыть на этом месте',
  openSource: (index: number) => `Открыть на этом месте: источник ${index}`,
  searched: (count: number) =>
    plural(count, {
      one: 'Просмотрен # документ',
      few: 'Просмотрено # документа',
      many: 'Просмотрено # документов',
      other: 'Просмотрено # документа',
    }),
  unread: (count: number) =>
    plural(count, {
      one: '# не прочитан',
      few: '# не прочитаны',
      many: '# не прочитано',
      other: '# не прочитано',
    }),
  builtIn: 'Встроенный, на этом сервере',
  inOwnNetwork: (engine: string) => `${engine}, в вашей сети`,
  atHost: (engine: string, host: string) => `${engine}, на ${host}`,
  copy: 'Скопировать ответ с источниками',
  copied: 'Ответ с источниками скопирован',
  notCopied: 'Браузер не разрешил копирование.',
  askAgain: 'Спросить ещё раз',
  withoutModel: 'Ответить без модели',
  complete: 'Ответ готов',
  stoppedAnswer: 'Ответ неполный.',
  failedAnswer: 'Ответа нет.',
  failures: {
    deadline: 'Модель не ответила вовремя.',
    upstream_failed: 'Модель не ответила.',
    broken_off: 'Соединение прервалось.',
    plan_limit: 'Вопросы вашего тарифа пока исчерпаны.',
  },
  seeNearest: (count: number) =>
    plural(count, {
      one: 'Показать # самый близкий документ',
      few: 'Показать # самых близких документа',
      many: 'Показать # самых близких документов',
      other: 'Показать # самых близких документа',
    }),
  seeUnread: (count: number) =>
    plural(count, {
      one: 'Показать # непрочитанный, и почему',
      few: 'Показать # непрочитанных, и почему',
      many: 'Показать # непрочитанных, и почему',
      other: 'Показать # непрочитанных, и почему',
    }),
  addMissing: 'Добавить недостающее и спросить ещё раз',
  unreadTitle: 'Непрочитанные документы',
  unreadWhy: 'В эти документы ответы не заглядывают.',
  unreadOfAll: 'В эти документы ответы не заглядывают. Здесь показаны документы всей библиотеки.',
  unreadRest: (count: number) =>
    plural(count, {
      one: 'Ещё в # текст не найден.',
      few: 'Ещё в # текст не найден.',
      many: 'Ещё в # текст не найден.',
      other: 'Ещё в # текст не найден.',
    }),
  unreadFailed: 'Не удалось прочитать',
  beingRead: 'Читается',
  waitsToBeRead: 'Ждёт чтения',
};
