import { expect } from 'chai';
import sharp from 'sharp';
import { blackPng, coloursOf, heldOnItsSide, twoColours } from '../samples/pictures.ts';
import { sample } from '../suites/text-extractor.ts';
import { eventually, fewPlacings, startService, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

for (const { title, profile, files } of fewPlacings)
  describe(`${title}: thumbnails`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, {}, files);
    });
    after(() => service.dispose());

    const created = async (
      name: string,
      bytes: Uint8Array | string,
      fields = {},
    ): Promise<string> => (await service.upload(name, bytes, fields)).json.items[0].id;
    const requested = (
      id: string,
      query = '',
      headers: Record<string, string> = {},
      token?: string,
    ) =>
      fetch(`${service.base}/v1/objects/${id}/thumbnail${query}`, {
        headers: { authorization: `Bearer ${token ?? service.token}`, ...headers },
      });
    const picture = async (id: string, query = '') =>
      new Uint8Array(await (await requested(id, query)).arrayBuffer());
    const refusal = async (id: string, query = '') => {
      const response = await requested(id, query);
      return { status: response.status, ...((await response.json()) as { detail: string }) };
    };
    const blobs = () => service.blobs();

    it('are WebP images, upright, of images and of the first page of a PDF', async () => {
      const photo = await created('photo.jpg', await heldOnItsSide(900));
      const response = await requested(photo);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/webp');
      expect(response.headers.get('content-disposition')).to.equal('inline; filename=photo.webp');
      expect(response.headers.get('cache-control')).to.match(/^private/);
      const webp = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get('content-length')).to.equal(String(webp.length));
      expect(await sharp(webp).metadata()).to.include({ format: 'webp', width: 256, height: 128 });
      expect(await coloursOf(webp)).to.deep.equal(['red', 'blue']);
      const letter = await created('letter.pdf', sample('letter.pdf'));
      for (const size of [64, 1024])
        expect(await sharp(await picture(letter, `?size=${size}`)).metadata()).to.include({
          format: 'webp',
          height: size,
        });
    });

    it('have a side from 64 to 1024', async () => {
      const id = await created('p.png', await twoColours(64).png().toBuffer());
      for (const size of ['63', '1025', '0', '-1', 'big', '', '64.5'])
        expect((await requested(id, `?size=${size}`)).status, size).to.equal(422);
    });

    it('have an ETag, and get 304', async () => {
      const id = await created('p.png', await twoColours(300).png().toBuffer());
      const etag = (await requested(id)).headers.get('etag') ?? '';
      expect(etag).to.match(/^"[0-9a-f]{64}"$/);
      const again = await requested(id, '', { 'if-none-match': etag });
      expect([again.status, await again.text()]).to.deep.equal([304, '']);
      expect((await requested(id, '?size=64', { 'if-none-match': etag })).status).to.equal(200);
      const head = await fetch(`${service.base}/v1/objects/${id}/thumbnail`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${service.token}` },
      });
      expect([head.status, head.headers.get('etag')]).to.deep.equal([200, etag]);
    });

    it('are rejected with the reason for files without one', async () => {
      const png = await twoColours(900).png().toBuffer();
      for (const [name, bytes, reason] of [
        ['a.txt', 'text', /this type/],
        ['a.svg', SVG, /this type/],
        ['svg.png', SVG, /this type/],
        ['half.png', png.subarray(0, png.length / 2), /damaged/],
        ['bomb.png', await blackPng(16_000), /100 megapixels/],
        ['locked.pdf', sample('hostile/encrypted.pdf'), /password/],
      ] as const) {
        const answer = await refusal(await created(name, bytes));
        expect(answer, name).to.include({ status: 415, code: 'unsupported_type' });
        expect(answer.detail, name).to.match(reason);
      }
    });

    it('are 404 for missing, foreign or hidden objects, and available in the trash', async () => {
      const id = await created('p.png', await twoColours(300).png().toBuffer());
      const foreign = await service.newOwner();
      const missing = await refusal(MISSING);
      expect(missing.status).to.equal(404);
      expect(await (await requested(id, '', {}, foreign.token)).json()).to.deep.equal(
        await (await requested(MISSING)).json(),
      );
      await service.call('DELETE', `/v1/objects/${id}`);
      expect((await requested(id)).status).to.equal(200);

      const hidden = await created('h.png', await twoColours(200).png().toBuffer(), {
        is_hidden: 'true',
      });
      expect((await requested(hidden)).status).to.equal(200);
      await service.call('POST', '/v1/hidden-pin', { body: { pin: '1357' } });
      expect(await refusal(hidden)).to.deep.equal(missing);
      const { token } = (
        await service.call('POST', '/v1/hidden-pin/unlock', { body: { pin: '1357' } })
      ).json;
      expect((await requested(hidden, '', { 'x-hidden-token': token })).status).to.equal(200);
      await service.call('DELETE', '/v1/hidden-pin', { body: { pin: '1357' } });
    });

    it('are rendered once, stored across a restart, and removed with the content and the object', async () => {
      const id = await created('p.png', await twoColours(500).png().toBuffer());
      await service.settled(id);
      const before = await blobs();
      const all = await Promise.all(Array.from({ length: 8 }, () => picture(id)));
      for (const each of all) expect(each).to.deep.equal(all[0]);
      expect(await blobs()).to.equal(before + 1);
      service = await service.restart();
      expect(await picture(id)).to.deep.equal(all[0]);
      expect(await blobs()).to.equal(before + 1);

      const other = await twoColours(502).png().toBuffer();
      const mirrored = new Uint8Array(await sharp(other).flop().png().toBuffer());
      const raw = new FormData();
      raw.append('base_version', '1');
      raw.append('file', new Blob([mirrored]), 'p.png');
      expect((await service.call('POST', `/v1/objects/${id}/content`, { raw })).status).to.equal(
        200,
      );
      expect(await coloursOf(await picture(id))).to.deep.equal(['blue', 'red']);
      // The new content and its thumbnail; the old content is a version beneath.
      expect(await eventually(blobs, (count) => count === before + 2)).to.equal(before + 2);
      await service.call('DELETE', `/v1/objects/${id}?permanent=true`);
      expect(await eventually(blobs, (count) => count === before - 1)).to.equal(before - 1);
    });
  });
