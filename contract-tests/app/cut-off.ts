import type { Page } from 'playwright-core';

/** Runs in the page. What scrolls or is hidden on purpose is left out. */
const CUT_OFF = `[...document.querySelectorAll('main :is(a, button, input, h1, h2, h3, label)')]
  .filter((each) => !each.closest('.vh, .filters') && each.checkVisibility())
  .filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    return width > 0 && (left < 0 || right > innerWidth + 0.5);
  })
  .map((each) => each.outerHTML.slice(0, 120))`;

/** The controls and headings of the screen that reach beyond the window. */
export const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(CUT_OFF);
