import { expect } from 'chai';
import { boundToken } from './bound-token.ts';
import { profiles, startService, type Call, type Service } from './harness.ts';
import { pdfOfPages, scanOf } from '../samples/scans.ts';
import { sample } from '../suites/text-extractor.ts';

const NONE = { page: null, boxes: [] };
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

for (const profile of profiles)
  describe(`${profile}: places of words`, function () {
    this.timeout(240_000);
    let service: Service;
    let pdf: string;
    before(async () => {
      service = await startService(profile, { OCR_LANGS: 'eng' });
      pdf = await uploaded(
        'lines.pdf',
        await pdfOfPages([{ line: 'harbour lantern' }, { line: 'copper meadow' }]),
      );
    });
    after(() => service.dispose());

    async function uploaded(
      name: string,
      bytes: Uint8Array | string,
      fields: Record<string, string> = {},
      call: Call = {},
    ): Promise<string> {
      const { status, json, text } = await service.uploadAll([[name, bytes]], fields, call);
      expect(status, text).to.equal(200);
      const id = String(json.items[0].id);
      await service.settled(id, call);
      return id;
    }
    const places = (id: string, start: number, end: number, call: Call = {}) =>
      service.call(
        'GET',
        `/v1/objects/${id}/text/places?char_start=${start}&char_end=${end}`,
        call,
      );
    const textOf = async (id: string): Promise<string> =>
      (await service.call('GET', `/v1/objects/${id}/text`)).json.text;
    /** The places of a word, by its code points in the text. */
    const placesOf = async (id: string, word: string) => {
      const text = await textOf(id);
      const at = text.indexOf(word);
      expect(at, text).to.be.at.least(0);
      const start = Array.from(text.slice(0, at)).length;
      const { status, json } = await places(id, start, start + Array.from(word).length);
      expect(status).to.equal(200);
      return json as { page: number; boxes: [number, number, number, number][] };
    };

    it('of a PDF are where they are drawn, on the page where the range begins', async () => {
      const first = await placesOf(pdf, 'harbour');
      expect(first.page).to.equal(1);
      expect(first.boxes).to.have.length(1);
      const [[x, y, w, h] = [0, 0, 0, 0]] = first.boxes;
      expect(x).to.be.closeTo(72 / 595, 0.02);
      expect(y + h).to.be.closeTo((842 - 720) / 842, 0.02);
      const [[x2] = [0]] = (await placesOf(pdf, 'lantern')).boxes;
      expect(x2).to.be.greaterThan(x + w);
      expect((await placesOf(pdf, 'copper')).page).to.equal(2);
      const all = (await places(pdf, 0, Array.from(await textOf(pdf)).length)).json;
      expect([all.page, all.boxes.length]).to.deep.equal([1, 1]);
    });

    it('of a scan and of an image are where they are seen', async () => {
      const jpg = await (await scanOf('letter.pdf', 2, 150)).jpeg({ quality: 80 }).toBuffer();
      const printed = await uploaded('letter.pdf', sample('letter.pdf'));
      const [[x, y] = [0, 0]] = (await placesOf(printed, 'Margarethe')).boxes;
      for (const [name, bytes, page] of [
        ['photo.jpg', jpg, 1],
        ['scan.pdf', await pdfOfPages(['blank', { jpg }]), 2],
      ] as const) {
        const found = await placesOf(await uploaded(name, bytes), 'Margarethe');
        expect(found.page, name).to.equal(page);
        expect(found.boxes[0]?.[0], name).to.be.closeTo(x, 0.02);
        expect(found.boxes[0]?.[1], name).to.be.closeTo(y, 0.02);
      }
    });

    it('of a Russian PDF count code points', async () => {
      const id = await uploaded('protocol-ru.pdf', sample('protocol-ru.pdf'));
      const word = /\p{Script=Cyrillic}{6,}/u.exec(await textOf(id))?.[0] ?? '';
      const found = await placesOf(id, word);
      expect(found.page).to.equal(1);
      expect(found.boxes).to.have.length(1);
    });

    it('are empty for other kinds and for a corrected text', async () => {
      const others = [
        await uploaded('lighthouse.docx', sample('lighthouse.docx')),
        await uploaded('words.txt', 'harbour lantern'),
        await uploaded('mail.eml', 'Subject: Hello\r\nFrom: a@b.test\r\n\r\nharbour lantern\r\n'),
      ];
      for (const id of others) expect((await places(id, 0, 5)).json).to.deep.equal(NONE);
      const corrected = await uploaded('own.pdf', await pdfOfPages([{ line: 'winter harbour' }]));
      const { status } = await service.call('PUT', `/v1/objects/${corrected}/text`, {
        body: { text: 'winter harbor', base_version: 1 },
      });
      expect(status).to.equal(200);
      expect((await places(corrected, 0, 6)).json).to.deep.equal(NONE);
    });

    it('of a range outside the text, without characters or above the limit are 422', async () => {
      const length = Array.from(await textOf(pdf)).length;
      for (const [start, end] of [
        [0, length + 1],
        [5, 5],
        [6, 5],
        [-1, 5],
      ] as const)
        expect((await places(pdf, start, end)).status, `${start} to ${end}`).to.equal(422);
      const long = await uploaded('long.txt', 'word '.repeat(3_000));
      expect((await places(long, 0, 10_001)).status).to.equal(422);
      expect((await places(long, 0, 10_000)).json).to.deep.equal(NONE);
      const without = await service.call('GET', `/v1/objects/${pdf}/text/places`);
      expect(without.status).to.equal(422);
    });

    it('are 404 where the text is: missing, of another owner, hidden and locked, outside the folders of a token', async () => {
      const { token } = await service.newOwner();
      const { json: pin } = await service.call('POST', '/v1/hidden-pin', {
        token,
        body: { pin: '4821' },
      });
      const unlocked = { token, headers: { 'x-hidden-token': String(pin.token) } };
      const bytes = await pdfOfPages([{ line: 'hidden harbour' }]);
      const hidden = await uploaded('h.pdf', bytes, { is_hidden: 'true' }, unlocked);
      const { json: folder } = await service.call('POST', '/v1/collections', {
        body: { name: 'Folder' },
      });
      const bound = await boundToken(service, service.token, [String(folder.id)]);
      const missing = await places(MISSING, 0, 5);
      expect(missing.status).to.equal(404);
      for (const answer of [
        await places(hidden, 0, 6, { token }),
        await places(hidden, 0, 99_999, { token }),
        await places(pdf, 0, 5, { token }),
        await places(pdf, 0, 5, { token: bound }),
      ])
        expect([answer.status, answer.json]).to.deep.equal([404, missing.json]);
      const seen = await places(hidden, 0, 6, unlocked);
      expect([seen.status, seen.json.boxes.length]).to.deep.equal([200, 1]);
    });
  });
