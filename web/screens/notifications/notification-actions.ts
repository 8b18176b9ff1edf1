import { t } from '../../i18n/notifications.ts';
import type { Action } from '../../keys/action.ts';

interface ActionContext {
  /** Moves the focus by so many notifications. */
  readonly step: (by: 1 | -1) => void;
  /** The notification that has the focus. */
  readonly focused: () => string | undefined;
  readonly read: (ids: readonly string[] | 'all') => void;
  readonly remove: (id: string) => void;
}

/** What the keyboard and the palette do in the list of notifications. */
export const notificationActions = (context: ActionContext): readonly Action[] => {
  const { step, focused, read, remove } = context;
  const onFocused = (run: (id: string) => void) => () => {
    const id = focused();
    if (id !== undefined) run(id);
  };
  const isFocused = () => focused() !== undefined;
  return [
    {
      id: 'notification-next',
      group: 'list',
      label: () => t().notificationsText.next,
      keys: ['j', 'ArrowDown'],
      notInPalette: true,
      run: () => step(1),
    },
    {
      id: 'notification-previous',
      group: 'list',
      label: () => t().notificationsText.previous,
      keys: ['k', 'ArrowUp'],
      notInPalette: true,
      run: () => step(-1),
    },
    {
      id: 'notification-read',
      group: 'list',
      label: () => t().notificationsText.read,
      keys: ['m'],
      notInPalette: true,
      isEnabled: isFocused,
      run: onFocused((id) => read([id])),
    },
    {
      id: 'notification-remove',
      group: 'list',
      label: () => t().notificationsText.remove,
      keys: ['#', 'Delete'],
      notInPalette: true,
      isEnabled: isFocused,
      run: onFocused(remove),
    },
    {
      id: 'notifications-read',
      group: 'list',
      label: () => t().notificationsText.readAll,
      keys: ['Shift+M'],
      run: () => read('all'),
    },
  ];
};
