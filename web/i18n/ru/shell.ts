import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('ru');

export const shell: Messages['shell'] = {
  product: 'Owner Workspace',
  workspace: 'Рабочее пространство',
  skip: 'Перейти к содержимому',
  places: {
    library: 'Библиотека',
    ask: 'Вопросы',
    agent: 'Агент',
    calendar: 'Календарь',
    shares: 'Доступ',
    notifications: 'Уведомления',
    trash: 'Корзина',
    settings: 'Настройки',
  },
  more: 'Ещё',
  unread: (count: number) => `Непрочитанные уведомления: ${count}`,
  goTo: (place: string) => `Перейти: ${place}`,
  firstSteps: 'Первые пять минут',
  search: 'Поиск по пространству',
  searchHint: 'Найти или задать вопрос',
  palette: 'Открыть палитру команд',
  add: 'Добавить',
  account: (name: string) => `${name}: учётная запись`,
  hiddenZone: 'Скрытая зона',
  signOut: 'Выйти',
  signOutTitle: 'Выйти?',
  unsentFiles: (count: number) =>
    plural(count, {
      one: '# файл ещё не отправлен. При выходе он будет удалён из этого браузера.',
      few: '# файла ещё не отправлены. При выходе они будут удалены из этого браузера.',
      many: '# файлов ещё не отправлены. При выходе они будут удалены из этого браузера.',
      other: '# файла ещё не отправлены. При выходе они будут удалены из этого браузера.',
    }),
  undo: 'Отменить',
  undone: (change: string) => `Отменено: ${change}`,
  dismiss: 'Скрыть',
  close: 'Закрыть',
  cancel: 'Отмена',
  tryAgain: 'Повторить',
  loading: 'Загрузка',
  notFound: 'Не найдено',
  notFoundHere: 'По этому адресу ничего нет.',
};
