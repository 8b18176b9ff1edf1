import { effect, signal } from '@preact/signals';

export type ColourScheme = 'auto' | 'light' | 'dark';

export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name of the owner's time zone; the device's own until the settings are read. */
export const timeZone = signal(deviceZone);
export const colourScheme = signal<ColourScheme>('auto');
/** Whether keys without Ctrl act (WCAG 2.1.4). */
export const hasSingleKeys = signal(true);
/** Keys that the owner chose instead of the usual ones, by the id of their action. */
export const ownKeys = signal<ReadonlyMap<string, string>>(new Map());
export const isDense = signal(false);

effect(() => {
  const { dataset } = document.documentElement;
  if (colourScheme.value === 'auto') delete dataset['theme'];
  else dataset['theme'] = colourScheme.value;
});
effect(() => void document.documentElement.toggleAttribute('data-dense', isDense.value));
