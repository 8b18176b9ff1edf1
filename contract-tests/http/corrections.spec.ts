import { expect } from 'chai';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ENGLISH = 'The houses on the river were painted in the summer of that year.\n';
const GERMAN = 'Die Häuser am Fluss wurden im Sommer renoviert.';

for (const profile of profiles)
  describe(`${profile}: the owner's correction of an extracted text`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const put = async (name: string, bytes: Uint8Array): Promise<string> => {
      const { json } = await service.upload(name, bytes);
      await service.settled(json.items[0].id);
      return json.items[0].id;
    };
    const correct = async (id: string, text: string) =>
      (await service.call('PUT', `/v1/objects/${id}/text`, { body: { text, base_version: 1 } }))
        .json;
    const shown = async (id: string) => (await service.call('GET', `/v1/objects/${id}/text`)).json;
    const finds = async (q: string): Promise<string[]> => {
      const { json } = await service.call('GET', `/v1/search?q=${encodeURIComponent(q)}`);
      return json.items.map((hit: { object: { id: string } }) => hit.object.id);
    };

    it('is found by inflected forms in its language, also if no text was extracted', async () => {
      const id = await put('scan.png', PIXEL);
      expect(await correct(id, GERMAN)).to.include({ language: 'de', source: 'corrected' });
      expect(await shown(id)).to.include({ language: 'de', text: GERMAN });
      expect(await finds('Haus')).to.include(id);
    });

    it('has its own language, and restores the other one when removed', async () => {
      const id = await put('letter.txt', Buffer.from(ENGLISH));
      expect(await shown(id)).to.include({ language: 'en' });
      await correct(id, GERMAN);
      expect(await shown(id)).to.include({ language: 'de' });
      expect(await finds('Haus')).to.include(id);
      await service.call('DELETE', `/v1/objects/${id}/text`);
      expect(await shown(id)).to.include({ language: 'en', text: ENGLISH });
      expect(await finds('Haus')).not.to.include(id);
    });
  });
