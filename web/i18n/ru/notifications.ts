import type { NotificationsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('ru');

export const notificationsText: NotificationsText = {
  title: 'Уведомления',
  unread: (count) => `Непрочитанных: ${count}`,
  show: 'Показать',
  all: 'Все',
  onlyUnread: 'Непрочитанные',
  readAll: 'Отметить все как прочитанные',
  read: 'Отметить как прочитанное',
  readOne: (what) => `Отметить как прочитанное: ${what}`,
  remove: 'Убрать',
  removeOne: (what) => `Убрать: ${what}`,
  isNew: 'Новое',
  more: 'Показать ещё',
  today: 'Сегодня',
  yesterday: 'Вчера',
  none: 'Ничего нового',
  noneHint: 'Здесь видно, что сервис сделал без вас, и как к этому перейти.',
  allRead: 'Всё прочитано',
  showAll: 'Показать все',
  toAll: 'Все уведомления',
  next: 'Следующее уведомление',
  previous: 'Предыдущее уведомление',
  ready: (name) => `Готово: ${name}`,
  notReady: (name) => `Не удалось прочитать: ${name}`,
  notSaved: (name) => `Не удалось сохранить вашу правку: ${name}`,
  savedEarlier: (name) =>
    `Ваша правка сохранена как более ранняя версия, потому что файл изменили в другом месте: ${name}`,
  edited: {
    compress: (name) => `Сжато: ${name}`,
    resize: (name) => `Уменьшено: ${name}`,
    rotate: (name) => `Повёрнуто: ${name}`,
    flip: (name) => `Отражено: ${name}`,
    crop: (name) => `Обрезано: ${name}`,
  },
  editedHint: 'Прежнее изображение можно восстановить из версий.',
  notEdited: (name) => `Не удалось изменить: ${name}`,
  unchanged: (name) => `Осталось без изменений: ${name}`,
  filed: (count) =>
    n(count, {
      one: '# документ разложен по папкам',
      few: '# документа разложены по папкам',
      many: '# документов разложены по папкам',
      other: '# документа разложены по папкам',
    }),
  planned: 'План наведения порядка готов',
  movedOut: 'Ваши файлы теперь в вашем бакете',
  movedBack: 'Ваши файлы снова в сервисе',
  notMoved: 'Некоторые файлы не удалось переместить',
  movedCount: (moved, failed) =>
    failed === 0
      ? `Перемещено файлов: ${moved}.`
      : `Перемещено файлов: ${moved}, не удалось: ${failed}.`,
  begins: (when) => `Начало: ${when}`,
  shareOpened: (name) => `Ссылка открыта впервые: ${name}`,
  uploaded: (name, folder) => `По ссылке загружен файл ${name} в папку ${folder}`,
  referred: (name) => `Ваш код приглашения использован: ${name}`,
  modelFailed: 'Ваша модель больше не отвечает как следует',
  bucketFailed: 'Ваш бакет больше не отвечает как следует',
  botPolled: (name) => `Бот ${name} сам забирает сообщения, потому что платформа их не доставляет`,
  botConflict: (name) => `Другая программа использует бота ${name}`,
  botRefused: (name) => `Бот ${name} отключён`,
  botRefusedHint: 'Подключите его снова с его токеном.',
  network: (network) => `сеть ${network}`,
  security: {
    newPlace: 'Вход из нового места',
    newPlaceHint:
      'Если это были не вы, завершите этот сеанс, смените пароль и проверьте ключи доступа.',
    copiedPasskey: 'Ключ доступа, возможно, скопирован',
    copiedPasskeyHint: 'Если это были не вы, удалите ключ доступа.',
    pinLocked: 'PIN временно нельзя ввести',
    pinLockedHint:
      'Неверный PIN вводили слишком часто. Если это были не вы, завершите сеанс, из которого его вводили.',
    failedSignIns: 'За день было много неудачных попыток входа',
    failedSignInsHint:
      'Если это были не вы, проверьте, что пароль больше нигде не используется, или входите только по ключу доступа.',
  },
};
