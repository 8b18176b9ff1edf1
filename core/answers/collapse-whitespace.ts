import { GAP, type Stage } from './stages.ts';

const SPACE = /^[ \t\u00a0\u202f\u3000]$/;
const PUNCTUATION = /^[.,;:!?…)\]}»”。，；：！？、）】」]$/;
/** White space allowed at the beginning of a line. */
const WIDEST_INDENTATION = 40;

/**
 * Collapses white space where something was removed: none before punctuation or at the end of a line, no double
 * spaces, no empty parentheses. Line breaks remain.
 */
export function collapseWhitespace(next: Stage): Stage {
  let spaces = '';
  let atStart = true;
  /** Something was removed or inserted since the last unit. */
  let touched = false;
  let parenthesis = '';
  let beforeParenthesis = '';

  function pushSpaces(): void {
    if (atStart && !touched) for (const space of spaces) next.push(space);
    else if (!atStart && spaces !== '')
      next.push(/[ \t]/.test(spaces.charAt(0)) ? ' ' : spaces.charAt(0));
    spaces = '';
  }

  function pushParenthesis(): void {
    if (parenthesis === '') return;
    const inside = spaces;
    const was = touched;
    [spaces, touched] = [beforeParenthesis, false];
    pushSpaces();
    next.push(parenthesis);
    [spaces, touched, atStart, parenthesis] = [inside, was, false, ''];
  }

  function plain(unit: string): void {
    if (touched && PUNCTUATION.test(unit)) spaces = '';
    pushSpaces();
    next.push(unit);
    [touched, atStart] = [false, false];
  }

  return {
    push(unit) {
      if (unit === GAP) {
        touched = true;
      } else if (typeof unit !== 'string') {
        pushParenthesis();
        touched ||= atStart;
        pushSpaces();
        next.push(unit);
        [touched, atStart] = [true, false];
      } else if (SPACE.test(unit)) {
        if (spaces.length < WIDEST_INDENTATION) spaces += unit;
      } else if (unit === '\n') {
        pushParenthesis();
        next.push(unit);
        [spaces, touched, atStart] = ['', false, true];
      } else if (/^[)）]$/.test(unit) && parenthesis !== '' && touched) {
        [spaces, parenthesis] = [beforeParenthesis, ''];
      } else {
        pushParenthesis();
        if (/^[(（]$/.test(unit)) {
          [parenthesis, beforeParenthesis, spaces, touched] = [
            unit,
            touched && atStart ? '' : spaces,
            '',
            false,
          ];
        } else plain(unit);
      }
    },
    end() {
      pushParenthesis();
      next.end();
    },
  };
}
