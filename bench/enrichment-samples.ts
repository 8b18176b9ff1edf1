import { readFileSync } from 'node:fs';
import type { DocType } from '../ports/objects.ts';
import type { ObjectKind } from '../ports/text-extraction.ts';

/** A labelled document: what it is, in which language, what its file is called, and its text. */
export interface Sample {
  readonly docType: DocType;
  readonly language: string;
  readonly filename: string;
  readonly kind: ObjectKind;
  readonly format: string;
  readonly text: string;
}

/** The tuning set; the held-out set; the set written after tuning. */
export const SAMPLE_PARTS = ['tuning', 'held-out', 'fresh'] as const;
export type SamplePart = (typeof SAMPLE_PARTS)[number];

const FOLDER = new URL('../contract-tests/samples/doc-types/', import.meta.url);

const KINDS: Readonly<Record<string, ObjectKind>> = {
  pdf: 'pdf',
  docx: 'document',
  html: 'document',
  epub: 'document',
  eml: 'email',
  md: 'text',
  txt: 'text',
};

/** The samples of one part: a line `=== TYPE LANGUAGE FILENAME`, then the text. */
export function readSamples(part: SamplePart): readonly Sample[] {
  const content = readFileSync(new URL(`${part}.txt`, FOLDER), 'utf8');
  return content
    .split(/^=== /m)
    .filter((each) => each !== '')
    .map((each) => {
      const [, docType = '', language = '', filename = ''] = /^(\S+) (\S+) (.+)$/m.exec(each) ?? [];
      const format = filename.split('.').at(-1) ?? '';
      return {
        docType: docType as DocType,
        language,
        filename,
        kind: KINDS[format] ?? 'other',
        format,
        text: each.slice(each.indexOf('\n') + 1).trimEnd(),
      };
    });
}
