import { readFile } from 'node:fs/promises';
import { indexText, type IndexedText } from '../core/search/index.ts';
import type { StoredObject } from '../ports/objects.ts';

/** Range of an answer. Code points of the paragraph, end exclusive. */
export interface Gold {
  readonly charStart: number;
  readonly charEnd: number;
}

/** A paragraph of a question set, stored as an object. */
export interface Paragraph {
  readonly object: StoredObject;
  readonly article: number;
  readonly text: string;
  readonly indexed: IndexedText;
  readonly questions: readonly { readonly text: string; readonly gold: readonly Gold[] }[];
}

/** The format of SQuAD 1.1; `answer_start` counts code points. */
interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly {
        readonly question: string;
        readonly answers: readonly { readonly text: string; readonly answer_start: number }[];
      }[];
    }[];
  }[];
}

const scheduler = { yield: () => Promise.resolve() };

export async function readQuestionSet(
  path: string,
  language: string,
): Promise<readonly Paragraph[]> {
  const { data } = JSON.parse(await readFile(path, 'utf8')) as Squad;
  const paragraphs: Paragraph[] = [];
  for (const [article, { paragraphs: written }] of data.entries())
    for (const { context, qas } of written)
      paragraphs.push({
        object: textFile(paragraphs.length),
        article,
        text: context,
        indexed: await indexText(scheduler, context, language),
        questions: qas.map(({ question, answers }) => ({
          text: question,
          gold: answers.map(({ text, answer_start: charStart }) => ({
            charStart,
            charEnd: charStart + [...text].length,
          })),
        })),
      });
  return paragraphs;
}

/** A name that reveals nothing of the content. */
function textFile(index: number): StoredObject {
  const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const filename = `${'abcdefghij'.charAt(index % 10)}.txt`;
  return {
    id,
    filename,
    originalName: filename,
    aiName: '',
    nameSource: 'original',
    nameLocked: false,
    kind: 'text',
    mime: 'text/plain',
    format: 'txt',
    size: 1,
    contentHash: '0'.repeat(64),
    blobId: id,
    version: 1,
    status: 'ready',
    error: null,
    isHidden: false,
    deletedAt: null,
    collectionId: null,
    categories: [],
    docType: 'other',
    title: '',
    summary: '',
    meetingDate: null,
    suggestedName: null,
    suggestedReason: null,
    suggestedCollectionId: null,
    folderAnswered: false,
    sourceUrl: null,
    textState: 'available',
    hasCorrections: false,
    needsManual: false,
    createdAt: index,
    updatedAt: index,
  };
}
