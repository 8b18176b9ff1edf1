import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryUnitOfWork } from '../../adapters/memory/unit-of-work.ts';
import { findObjects, indexObjectMetadata, type ObjectHit } from '../../core/search/index.ts';
import { DomainError } from '../../core/shared/errors.ts';
import type { Page } from '../../ports/paging.ts';
import type { SearchFilter } from '../../ports/search.ts';
import {
  aDocument,
  documentTexts,
  EVERYTHING,
  queries,
  indexDocuments,
  slice,
  type Document,
} from '../search-documents.ts';
import { newScope } from '../samples.ts';

const uow = new MemoryUnitOfWork();

/** A separate set of documents with a search function. */
async function library(documents: readonly Document[], language = 'en') {
  const scope = newScope();
  await uow.write(scope, (stores) => indexDocuments(stores, documents, language));
  const find = (query: string, filter: SearchFilter = EVERYTHING): Promise<Page<ObjectHit>> =>
    uow.read(scope, ({ search }) => findObjects(search, query, filter, { limit: 100, offset: 0 }));
  const names = new Map(documents.map(({ object }) => [object.id, object.filename]));
  const found = async (query: string, filter?: SearchFilter) =>
    (await find(query, filter)).items.map(({ objectId }) => names.get(objectId));
  return { scope, find, found };
}

