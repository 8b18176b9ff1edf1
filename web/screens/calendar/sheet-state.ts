import { signal } from '@preact/signals';
import type { Times, Scope } from './changes.ts';
import type { CalendarEvent, Item } from './items.ts';
import type { Wall } from './days.ts';

/** What is asked before a series changes. */
export interface ScopeQuestion {
  readonly item: Item;
  readonly kind: 'move' | 'delete';
  /** Where the whole series can not follow. */
  readonly onlyOne: boolean;
  readonly run: (scope: Scope) => Promise<void>;
}

/** The dialog over the calendar. */
export type CalendarDialog =
  | { readonly kind: 'event'; readonly item: Item }
  | { readonly kind: 'new'; readonly times: Times }
  | { readonly kind: 'edit'; readonly item: Item; readonly event: CalendarEvent }
  | { readonly kind: 'scope'; readonly question: ScopeQuestion };

export const calendarDialog = signal<CalendarDialog | undefined>(undefined);

export const closeDialog = (): void => {
  calendarDialog.value = undefined;
};

/** Where an event would be if it were dropped now, or what a new one would take. */
export interface Ghost {
  readonly key: string;
  readonly start: Wall;
  readonly end: Wall;
}
export const ghost = signal<Ghost | undefined>(undefined);

/** The event that keys act on: the one that has, or last had, the focus. */
export const currentKey = signal<string | undefined>(undefined);

/** Whether the agenda stands beside the grid. */
export const isPanelOpen = signal(true);
