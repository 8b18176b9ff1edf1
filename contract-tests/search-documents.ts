import fc from 'fast-check';
import { indexText, indexObjectMetadata } from '../core/search/index.ts';
import type { StoredObject } from '../ports/objects.ts';
import type { SearchFilter } from '../ports/search.ts';
import type { Stores } from '../ports/unit-of-work.ts';
import { anObject } from './samples.ts';

export const EVERYTHING: SearchFilter = { visibility: 'visible' };
export const immediateScheduler = { yield: () => Promise.resolve() };

export interface Document {
  readonly object: StoredObject;
  readonly text: string;
}

let moment = 0;

/** An object with a text, later than the one before. */
export const aDocument = (text: string, over: Partial<StoredObject> = {}): Document => ({
  object: anObject({ filename: 'untitled.txt', kind: 'text', createdAt: ++moment, ...over }),
  text,
});

/** Saves and indexes as an upload that has been read. */
export async function indexDocuments(
  stores: Pick<Stores, 'objects' | 'search'>,
  documents: readonly Document[],
  language = 'en',
): Promise<void> {
  for (const { object, text } of documents) {
    await stores.objects.save(object);
    await indexObjectMetadata(stores.search, object);
    await stores.search.put(object.id, await indexText(immediateScheduler, text, language));
  }
}

const VOCABULARY = [
  'contract',
  'contracts',
  'tenant',
  'landlord',
  'rent',
  'monthly',
  'the',
  'of',
  'deposit',
  'договор',
  'договоры',
  'аренда',
  'Miete',
  'Mietvertrag',
  'café',
  'CAFÉ',
  '数据库',
  '据',
  '2024',
  'INV-7',
  '𝕏',
  '👩🏽‍🚀',
  '.',
  '. ',
  '\n\n',
  ',',
] as const;

/** Texts of few words, so that documents have much in common. */
export const documentTexts = (): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 40 }).map((words) => words.join(' '));

export const queries = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom('', '', '', '-', '"'),
        fc.constantFrom(...VOCABULARY, 'ren*', 'contract tenant'),
        fc.constantFrom('', '', '"', '*'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.map((part) => part.join('')).join(' '))
    .filter((query) => query.trim() !== '');

/** The part of a text between two offsets in code points. */
export const slice = (text: string, start: number, end: number): string =>
  [...text].slice(start, end).join('');
