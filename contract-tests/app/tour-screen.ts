import type { Page } from 'playwright-core';
import type { Scene } from './tour-scene.ts';

/** A screen in one of its states. */
export interface TourScreen {
  readonly name: string;
  readonly path: string | ((scene: Scene) => string);
  /** Whose workspace it is: one with documents unless it is given. */
  readonly owner?: 'empty' | 'none';
  /** Leads from the opened path to the state, and waits for it. */
  readonly reach: (page: Page) => Promise<unknown>;
  /** The widths that have this state, if not all. */
  readonly widths?: readonly number[];
}
