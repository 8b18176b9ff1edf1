/**
 * Measures the citations of a scripted model on texts of the repository, and with a folder also search and answers on
 * question sets in SQuAD format: `npm run bench:answers -- [FOLDER] [--backend sqlite]`. Every file of the folder
 * named `….LANGUAGE.json` is one set. Each paragraph becomes an object, and each question is sent against all of
 * them: as a search query, and as a question.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { MemoryUnitOfWork } from '../adapters/memory/unit-of-work.ts';
import { answerQuestion, type DocumentAnswer } from '../core/answers/index.ts';
import { findObjects, indexObjectMetadata } from '../core/search/index.ts';
import type { SearchFilter } from '../ports/search.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { textsOfRepository } from './citation-texts.ts';
import { measureCitations } from './citations.ts';
import { readQuestionSet, type Gold, type Paragraph } from './question-sets.ts';

const SCOPE = { tenantId: 'tenant', ownerId: 'owner' };
const EVERYTHING: SearchFilter = { visibility: 'visible' };
/** Removing an article is slow; this many are removed in turn. */
const ARTICLES_LEFT_OUT = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string', default: 'memory' } },
});
const [folder] = positionals;
if (!['memory', 'sqlite'].includes(values.backend)) {
  console.error('Usage: npm run bench:answers -- [FOLDER] [--backend memory|sqlite]');
  process.exit(2);
}

async function openBackend(name: string): Promise<{ uow: UnitOfWork; close: () => Promise<void> }> {
  if (name === 'memory') return { uow: new MemoryUnitOfWork(), close: () => Promise.resolve() };
  const directory = await mkdtemp(join(tmpdir(), 'bench-answers-'));
  const database = openSqlite(join(directory, 'bench.db'));
  await migrate(database);
  return {
    uow: new KnexUnitOfWork(database),
    close: async () => {
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function include(uow: UnitOfWork, paragraphs: readonly Paragraph[]): Promise<void> {
  await uow.write(SCOPE, async ({ search }) => {
    for (const { object, indexed } of paragraphs) {
      await indexObjectMetadata(search, object);
      await search.put(object.id, indexed);
    }
  });
}

const exclude = (uow: UnitOfWork, paragraphs: readonly Paragraph[]): Promise<void> =>
  uow.write(SCOPE, async ({ search }) => {
    for (const { object } of paragraphs) await search.drop(object.id);
  });

const ask = (uow: UnitOfWork, question: string): Promise<DocumentAnswer> =>
  uow.read(SCOPE, (stores) => answerQuestion(stores, question, EVERYTHING));

async function measureSearch(uow: UnitOfWork, paragraphs: readonly Paragraph[]) {
  const times: number[] = [];
  let [gain, count] = [0, 0];
  for (const { object, questions } of paragraphs)
    for (const { text } of questions) {
      const started = performance.now();
      const { items } = await uow.read(SCOPE, ({ search }) =>
        findObjects(search, text, EVERYTHING, { limit: 10, offset: 0 }),
      );
      times.push(performance.now() - started);
      const rank = items.findIndex(({ objectId }) => objectId === object.id);
      if (rank >= 0) gain += 1 / Math.log2(rank + 2);
      count += 1;
    }
  return { search: (gain / count).toFixed(4), 'search ms p50/p95': spread(times) };
}

async function measureAnswers(uow: UnitOfWork, paragraphs: readonly Paragraph[]) {
  const times: number[] = [];
  const within = new Map([1, 3, 5].map((n) => [n, 0]));
  let [count, silent, citations, letters] = [0, 0, 0, 0];
  for (const { object, questions } of paragraphs)
    for (const { text, gold } of questions) {
      const started = performance.now();
      const answer = await ask(uow, text);
      times.push(performance.now() - started);
      count += 1;
      citations += answer.citations.length;
      letters += answer.citations[0]?.snippet.length ?? 0;
      if (answer.citations.length === 0) silent += 1;
      const rank = answer.citations.findIndex((c) => c.objectId === object.id && holds(c, gold));
      for (const [n, hits] of within) if (rank >= 0 && rank < n) within.set(n, hits + 1);
    }
  return {
    ...Object.fromEntries(
      [...within].map(([n, hits]) => [`cited@${n}`, (hits / count).toFixed(3)]),
    ),
    'wrongly refused': (silent / count).toFixed(3),
    citations: (citations / count).toFixed(2),
    'first, letters': (letters / (count - silent)).toFixed(0),
    'ask ms p50/p95': spread(times),
  };
}

const holds = (cited: Gold, gold: readonly Gold[]): boolean =>
  gold.some(({ charStart, charEnd }) => cited.charStart <= charStart && cited.charEnd >= charEnd);

async function measureSilence(uow: UnitOfWork, paragraphs: readonly Paragraph[]) {
  const articles = [...new Set(paragraphs.map(({ article }) => article))];
  const step = Math.max(1, Math.floor(articles.length / ARTICLES_LEFT_OUT));
  const tally = { article: [0, 0], paragraph: [0, 0] };
  const count = async (taken: readonly Paragraph[], sums: number[]) => {
    await exclude(uow, taken);
    for (const { questions } of taken)
      for (const { text } of questions) {
        const { citations } = await ask(uow, text);
        sums[0] = (sums[0] ?? 0) + (citations.length === 0 ? 1 : 0);
        sums[1] = (sums[1] ?? 0) + 1;
      }
    await include(uow, taken);
  };
  for (const article of articles.filter((_, i) => i % step === 0)) {
    const members = paragraphs.filter((paragraph) => paragraph.article === article);
    await count(members, tally.article);
    for (const member of members) await count([member], tally.paragraph);
  }
  const share = ([silent = 0, all = 1]: number[]) => (silent / all).toFixed(3);
  return {
    'off-topic refused': share(tally.article),
    'refused, no paragraph': share(tally.paragraph),
  };
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)}/${at(0.95)}`;
}

const cited: Record<string, Record<string, string>> = {};
for (const [language, texts] of textsOfRepository())
  if (texts.length > 1) cited[`repository, ${language}`] = await measureCitations(texts, language);

const table: Record<string, Record<string, string>> = {};
for (const file of folder === undefined ? [] : (await readdir(folder)).sort()) {
  const language = /\.([a-z]{2})\.json$/.exec(file)?.[1];
  if (language === undefined) continue;
  const paragraphs = await readQuestionSet(join(folder ?? '', file), language);
  cited[file] = await measureCitations(
    paragraphs.map(({ text }) => text),
    language,
  );
  const { uow, close } = await openBackend(values.backend);
  try {
    await uow.write(SCOPE, async (stores) => {
      for (const { object } of paragraphs) await stores.objects.save(object);
    });
    await include(uow, paragraphs);
    table[file] = {
      ...(await measureSearch(uow, paragraphs)),
      ...(await measureAnswers(uow, paragraphs)),
      ...(await measureSilence(uow, paragraphs)),
    };
  } finally {
    await close();
  }
}
console.table(cited);
console.log(`
Of quotations of 6 to 40 words, how many are kept as citations: of those that are quoted exactly or with a tenth of the
words changed it should be all, of those that are made up none.`);
if (folder !== undefined) {
  console.table(table);
  console.log(`
search     nDCG@10 of the paragraph a question was made for, the question being the query
cited@n    share of questions with the answer inside one of the first n citations
wrongly    share of questions that were said to have no answer, though they have one
off-topic  share of questions that were rightly said to have no answer, when all of their article was taken away
refused    the same when only their own paragraph was: others of the article may deal with them still`);
}
