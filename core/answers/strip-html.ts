import { HtmlTag } from './html-tag.ts';
import { endsInBlankLine, GAP, MAX_HELD_BACK, type Stage } from './stages.ts';

/** Elements that separate text; without them words would run together. */
const PARTING =
  /^<\/?(?:br|p|div|li|ul|ol|tr|td|th|dd|dt|hr|h[1-6]|table|section|article)(?![a-z0-9-])/i;

/**
 * Removes HTML from a text, and the angle brackets of `<https://…>`. Text that only resembles a tag remains: a < b.
 */
export function stripHtml(next: Stage): Stage {
  /** Held back. */
  let tag: HtmlTag | undefined;

  function release(text = tag?.text ?? ''): void {
    tag = undefined;
    for (const unit of text.split('')) next.push(unit);
  }

  function drop({ text }: HtmlTag): void {
    tag = undefined;
    next.push(PARTING.test(text) ? ' ' : GAP);
  }

  return {
    push(unit) {
      if (typeof unit !== 'string') {
        release();
        next.push(unit);
      } else if (!tag) {
        if (unit === '<') tag = new HtmlTag();
        else next.push(unit);
      } else if (unit === GAP) {
        return;
      } else if (tag.endsWith(unit)) {
        const shown = tag.shown();
        if (shown === undefined) drop(tag);
        else release(shown);
      } else if (!tag.continuesWith(unit)) {
        release();
        this.push(unit);
      } else if (tag.text.length >= MAX_HELD_BACK || (unit === '\n' && endsInBlankLine(tag.text))) {
        release();
      }
    },
    end() {
      if (tag?.isUnclosed()) drop(tag);
      else release();
      next.end();
    },
  };
}
