import type { Messages } from '../messages.ts';

export const signIn: Messages['signIn'] = {
  title: 'Вход',
  withPasskey: 'Войти с ключом доступа',
  passkeyCancelled: 'Ключ доступа не был использован. Повторите или выберите другой способ.',
  withProvider: (provider: string) => `Войти через ${provider}`,
  providerUnavailable: 'Поставщик удостоверений не ответил. Повторите или выберите другой способ.',
  providerRefused: 'Поставщик удостоверений не подтвердил вход.',
  name: 'Имя',
  password: 'Пароль',
  withPassword: 'Войти',
  link: 'Одноразовая ссылка или код',
  linkHint: 'Оператор выводит её командой owner sign-in-link. Она действует 30 минут и один раз.',
  withLink: 'Использовать ссылку',
  notACode: 'Ссылка или код неполные.',
};
