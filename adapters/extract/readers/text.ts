import { normalizeText, cleanText } from './text-normalization.ts';
import { decodeText } from './decode.ts';
import type { ReaderResult } from './reader-result.ts';

/** Formats of the kind `text` with natural language; the others are for machines. */
const PROSE = new Set([
  '',
  'txt',
  'md',
  'log',
  'csv',
  'tsv',
  'rst',
  'adoc',
  'tex',
  'org',
  'srt',
  'vtt',
]);

const TITLE_WITHIN = 20_000;

/** Plain text, Markdown, tables and source code: the file is the text. */
export async function readText(bytes: Uint8Array, format: string): Promise<ReaderResult> {
  const text = cleanText(await decodeText(bytes));
  return {
    source: 'native',
    title: format === 'md' ? markdownTitle(normalizeText(text.slice(0, TITLE_WITHIN))) : '',
    pages: [{ text, continues: false }],
    prose: PROSE.has(format),
  };
}

/** `title` of the front matter, else the first heading of the first level. */
function markdownTitle(text: string): string {
  const front = /^---\n([^]{0,4000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text)?.[1] ?? '';
  const declared = /^title:[ \t]*(.+)$/m.exec(front)?.[1]?.trim();
  if (declared !== undefined) return declared.replace(/^(["'])(.*)\1$/, '$2');
  const lines = text.split('\n', 200);
  const at = lines.findIndex((line, i) => /^# \S/.test(line) || /^=+\s*$/.test(lines[i + 1] ?? ''));
  return at < 0 ? '' : lines[at]!.replace(/^#\s+|\s+#*$/g, '');
}
