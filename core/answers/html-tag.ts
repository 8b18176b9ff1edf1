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
/** Maximum number of attributes without a value of an unknown element. With more it is text: x <y and so on. */
const MAX_WORDS = 4;
const ADDRESS = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>$/i;

type Reading = 'beginning' | 'name' | 'attributes' | 'closing' | 'declaration' | 'address';

/** What may be an HTML tag, from `<` on, read one UTF-16 unit at a time. */
export class HtmlTag {
  /** As written so far. */
  text = '<';
  #reading: Reading = 'beginning';
  #name = '';
  #known = false;
  #quote = '';
  #inValue = false;
  #words = 0;
  /** After `=`, and whether a value was read. */
  #awaitsValue = false;
  #valued = false;

  /** Appends the unit, if what was written can continue with it. */
  continuesWith(unit: string): boolean {
    if (!this.#reads(unit)) return false;
    this.text += unit;
    this.#awaitsValue = unit === '=' || (this.#awaitsValue && /\s/.test(unit));
    return true;
  }

  /** Appends the unit, if it is the closing bracket. */
  endsWith(unit: string): boolean {
    if (unit !== '>' || this.#quote !== '' || this.#reading === 'beginning') return false;
    if (this.text.startsWith('<!--') && !(this.text.length > 5 && this.text.endsWith('--')))
      return false;
    if (/^<!\[CDATA\[/i.test(this.text) && !this.text.endsWith(']]')) return false;
    if (this.#reading === 'name') this.#recognize();
    this.text += unit;
    return true;
  }

  /** After its end: the text to show in its place, undefined for a tag. */
  shown(): string | undefined {
    const { text } = this;
    if (this.#reading === 'address') return ADDRESS.exec(text)?.[1] ?? text;
    const isTag =
      this.#reading === 'declaration' ||
      this.#reading === 'closing' ||
      /[=/]/.test(text) ||
      (this.#known && (this.#name.length > 1 || text.length === this.#name.length + 2));
    return isTag ? undefined : text;
  }

  /** At the end of the input: whether it is the beginning of a tag. */
  isUnclosed(): boolean {
    if (this.#reading === 'name') this.#recognize();
    if (this.#reading === 'name' || this.#reading === 'attributes')
      return (this.#known && this.#name.length > 1) || this.text.includes('=');
    return this.#reading === 'declaration' || (this.#reading === 'closing' && this.text.length > 2);
  }

  #recognize(): void {
    this.#known = ELEMENTS.has(this.#name.toLowerCase());
  }

  #reads(unit: string): boolean {
    switch (this.#reading) {
      case 'beginning':
        return this.#begins(unit);
      case 'name':
        return this.#readsName(unit);
      case 'attributes':
        return this.#readsAttributes(unit);
      case 'closing':
        return /[a-z0-9:\s-]/i.test(unit);
      case 'declaration':
        return true;
      case 'address':
        return !/[\s<]/.test(unit);
    }
  }

  #begins(unit: string): boolean {
    if (/[a-z]/i.test(unit)) [this.#reading, this.#name] = ['name', unit];
    else if (unit === '/') this.#reading = 'closing';
    else if (unit === '!' || unit === '?') this.#reading = 'declaration';
    else if (/[^\s<>=]/.test(unit)) this.#reading = 'address';
    else return false;
    return true;
  }

  #readsName(unit: string): boolean {
    if (/[a-z0-9-]/i.test(unit)) {
      this.#name += unit;
    } else if (/[\s/]/.test(unit)) {
      this.#reading = 'attributes';
      this.#recognize();
    } else {
      this.#reading = 'address';
      return !/[\s<]/.test(unit);
    }
    return true;
  }

  #readsAttributes(unit: string): boolean {
    if (this.#quote !== '') {
      if (unit === this.#quote) this.#quote = '';
      return true;
    }
    if (/["']/.test(unit) && (this.#known || this.#awaitsValue)) {
      this.#quote = unit;
      this.#inValue = false;
      return true;
    }
    if (unit === '<') return false;
    if (this.#known && this.#name.length > 1) return true;
    if (unit === '=') {
      [this.#inValue, this.#valued] = [true, true];
    } else if (/\s/.test(unit)) {
      this.#inValue &&= this.#awaitsValue;
      this.#words += 1;
    } else if (!this.#inValue && !/[a-z0-9_/:@-]/i.test(unit)) return false;
    return this.#words <= MAX_WORDS || this.#valued;
  }
}
