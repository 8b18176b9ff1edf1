import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { CLI, profiles, startService, type Service } from './harness.ts';
import { twoColours } from '../samples/pictures.ts';
import { pdfOfPages, scanOf } from '../samples/scans.ts';

const DEPOSIT =
  'Please let me know before the end of June, because the contractor wants a deposit four weeks ahead.';

for (const profile of profiles)
  describe(`${profile}: OCR`, function () {
    this.timeout(240_000);
    let service: Service;
    let scan: Buffer;
    before(async () => {
      service = await startService(profile, { OCR_LANGS: 'eng' });
      scan = await (await scanOf('letter.pdf', 2, 150)).jpeg({ quality: 80 }).toBuffer();
    });
    after(() => service.dispose());

    const card = async (id: string) => (await service.call('GET', `/v1/objects/${id}`)).json;
    const created = async (name: string, bytes: Uint8Array | string): Promise<string> =>
      (await service.upload(name, bytes)).json.items[0].id;
    /** Longer than other specs wait: pages are recognised one after another. */
    const settled = async (id: string) => {
      for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
        const now = await card(id);
        if (now.status === 'ready' || now.status === 'failed') return now;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return card(id);
    };

    it('makes images and scanned pages readable, searchable and citable', async () => {
      const line = 'The hedge is two metres high.';
      const [photo, mixed, plain] = [
        await created('letter.jpg', scan),
        await created('mixed.pdf', await pdfOfPages([{ line }, { jpg: scan }])),
        await created('plain.txt', 'Nobody has to wait for the scans.'),
      ];
      // Others are read while the scans are.
      await service.settled(plain);
      expect((await card(mixed)).status).not.to.equal('ready');
      expect(await settled(photo)).to.include({
        status: 'ready',
        needs_manual: false,
        text_view: true,
        error: null,
      });
      expect((await settled(mixed)).status).to.equal('ready');
      for (const [id, pages] of [
        [photo, 1],
        [mixed, 2],
      ] as const) {
        const { json } = await service.call('GET', `/v1/objects/${id}/text`);
        expect(json).to.include({ source: 'ocr', language: 'en' });
        expect(json.text).to.include(DEPOSIT);
        expect(json.pages).to.have.length(pages);
      }
      const { json: found } = await service.call('GET', '/v1/search?q=%22four+weeks+ahead%22');
      expect(found.items.map((hit: { object: { id: string } }) => hit.object.id)).to.have.members([
        photo,
        mixed,
      ]);
      const { json: answer } = await service.call('POST', '/v1/ask', {
        body: { question: 'What does the contractor want four weeks ahead?' },
      });
      expect(answer.citations[0].snippet).to.include('deposit');
    });

    it('leaves an image without writing unchanged, without need for attention', async () => {
      const id = await created('red.png', await twoColours(300).png().toBuffer());
      expect(await settled(id)).to.include({
        status: 'ready',
        needs_manual: false,
        text_view: false,
        error: null,
      });
    });

    it('continues after the service was killed during OCR', async () => {
      const id = await created('again.jpg', scan);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      service = await service.restart('SIGKILL');
      expect((await settled(id)).status).to.equal('ready');
      expect((await service.call('GET', `/v1/objects/${id}/text`)).json.text).to.include(DEPOSIT);
    });

    it('without OCR_LANGS: the object needs attention, with the reason', async () => {
      const without = await startService(profile);
      try {
        for (const [name, bytes] of [
          ['letter.jpg', scan],
          ['scan.pdf', await pdfOfPages([{ jpg: scan }])],
        ] as const) {
          const { id } = (await without.upload(name, new Uint8Array(bytes))).json.items[0];
          const ended = await without.settled(id);
          expect(ended).to.include({ status: 'ready', needs_manual: true, text_view: false });
          expect(ended.error).to.include('OCR_LANGS');
        }
      } finally {
        await without.dispose();
      }
    });
  });

describe('OCR_LANGS', () => {
  it('with a language without data stops the start with one line that names both', async () => {
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(
        process.execPath,
        [CLI, 'serve'],
        { env: { PATH: process.env['PATH'] ?? '', PROFILE: 'memory', OCR_LANGS: 'eng+tlh' } },
        (error, _stdout, stderr) => resolve({ code: error?.code, stderr }),
      ),
    );
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/^owner-workspace: OCR_LANGS="eng\+tlh": .*"tlh".*\n$/);
  });
});
