/** Keys as they are written on the keyboard. */
export const KeyNames = ({ keys }: { keys: readonly string[] }) => (
  <span class="key-names">
    {keys.map((key) => (
      <kbd key={key}>{nameOf(key)}</kbd>
    ))}
  </span>
);

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES = new Map(
  Object.entries({
    ArrowDown: '↓',
    ArrowUp: '↑',
    ArrowLeft: '←',
    ArrowRight: '→',
    Escape: 'Esc',
    Delete: 'Del',
  }),
);

export const nameOf = (key: string): string =>
  key
    .split(' ')
    .map((each) =>
      each
        .split('+')
        .map((part) => (part === 'Ctrl' && isApple ? '⌘' : (NAMES.get(part) ?? part)))
        .join(isApple ? '' : ' '),
    )
    .join(' ');
