import type { CommonPasswords } from '../../ports/common-passwords.ts';

const MAX_RANK = 10_000;

/** The list of zxcvbn, ordered by frequency. It is loaded at the first use: most processes never need it. */
export function zxcvbnCommonPasswords(): CommonPasswords {
  let common: Promise<ReadonlySet<string>> | undefined;
  return {
    has: async (password) => (await (common ??= load())).has(password.toLowerCase()),
  };
}

async function load(): Promise<ReadonlySet<string>> {
  const { rankedPasswords } = await import('./common-password-list.ts');
  return new Set(rankedPasswords.slice(0, MAX_RANK).map((each) => each.toLowerCase()));
}
