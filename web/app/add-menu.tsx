import { signal } from '@preact/signals';

/** Whether the menu of what can be added is open. */
export const isAddMenuOpen = signal(false);

export const openAddMenu = (): void => {
  isAddMenuOpen.value = true;
};
