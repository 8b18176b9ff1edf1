import type { RolesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('ru');

export const roles: RolesText = {
  title: 'Роли агента',
  hint: 'Роль говорит, как ведёт себя агент и какие у него инструменты. Используется одна роль.',
  builtIn: 'Встроенные',
  builtInHint: 'Их нельзя изменить.',
  own: 'Ваши',
  ownHint: 'С указаниями и инструментами, которые выбираете вы.',
  noOwn: 'Пока нет ни одной.',
  builtInRoles: {
    assistant: {
      name: 'Помощник',
      description: 'Отвечает по вашим документам, пишет заметки и следит за календарём.',
    },
    librarian: {
      name: 'Библиотекарь',
      description: 'Находит документы, раскладывает их по папкам и даёт им понятные имена.',
    },
    planner: {
      name: 'Планировщик',
      description: 'Знает ваш календарь, находит даты в документах и планирует дальнейшее.',
    },
  },
  toolsets: {
    objects: 'Искать и читать документы',
    notes: 'Писать заметки',
    calendar: 'Смотреть календарь и добавлять события',
    organize: 'Перемещать и переименовывать документы',
  },
  noTools: 'без инструментов',
  tools: 'Инструменты',
  toolsHint: 'Ни одна роль не может удалять, открывать доступ, скрывать или отправлять.',
  inUse: 'Используется',
  use: 'Использовать',
  useRole: (name: string) => `Использовать: ${name}`,
  used: (name: string) => `Используется роль: ${name}`,
  showInstructions: 'Указания',
  create: 'Создать роль',
  created: (name: string) => `Роль создана: ${name}`,
  edit: 'Изменить',
  editRole: (name: string) => `Изменить: ${name}`,
  editTitle: 'Изменить роль',
  saved: (name: string) => `Роль изменена: ${name}`,
  save: 'Сохранить',
  saving: 'Сохраняется',
  delete: 'Удалить',
  deleteRole: (name: string) => `Удалить: ${name}`,
  deleteTitle: (name: string) => `Удалить ${name}?`,
  deleteDo: 'Удалить роль',
  deleteHint: 'Отменить это нельзя. Беседы останутся.',
  deleted: 'Роль удалена',
  name: 'Название',
  slug: 'Краткое имя',
  slugHint: 'Для программ. Строчные латинские буквы, цифры и дефисы; потом не изменить.',
  description: 'Для чего она',
  persona: 'Указания',
  personaHint: 'Что она делает, как себя ведёт, на что обращает внимание.',
  problems: {
    empty: 'Заполните это поле.',
    tooLong: (limit: number) =>
      plural(limit, {
        one: 'Не больше # символа.',
        few: 'Не больше # символов.',
        many: 'Не больше # символов.',
        other: 'Не больше # символа.',
      }),
    slug: 'Только строчные латинские буквы, цифры и дефисы, не больше 63, не с дефиса.',
    taken: 'Это краткое имя занято.',
    notAllowed: 'Здесь есть символы, которые нельзя сохранить.',
  },
};
