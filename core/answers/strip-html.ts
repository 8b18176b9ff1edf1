import { endsInBlankLine, GAP, MAX_HELD_BACK, type Stage } from './stages.ts';

/** Known HTML elements. */
const ELEMENTS = new Set(
  `a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
   button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed
   feimage fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
   iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu meta meter
   nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rp
   rt ruby s samp script search section select set slot small source span strike strong style sub summary sup svg table tbody
   td template textarea tfoot th thead time title tr track tt u ul use var video wbr xmp`
    .trim()
    .split(/\s+/),
);
/** Elements that separate text; without them words would run together. */
const PARTING =
  /^<\/?(?:br|p|div|li|ul|ol|tr|td|th|dd|dt|hr|h[1-6]|table|section|article)(?![a-z0-9-])/i;

/** Maximum number of attributes without a value of an unknown element. With more it is text: x <y and so on. */
const MAX_WORDS = 4;
const ADDRESS = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>$/i;

type Reading = 'beginning' | 'name' | 'attributes' | 'closing' | 'declaration' | 'address';

/**
 * Removes HTML from a text, and the angle brackets of `<https://…>`. Text that only resembles a tag remains: a < b.
 */
export function stripHtml(next: Stage): Stage {
  /** From `<` on. */
  let held = '';
  let reading: Reading = 'beginning';
  let name = '';
  let known = false;
  let quote = '';
  let inValue = false;
  let words = 0;
  /** After `=`, and whether a value was read. */
  let awaitsValue = false;
  let valued = false;

  function release(): void {
    const plain = held;
    held = '';
    for (const unit of plain.split('')) next.push(unit);
  }

  function drop(): void {
    next.push(PARTING.test(held) ? ' ' : GAP);
    held = '';
  }

  function finish(): void {
    if (reading === 'address') {
      const address = ADDRESS.exec(held)?.[1];
      if (address !== undefined) held = address;
      release();
    } else if (reading === 'declaration' || reading === 'closing' || /[=/]/.test(held)) {
      drop();
    } else if (known && (name.length > 1 || held.length === name.length + 2)) {
      drop();
    } else {
      release();
    }
  }

  /** Whether the tag continues with this character. */
  function reads(unit: string): boolean {
    switch (reading) {
      case 'beginning':
        if (/[a-z]/i.test(unit)) [reading, name] = ['name', unit];
        else if (unit === '/') reading = 'closing';
        else if (unit === '!' || unit === '?') reading = 'declaration';
        else if (/[^\s<>=]/.test(unit)) reading = 'address';
        else return false;
        return true;
      case 'name':
        if (/[a-z0-9-]/i.test(unit)) {
          name += unit;
        } else if (/[\s/]/.test(unit)) {
          reading = 'attributes';
          known = ELEMENTS.has(name.toLowerCase());
        } else {
          reading = 'address';
          return !/[\s<]/.test(unit);
        }
        return true;
      case 'attributes':
        return readsAttributes(unit);
      case 'closing':
        return /[a-z0-9:\s-]/i.test(unit);
      case 'declaration':
        return true;
      case 'address':
        return !/[\s<]/.test(unit);
    }
  }

  function readsAttributes(unit: string): boolean {
    if (quote !== '') {
      if (unit === quote) quote = '';
      return true;
    }
    if (/["']/.test(unit) && (known || awaitsValue)) {
      quote = unit;
      inValue = false;
      return true;
    }
    if (unit === '<') return false;
    if (known && name.length > 1) return true;
    if (unit === '=') [inValue, valued] = [true, true];
    else if (/\s/.test(unit)) [inValue, words] = [inValue && awaitsValue, words + 1];
    else if (!inValue && !/[a-z0-9_/:@-]/i.test(unit)) return false;
    return words <= MAX_WORDS || valued;
  }

  function ends(unit: string): boolean {
    if (unit !== '>' || quote !== '' || reading === 'beginning') return false;
    if (held.startsWith('<!--')) return held.length > 5 && held.endsWith('--');
    if (/^<!\[CDATA\[/i.test(held)) return held.endsWith(']]');
    if (reading === 'name') known = ELEMENTS.has(name.toLowerCase());
    return true;
  }

  return {
    push(unit) {
      if (typeof unit !== 'string') {
        release();
        next.push(unit);
      } else if (held === '') {
        if (unit !== '<') return next.push(unit);
        held = unit;
        [reading, name, known, quote] = ['beginning', '', false, ''];
        [inValue, words, awaitsValue, valued] = [false, 0, false, false];
      } else if (unit === GAP) {
        return;
      } else if (ends(unit)) {
        held += unit;
        finish();
      } else if (!reads(unit)) {
        release();
        this.push(unit);
      } else {
        held += unit;
        awaitsValue = unit === '=' || (awaitsValue && /\s/.test(unit));
        if (held.length >= MAX_HELD_BACK || (unit === '\n' && endsInBlankLine(held))) release();
      }
    },
    end() {
      if (reading === 'name') known = ELEMENTS.has(name.toLowerCase());
      const tag = reading === 'name' || reading === 'attributes';
      const unclosed = tag
        ? (known && name.length > 1) || held.includes('=')
        : reading === 'declaration' || (reading === 'closing' && held.length > 2);
      if (held !== '' && unclosed) drop();
      else release();
      next.end();
    },
  };
}
