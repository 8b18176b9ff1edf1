import type { Messages } from '../messages.ts';

export const errors: Messages['errors'] = {
  offline: '无法连接到服务。请检查网络。',
  unknown: '出错了。',
  unreadable: '无法读取响应。请重试。',
  notLoadedTitle: '应用的一部分无法加载',
  notLoaded: '请检查网络并重新加载页面。',
  codes: {
    not_found: '它已不存在。',
    forbidden: '不允许此操作。',
    plan_limit: '已达到套餐上限。',
    rate_limited: '请求过多，请稍候。',
    unavailable: '服务繁忙，请几秒后重试。',
    version_conflict: '它已在别处被修改。',
    in_trash: '它在回收站中。',
    sign_in_failed: '链接已使用或已过期，或输入有误。',
    sign_in_again: '请先重新登录再执行此操作。',
    last_sign_in: '这是最后一种登录方式，请先添加另一种。',
    wrong_password: '当前密码不正确。',
    passkeys_unavailable: '通行密钥需要带主机名的地址：https 或 localhost。',
    passkey_rejected: '无法验证通行密钥，请重新开始。',
    internal: '服务出现故障。若再次发生，请把编号告知运营者。',
  },
};
