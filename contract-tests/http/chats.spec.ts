import { expect } from 'chai';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

for (const profile of profiles)
  describe(`${profile}: chats in a project`, () => {
    let service: Served;
    const ids = { one: '', other: '' };
    before(async () => {
      service = await sharedService(profile);
      for (const folder of ['one', 'other'] as const) {
        const { json } = await service.call('POST', '/v1/collections', { body: { name: folder } });
        ids[folder] = json.id as string;
        const text = `The lighthouse of folder ${folder} was painted in March.`;
        const { json: sent } = await service.upload(`${folder}.txt`, text, {
          collection_id: ids[folder],
        });
        await service.settled(sent.items[0].id as string);
      }
    });

    const newChat = async (body: object) =>
      (await service.call('POST', '/v1/chats', { body })).json as { id: string; kind: string };
    const cited = async (body: object): Promise<string[]> => {
      const question = 'When was the lighthouse painted?';
      const { status, json } = await service.call('POST', '/v1/ask', {
        body: { question, ...body },
      });
      expect(status).to.equal(200);
      return json.citations.map((each: { filename: string }) => each.filename) as string[];
    };

    it('are of kind ask by default', async () => {
      expect((await newChat({})).kind).to.equal('ask');
      expect((await newChat({ kind: 'chat' })).kind).to.equal('chat');
    });

    it('never search outside their folder', async () => {
      const { id } = await newChat({ collection_id: ids.one });
      expect(await cited({ session_id: id })).to.deep.equal(['one.txt']);
      expect(await cited({ session_id: id, collection_id: ids.one })).to.deep.equal(['one.txt']);
      expect(await cited({ session_id: id, collection_id: ids.other })).to.deep.equal([]);
      expect(await cited({ collection_id: ids.other })).to.deep.equal(['other.txt']);
    });
  });
