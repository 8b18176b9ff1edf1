/**
 * How models mark their reasoning in the text of an answer, and the answer after it. All patterns are sticky and
 * describe one marker.
 */

const WORDS = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reflection'];
const NAMES = [
  ...WORDS.flatMap((word) => [word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)]),
  'antThinking',
  'antthinking',
  'seed:think',
].join('|');
const PIPE = '[|｜]';
/** A header of the harmony format: `<|start|>assistant<|channel|>analysis<|message|>`. */
const HEADER = String.raw`(?:<\|start\|>[^<]{0,80})?<\|channel\|>\s*`;

/** Reasoning begins: `<think>`, `[THINK]`, `<|begin_of_thought|>`, `◁think▷`, the channels but the final one. */
const OPENING = [
  `<(?:${NAMES})(?:\\s[^<>]{0,60})?>`,
  String.raw`\[(?:THINKING|THINK|REASONING)\]`,
  `<${PIPE}(?:begin_of_|begin_|start_of_|start_|START_)?(?:${NAMES})${PIPE}>`,
  '◁think▷',
  String.raw`${HEADER}(?!final\b)\w[^<]{0,80}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>`,
];

/** Reasoning ends. Without an opening, everything before it is reasoning: some templates open it in the prompt. */
const CLOSING = [
  `</(?:${NAMES})\\s*>`,
  String.raw`\[/(?:THINKING|THINK|REASONING)\]`,
  `<${PIPE}(?:/|end_of_|end_|END_)(?:${NAMES})${PIPE}>`,
  '◁/think▷',
  String.raw`${HEADER}final\b[^<]{0,80}<\|message\|>`,
  `<${PIPE}(?:begin_of_solution|begin_of_answer|START_RESPONSE)${PIPE}>`,
  String.raw`\[BEGIN FINAL RESPONSE\]`,
];

/** Other markers, which are no text of the answer. */
const FRAME = [
  String.raw`<\|start\|>[^<]{0,80}<\|message\|>`,
  String.raw`<\|(?:end|return|call|im_end)\|>`,
  `<${PIPE}(?:end_of_solution|end_of_answer|END_RESPONSE)${PIPE}>`,
  String.raw`\[END FINAL RESPONSE\]`,
];

const oneOf = (patterns: readonly string[]) => new RegExp(patterns.join('|'), 'y');

export type MarkerKind = 'opening' | 'closing' | 'frame';

const KINDS: readonly (readonly [MarkerKind, RegExp])[] = [
  ['opening', oneOf(OPENING)],
  ['closing', oneOf(CLOSING)],
  ['frame', oneOf(FRAME)],
];

/** Where a marker may begin. */
export const MARKER_START = /[<[◁]/g;

/** Limit of a marker, in UTF-16 units. */
const MAX_MARKER = 320;

/** The marker at an index of a text. */
export function markerAt(
  text: string,
  index: number,
): { readonly kind: MarkerKind; readonly length: number } | undefined {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = index;
    const found = pattern.exec(text);
    if (found) return { kind, length: found[0].length };
  }
  return undefined;
}

/** The beginnings of markers. A text that continues none of them is no marker. */
const BEGINNING = new RegExp(
  [
    `</?[A-Za-z:]{0,12}(?:\\s[^<>]{0,60})?`,
    String.raw`\[/?[A-Z ]{0,20}`,
    `<${PIPE}/?[A-Za-z_]{0,20}${PIPE}?`,
    '◁/?[a-z]{0,5}',
    // A header whose message has not begun.
    String.raw`(?:<\|(?:start|channel|constrain)\|>[^<]{0,80}){1,3}(?:<(?:\|[a-z]{0,10}\|?)?)?`,
  ]
    .map((pattern) => `(?:${pattern})$`)
    .join('|'),
  'y',
);

/** Whether the rest of a text from an index may become a marker when more arrives. */
export function mayBecomeMarker(text: string, index: number): boolean {
  if (text.length - index > MAX_MARKER) return false;
  BEGINNING.lastIndex = index;
  return BEGINNING.test(text);
}
