import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { HOSTILE } from '../samples/hostile/make.ts';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const sample = (name: string) => readFile(new URL(`../samples/${name}`, import.meta.url));
const between = (text: string, start: number, end: number) => [...text].slice(start, end).join('');

/** The expected extraction of a sample: kind, method, language, and words that it must contain. */
const READ = [
  ['lighthouse.md', 'text', 'native', 'en', /generator/],
  ['protocol-ru.txt', 'text', 'native', 'ru', /собрани/i],
  ['protocol-ru.utf16.txt', 'text', 'native', 'ru', /собрани/i],
  ['protocol-ru.cp1251.txt', 'text', 'native', 'ru', /собрани/i],
  ['beacon.json', 'text', 'native', undefined, /Grey Skerry/],
  ['tides.csv', 'spreadsheet', 'native', undefined, /,/],
  ['tides.py', 'text', 'native', '', /def /],
  ['orchard.html', 'document', 'extracted', 'en', /rootstocks/],
  ['lighthouse.docx', 'document', 'extracted', 'en', /generator/],
  ['protocol-ru.docx', 'document', 'extracted', 'ru', /собрани/i],
  ['lighthouse.pdf', 'pdf', 'extracted', 'en', /generator/],
  ['letter.pdf', 'pdf', 'extracted', 'en', /\w/],
  ['protocol-ru.pdf', 'pdf', 'extracted', 'ru', /собрани/i],
] as const;

