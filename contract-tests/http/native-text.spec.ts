import { expect } from 'chai';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

/** Windows line ends, decomposed letters, and an astral character before the search term. */
const WRITTEN = [
  '𝄞 Protokoll der Sitzung',
  '',
  'Die Büros in Köln wurden geschlossen. Der neue Schlüssel liegt beim'.normalize('NFD'),
  'Hausmeister in der Loge.',
  '',
  '- Anwesend: siebzehn Mitglieder',
  '- Entschuldigt: José Núñez'.normalize('NFD'),
  '',
].join('\r\n');

for (const profile of profiles)
  describe(`${profile}: files that are plain text`, function () {
    this.timeout(60_000);
    let service: Served;
    let id: string;
    before(async () => {
      service = await sharedService(profile);
      const { json } = await service.upload('protokoll.txt', Buffer.from(WRITTEN));
      id = json.items[0].id;
      await service.settled(id);
    });

    const between = (start: number, end: number) => [...WRITTEN].slice(start, end).join('');

    it('are returned unchanged', async () => {
      const { json } = await service.call('GET', `/v1/objects/${id}/text`);
      expect(json).to.include({ text: WRITTEN, source: 'native', language: 'de' });
    });

    it('are found in any spelling, also across a line break, with offsets in their code points', async () => {
      for (const q of [
        'Schlüssel',
        'Schlüssel'.normalize('NFD'),
        'Schluessel',
        'núñez',
        '"beim Hausmeister"',
      ]) {
        const { json } = await service.call('GET', `/v1/search?q=${encodeURIComponent(q)}`);
        expect(json.items, q).to.have.length(1);
        const [hit] = json.items;
        expect(between(hit.char_start, hit.char_end), q).to.equal(hit.snippet);
      }
    });

    it('are cited unchanged', async () => {
      const body = { question: 'Wo liegt der neue Schlüssel?' };
      const { json } = await service.call('POST', '/v1/ask', { body });
      expect(json.citations, json.answer).not.to.have.length(0);
      for (const citation of json.citations)
        expect(between(citation.char_start, citation.char_end)).to.equal(citation.snippet);
      expect(json.citations[0].snippet.normalize('NFC')).to.match(
        /Der neue Schlüssel liegt beim\r\nHausmeister in der Loge\.$/,
      );
    });
  });
