import type { Messages } from '../messages.ts';

export const signIn: Messages['signIn'] = {
  title: '登录',
  withPasskey: '使用通行密钥登录',
  passkeyCancelled: '未使用通行密钥。请重试或换一种方式。',
  withProvider: (provider: string) => `使用 ${provider} 登录`,
  providerUnavailable: '身份提供方没有响应。请重试或换一种方式。',
  providerRefused: '身份提供方未确认登录。',
  name: '名称',
  password: '密码',
  withPassword: '登录',
  link: '一次性链接或代码',
  linkHint: '运营者用 owner sign-in-link 生成。30 分钟内有效，仅限一次。',
  withLink: '使用链接',
  notACode: '链接或代码不完整。',
};
