import { join } from 'node:path';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { indexText, indexObjectMetadata, type IndexedText } from '../core/search/index.ts';
import { fill, sample, type Filled } from './data.ts';
import { randomAt } from './data-sample.ts';

const PASSAGES_A_DOCUMENT = 20;
const BATCH = 50;
/** Length of a passage in characters, about the same as in the service. */
const PASSAGE = 600;
/** Words the documents are made of, the most frequent first. */
const VOCABULARY = 40_000;

const SYLLABLES = 'ba ke li mo nu ra se ti vo zu dar fen gil hok jun lam pir sol tek wam'.split(
  ' ',
);

/** Invented, so that no stemmer or list of stop words contains them. */
export function word(rank: number): string {
  let left = rank + SYLLABLES.length;
  let created = '';
  for (; left > 0; left = Math.floor(left / SYLLABLES.length))
    created += SYLLABLES[left % SYLLABLES.length] ?? '';
  return created;
}

/** The most frequent words act as stop words; questions use the others. */
const TELLING = 50;

/** Ranks as words of a language are used: the n-th 1/n as often as the first (Zipf). */
export const zipf = (random: () => number): number =>
  Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1);

export interface Library extends Filled {
  readonly passages: number;
  /** Classes by document frequency. */
  readonly words: { readonly rare: string; readonly mid: string; readonly common: string };
  /** Questions of a few words each. */
  readonly questions: readonly string[];
}

/** A workspace with that many passages of text, indexed by the service's own code. */
export async function fillLibrary(dataDir: string, passages: number): Promise<Library> {
  const filled = await fill(dataDir, 1);
  const database = openSqlite(join(dataDir, 'workspace.db'));
  const uow = new KnexUnitOfWork(database);
  const scope = { tenantId: filled.tenantId, ownerId: filled.ownerId };
  const random = randomAt(1);
  const documents = Math.ceil(passages / PASSAGES_A_DOCUMENT);
  let stored = 0;
  for (let done = 0; done < documents; done += BATCH) {
    const batch: { i: number; text: string; indexed: IndexedText }[] = [];
    for (let i = done; i < Math.min(documents, done + BATCH); i++) {
      const text = Array.from({ length: PASSAGES_A_DOCUMENT }, () => passage(random)).join('\n\n');
      batch.push({ i, text, indexed: await indexText(eventLoop, text, 'en') });
    }
    await uow.write(scope, async ({ objects, search, texts }) => {
      for (const { i, text, indexed } of batch) {
        const object = { ...sample(i, Date.now() - (documents - i) * 60_000), isHidden: false };
        await objects.save(object);
        await indexObjectMetadata(search, object);
        await search.put(object.id, indexed);
        const page = { page: 1, charStart: 0, charEnd: text.length };
        await texts.put({
          objectId: object.id,
          version: 1,
          source: 'native',
          language: 'en',
          text,
          pages: [page],
        });
        stored += indexed.length;
      }
    });
  }
  await database.close();
  const ask = randomAt(2);
  const questions = Array.from({ length: 400 }, () => {
    const words = Array.from({ length: 4 }, () => word(Math.max(TELLING, zipf(ask))));
    return `What is ${words.join(' ')}?`;
  });
  const words = { rare: word(30_000), mid: word(300), common: word(0) };
  return { ...filled, passages: stored, words, questions };
}

function passage(random: () => number): string {
  const sentences: string[] = [];
  for (let length = 0; length < PASSAGE;) {
    const words = Array.from({ length: 8 + Math.floor(random() * 10) }, () => word(zipf(random)));
    const sentence = `${words.join(' ').replace(/^./, (first) => first.toUpperCase())}.`;
    sentences.push(sentence);
    length += sentence.length + 1;
  }
  return sentences.join(' ');
}
