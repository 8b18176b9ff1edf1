/**
 * A sentence for display: on one line, without Markdown markup, and without anything that looks like a citation
 * marker. The snippet of its citation is not changed.
 */
export function toDisplayText(sentence: string): string {
  const bare = [LEADING, IMAGES, LINKS, STRONG, CODE]
    .reduce((text, [marks, content]) => text.replace(marks, content), sentence)
    .replace(EMPHASIS, '$1')
    .replace(CELLS, CELL)
    .replaceAll(/^(?: · )+|(?: · )+$/g, '')
    .replaceAll(/\s+/g, ' ');
  const cleaned = bare.replaceAll(REFERENCE, '').trim();
  return (cleaned === '' ? bare.trim() : cleaned).replaceAll(/\[(\s*\p{N}+\s*)\]/gu, '($1)');
}

type Rule = readonly [marks: RegExp, content: string];

const LEADING: Rule = [/^\s*(?:#{1,6}\s+|>\s+|[-*+•]\s+(?:\[[ xX]\]\s+)?)/gmu, ''];
const IMAGES: Rule = [/!\[([^\]\n]{0,300})\]\([^)\s]{0,500}\)/g, '$1'];
const LINKS: Rule = [/\[([^\]\n]{1,300})\]\([^)\s]{1,500}\)/g, '$1'];
const STRONG: Rule = [/(\*\*|__|~~)(?=\S)([^\n]{1,400}?)\1/g, '$2'];
const CODE: Rule = [/`{1,3}([^`\n]{1,400})`{1,3}/g, '$1'];
/** Not inside names: snake_case. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])[*_](?=\S)([^*_\n]{1,400})(?<=\S)[*_](?![\p{L}\p{N}*_])/gu;
const CELLS = /[^\S\n]*(?:\||\t)[^\S\n]*| {3,}/g;
const CELL = ' · ';
/** A footnote or reference mark. */
const REFERENCE = /\s?\[\s*\p{N}+\s*\]/gu;
