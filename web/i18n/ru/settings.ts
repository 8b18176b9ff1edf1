import type { Messages } from '../messages.ts';

export const settings: Messages['settings'] = {
  sections: {
    you: 'Вы и ваши устройства',
    look: 'Язык и вид',
    filing: 'Имена и раскладка',
    keys: 'Клавиатура',
    connections: 'Подключения',
    roles: 'Роли агента',
    bots: 'Боты',
    office: 'Офисный редактор',
    security: 'Безопасность',
    data: 'Ваши данные',
    usage: 'Расход и состояние',
  },
};