describe('search', () => {
  it('finds inflected, folded and foreign words in six languages', async () => {
    const written: readonly (readonly [string, string, string])[] = [
      ['en', 'The tenants signed both agreements.', 'tenant agreement'],
      ['ru', 'Договоры аренды подписаны, ёлка куплена.', 'договором елка'],
      ['de', 'Die Kündigungsfristen der Verträge.', 'kundigungsfrist'],
      ['fr', 'Les congés payés ont été signés.', 'conge signe'],
      ['es', 'La información sobre los contratos.', 'informaciones contrato'],
      ['zh', '会议决定新产品将于九月发布。', '新产品发布'],
    ];
    for (const [language, text, query] of written) {
      const { found } = await library([aDocument(text, { filename: language })], language);
      expect(await found(query), language).to.deep.equal([language]);
    }
  });

  it('finds inflected names in any language, and texts of an unknown one', async () => {
    const named: readonly (readonly [string, string])[] = [
      ['Rechnungen März.txt', 'rechnung'],
      ['Häuser.txt', 'Haus'],
      ['Factures payées.txt', 'facture'],
      ['Canciones.txt', 'canción'],
    ];
    for (const [name, query] of named) {
      const { found } = await library(
        [aDocument('zzz', { filename: name }), aDocument(name.slice(0, -4), { filename: 'text' })],
        '',
      );
      expect(await found(query), query).to.have.members([name, 'text']);
    }
  });

  it('finds irregular forms', async () => {
    const written: readonly (readonly [string, string, string])[] = [
      ['en', 'The mice ate while women wrote to their children.', 'mouse woman child write eat'],
      ['ru', 'Люди пошли домой.', 'человек пойти'],
      ['de', 'Das Auto wurde gekauft.', 'kaufen'],
      ['fr', 'Les chevaux courent.', 'cheval'],
      ['es', 'El niño comió peces.', 'pez'],
    ];
    for (const [language, text, query] of written) {
      const { found } = await library([aDocument(text, { filename: language })], language);
      for (const word of query.split(' '))
        expect(await found(word), word).to.deep.equal([language]);
    }
  });

  it('finds a number with or without digit grouping', async () => {
    const { found } = await library([
      aDocument('Due: $1,234.56', { filename: 'grouped' }),
      aDocument('Due: 1234.56', { filename: 'plain' }),
      aDocument('Due: 1234', { filename: 'whole' }),
    ]);
    for (const query of ['1234.56', '1,234.56', '$1,234.56'])
      expect(await found(query), query).to.have.members(['grouped', 'plain']);
  });

  it('ranks rare words above common ones, more matched words above fewer, short texts above long ones', async () => {
    const filler = 'The weather in spring and autumn is hard to tell. ';
    const common = ['c1', 'c2', 'c3'].map((filename) => aDocument('A report.', { filename }));
    const { found } = await library([
      ...common,
      aDocument(`The report on the zeppelin. ${filler}`, { filename: 'both' }),
      aDocument(`A zeppelin. ${filler.repeat(8)}`, { filename: 'long' }),
      aDocument('A zeppelin.', { filename: 'short' }),
      aDocument('nothing', { filename: 'other' }),
    ]);
    expect(await found('zeppelin')).to.deep.equal(['short', 'both', 'long']);
    const [best, next] = await found('zeppelin report');
    expect([best, next]).to.deep.equal(['both', 'short']);
    // Equal scores, newest first.
    expect(await found('report')).to.deep.equal(['c3', 'c2', 'c1', 'both']);
  });

  it('includes the name of an object, and finds an object without text by it', async () => {
    const { find, found } = await library([
      aDocument('The invoice is mentioned here once, among other things.', {
        filename: 'notes.txt',
      }),
      aDocument('', { filename: 'Invoice March.pdf' }),
      aDocument('Nothing of the kind.', { filename: 'WinterHoliday2024.jpg', title: 'Snow' }),
    ]);
    expect(await found('invoice')).to.deep.equal(['Invoice March.pdf', 'notes.txt']);
    for (const query of ['holiday', 'winterholiday2024', '2024', 'snow', 'WinterHoliday2024.jpg'])
      expect(await found(query), query).to.deep.equal(['WinterHoliday2024.jpg']);
    const [nameless] = (await find('march')).items;
    expect(nameless).to.include({ snippet: '', charStart: 0, charEnd: 0 });
    const [named] = (await find('snow')).items;
    expect(named?.snippet).to.equal('Nothing of the kind.');
  });

  it('requires phrases and rejects exclusions, anywhere in an object', async () => {
    const { found } = await library([
      aDocument('The net profit rose.', { filename: 'a' }),
      aDocument('The profit, net of tax, rose.', { filename: 'b' }),
      aDocument(`The net profits fell.${'\n\nMore about it. '.repeat(80)}\n\nA draft.`, {
        filename: 'c',
      }),
      aDocument('Net. Profit.', { filename: 'draft d' }),
    ]);
    expect(await found('"net profit"')).to.have.members(['a', 'c', 'draft d']);
    expect(await found('"net profit" -draft')).to.deep.equal(['a']);
    expect(await found('profit -"net profit"')).to.deep.equal(['b']);
    expect(await found('-draft')).to.deep.equal(['b', 'a']);
    expect(await found('"net profit" tax')).to.have.length(3);
  });

  it('matches a prefix with the beginning of a word, also beyond its stem', async () => {
    const { found } = await library([
      aDocument('The university was founded late.', { filename: 'a' }),
      aDocument('Unity and universe.', { filename: 'b' }),
      aDocument('Invoices INV-2024-001', { filename: 'c' }),
    ]);
    expect(await found('universit*')).to.include('a');
    expect(await found('unit*')).to.deep.equal(['b']);
    expect(await found('inv*')).to.deep.equal(['c']);
    expect(await found('inv')).to.deep.equal(['c']);
    expect(await found('invo')).to.deep.equal([]);
  });

  it('finds a compound name as a whole and by its parts', async () => {
    const { found } = await library([
      aDocument('Invoice INV-2024-001 for anna.smith@example.org: 1,234.50', { filename: 'a' }),
      aDocument('In 2024 INV became 001.', { filename: 'b' }),
    ]);
    expect(await found('INV-2024-001')).to.deep.equal(['a']);
    expect(await found('inv 001')).to.have.members(['a', 'b']);
    for (const query of ['anna.smith@example.org', 'smith', '1234', '1,234.50'])
      expect(await found(query), query).to.deep.equal(['a']);
  });

  it('filters by every part of the filter, with the total of the matches', async () => {
    const { find, found } = await library([
      aDocument('a zeppelin', { filename: 'pdf', kind: 'pdf', collectionId: 'one' }),
      aDocument('a zeppelin', { filename: 'note', kind: 'note', docType: 'note' }),
      aDocument('a zeppelin', { filename: 'hidden', isHidden: true }),
      aDocument('a zeppelin', { filename: 'trashed', deletedAt: 5 }),
    ]);
    expect(await found('zeppelin')).to.deep.equal(['note', 'pdf']);
    expect(await found('zeppelin', { visibility: 'visible', kinds: ['pdf'] })).to.deep.equal([
      'pdf',
    ]);
    expect(await found('zeppelin', { visibility: 'visible', docType: 'note' })).to.deep.equal([
      'note',
    ]);
    expect(await found('zeppelin', { visibility: 'visible', collectionId: null })).to.deep.equal([
      'note',
    ]);
    expect(await found('zeppelin', { visibility: 'hidden' })).to.deep.equal(['hidden']);
    expect(await found('-nothing', { visibility: 'any', collectionId: 'one' })).to.deep.equal([
      'pdf',
    ]);
    expect((await find('zeppelin', { visibility: 'any' })).total).to.equal(3);
    expect((await find('zeppelin', { visibility: 'visible', objectIds: [] })).total).to.equal(0);
  });

  it('accepts a query without words, and rejects an empty one', async () => {
    const { find } = await library([aDocument('a zeppelin')]);
    for (const query of ['???', '""', '-', '🏳️‍🌈'])
      expect(await find(query), query).to.deep.equal({ items: [], total: 0 });
    const refused = await find(' \n').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DomainError).with.property('code', 'empty_text');
  });

  it('is updated by a rename, a move and the trash', async () => {
    const document = aDocument('a zeppelin', { filename: 'old name' });
    const { scope, found } = await library([document]);
    const change = (over: object) =>
      uow.write(scope, ({ search }) =>
        indexObjectMetadata(search, { ...document.object, ...over }),
      );
    await change({ filename: 'new name' });
    expect(await found('old')).to.deep.equal([]);
    expect(await found('new')).to.have.length(1);
    await change({ deletedAt: 1 });
    expect(await found('zeppelin')).to.deep.equal([]);
    await change({});
    expect(await found('zeppelin')).to.have.length(1);
  });

  it('shows a snippet that is exactly the text between its offsets and at most 300 code points', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(documentTexts(), fc.integer({ min: 1, max: 6 })), { maxLength: 4 }),
        queries(),
        async (created, query) => {
          const documents = created.map(([text, times]) => aDocument(text.repeat(times)));
          const { find } = await library(documents);
          const texts = new Map(documents.map(({ object, text }) => [object.id, text]));
          for (const { objectId, snippet, charStart, charEnd } of (await find(query)).items) {
            expect(snippet).to.equal(slice(texts.get(objectId) ?? '', charStart, charEnd));
            expect(charEnd - charStart).to.be.at.most(300);
            expect(snippet).to.equal(snippet.trim());
          }
        },
      ),
      { numRuns: 60 },
    ));

  it('shows the matching part of a long sentence', async () => {
    const words = 'many words that say nothing at all about it '.repeat(20);
    const { find } = await library([aDocument(`${words}zeppelin hangar ${words}`)]);
    const [hit] = (await find('zeppelin hangar')).items;
    expect(hit?.snippet).to.include('zeppelin hangar');
    expect(hit?.snippet.length).to.be.at.most(300);
  });
});
