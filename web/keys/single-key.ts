const SINGLE = /^(\S )?(Shift\+)?\S$/u;

/** Whether a key, or two in turn, act without Ctrl or Alt and are of letters, digits or signs: `n`, `Shift+N`, `g l`. */
export const isSingleKey = (key: unknown): key is string =>
  typeof key === 'string' && SINGLE.test(key);