for (const profile of profiles)
  describe(`${profile}: texts`, function () {
    this.timeout(120_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const added = async (name: string, bytes: Uint8Array<ArrayBuffer> | string): Promise<string> =>
      (await service.upload(name, bytes)).json.items[0].id;
    const text = (id: string) => service.call('GET', `/v1/objects/${id}/text`);
    const correct = (id: string, words: unknown, base: unknown = 1) =>
      service.call('PUT', `/v1/objects/${id}/text`, { body: { text: words, base_version: base } });
    const found = async (q: string): Promise<readonly string[]> =>
      (await service.call('GET', `/v1/search?q=${encodeURIComponent(q)}`)).json.items.map(
        (hit: Answer['json']) => hit.object.id,
      );

    it('are extracted from every format, in their language', async () => {
      const ids = new Map<string, string>();
      for (const [name] of READ)
        ids.set(name, await added(name, Uint8Array.from(await sample(name))));
      for (const [name, kind, source, language, words] of READ) {
        const id = ids.get(name) ?? '';
        expect(await service.settled(id), name).to.deep.include({
          kind,
          status: 'ready',
          error: null,
          text_view: true,
          needs_manual: false,
          has_corrections: false,
          version: 1,
        });
        const { json } = await text(id);
        expect(json, name).to.deep.include({ object_id: id, version: 1, source });
        if (language !== undefined) expect(json.language, name).to.equal(language);
        expect(json.text, name).to.match(words);
      }
    });

    it('have an ordered page map in code points', async () => {
      const id = await added('lighthouse.pdf', Uint8Array.from(await sample('lighthouse.pdf')));
      await service.settled(id);
      const { pages, text: whole } = (await text(id)).json;
      expect(pages.map(({ page }: { page: number }) => page)).to.deep.equal([1, 2]);
      let last = 0;
      for (const { char_start, char_end } of pages) {
        expect(char_start).to.equal(last);
        expect(between(whole, char_start, char_end).trim()).not.to.equal('');
        last = char_end;
      }
      expect(last).to.equal([...whole].length);
      expect(between(whole, 0, pages[0].char_end)).to.match(/^Annual Report/);
    });

    it('beyond the basic plane are counted in code points', async () => {
      const words = '\u{1F600}\u{1F680} launch \u{1D54F} day\n\u{20000} ends';
      const id = await added('emoji.txt', words);
      await service.settled(id);
      const { json } = await text(id);
      expect(json.text).to.equal(words);
      expect(json.pages).to.deep.equal([{ page: 1, char_start: 0, char_end: [...words].length }]);
      const { items } = (await service.call('GET', '/v1/search?q=launch')).json;
      expect(between(words, items[0].char_start, items[0].char_end)).to.equal(items[0].snippet);
    });

    it('are 404 if there are none', async () => {
      const archive = await added(
        'a.zip',
        Uint8Array.from(Buffer.from('504b0506' + '00'.repeat(18), 'hex')),
      );
      expect(await service.settled(archive)).to.deep.include({
        kind: 'archive',
        status: 'ready',
        error: null,
        needs_manual: false,
        text_view: false,
      });
      const refused = await text(archive);
      expect([refused.status, refused.json.code]).to.deep.equal([404, 'not_found']);
    });

    it('are corrected by the owner: the correction is returned and searched until it is removed', async () => {
      const id = await added('scan.txt', 'The quarterly zeppelin report.');
      await service.settled(id);
      const saved = await correct(id, '\u{1F600} The quarterly submarine report.');
      expect(saved.json).to.deep.include({
        object_id: id,
        version: 1,
        source: 'corrected',
        text: '\u{1F600} The quarterly submarine report.',
        pages: [{ page: 1, char_start: 0, char_end: 33 }],
      });
      expect((await text(id)).json).to.deep.equal(saved.json);
      expect((await service.call('GET', `/v1/objects/${id}`)).json).to.deep.include({
        has_corrections: true,
        version: 1,
        status: 'ready',
      });
      expect([await found('submarine'), await found('zeppelin')]).to.deep.equal([[id], []]);
      const bytes = await service.call('GET', `/v1/objects/${id}/content`);
      expect(bytes.text).to.equal('The quarterly zeppelin report.');
      const drop = () => service.call('DELETE', `/v1/objects/${id}/text`);
      expect((await drop()).json).to.deep.equal({ deleted: true });
      expect((await text(id)).json).to.deep.include({
        source: 'native',
        text: 'The quarterly zeppelin report.',
      });
      expect([await found('submarine'), await found('zeppelin')]).to.deep.equal([[], [id]]);
      expect((await service.call('GET', `/v1/objects/${id}`)).json.has_corrections).to.equal(false);
      expect((await drop()).status).to.equal(404);
    });

    it('are corrected only on the version that was read', async () => {
      const id = await added('v.txt', 'one');
      const late = await correct(id, 'x', 2);
      expect([late.status, late.json.code, late.json.current_version]).to.deep.equal([
        409,
        'version_conflict',
        1,
      ]);
      for (const [words, base, field, type] of [
        [5, 1, 'text', 'string_type'],
        ['a\u0000', 1, 'text', 'value_error'],
        ['x', '1', 'base_version', 'int_type'],
        [undefined, 1, 'text', 'missing'],
      ] as const)
        expect((await correct(id, words, base)).json.detail[0]).to.deep.include({
          loc: ['body', field],
          type,
        });
    });

    it('of a new content replace the old one and its correction', async () => {
      const id = await added('c.txt', 'Old heron text.');
      await service.settled(id);
      await correct(id, 'Corrected heron text.');
      const saved = await service.call('PUT', `/v1/objects/${id}/content`, {
        body: { content: 'New pelican text.', base_version: 1 },
      });
      expect(saved.json).to.deep.include({ version: 2, has_corrections: false });
      await service.settled(id);
      expect((await text(id)).json).to.deep.include({ version: 2, text: 'New pelican text.' });
      expect([await found('heron'), await found('pelican')]).to.deep.equal([[], [id]]);
    });

    it('that cannot be extracted can be written by the owner', async () => {
      const id = await added('locked.pdf', Uint8Array.from(await sample('hostile/encrypted.pdf')));
      const settled = await service.settled(id);
      expect(settled).to.deep.include({ status: 'ready', needs_manual: true, text_view: false });
      await correct(id, 'What the walrus letter says.');
      expect((await service.call('GET', `/v1/objects/${id}`)).json).to.deep.include({
        needs_manual: false,
        text_view: true,
        has_corrections: true,
      });
      expect(await found('walrus')).to.deep.equal([id]);
      await service.call('DELETE', `/v1/objects/${id}/text`);
      expect((await service.call('GET', `/v1/objects/${id}`)).json).to.deep.include({
        needs_manual: true,
        text_view: false,
      });
      expect(await found('walrus')).to.deep.equal([]);
    });

    it('of malicious documents end as failed or empty, and the service stays responsive', async () => {
      const requested =
        /bomb\.docx|shaft\.html|half\.pdf|half\.docx|loop\.pdf|noise\.pdf|empty\.docx/;
      const files = HOSTILE.filter(({ filename }) => requested.test(filename));
      expect(files).to.have.length(7);
      const ids: string[] = [];
      for (const { filename, make } of files)
        ids.push(await added(filename, Uint8Array.from(make())));
      let answeredMeanwhile = 0;
      let reading = true;
      const watching = (async () => {
        while (reading) {
          const { status } = await service.call('GET', '/health', { token: null });
          expect(status).to.equal(200);
          answeredMeanwhile++;
        }
      })();
      const ends = [];
      for (const id of ids) ends.push(await service.settled(id));
      reading = false;
      await watching;
      for (const [i, { filename, outcomes }] of files.entries()) {
        const end = ends[i];
        const outcome = end.status === 'failed' ? 'failed' : 'none';
        expect(outcomes, filename).to.include(outcome);
        expect(end.needs_manual, filename).to.equal(outcome === 'none');
        expect(end.error, filename)
          .to.be.a('string')
          .and.not.match(/\/|node:|\bat \S+\(/);
        expect((await text(ids[i] ?? '')).status).to.equal(404);
        const bytes = await service.call('HEAD', `/v1/objects/${ids[i]}/content`);
        expect([bytes.status, bytes.headers.get('content-length')]).to.deep.equal([
          200,
          String(end.size),
        ]);
      }
      expect(answeredMeanwhile).to.be.above(files.length);
    });
  });
