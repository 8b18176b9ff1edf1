import { expect } from 'chai';
import { profiles, startService, type Service } from './harness.ts';

for (const profile of profiles)
  describe(`${profile}: behind a closed zone`, () => {
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    it('an answer that was given inside is not repeated outside', async () => {
      const { token } = await service.newOwner();
      const set = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '1234' } });
      const inside = { 'x-hidden-token': set.json.token as string, 'idempotency-key': 'ask-once' };
      const outside = { 'idempotency-key': 'ask-once' };
      const note = { content: 'The safe opens with a brass key.', is_hidden: true };
      const made = await service.call('POST', '/v1/objects/notes', {
        token,
        headers: inside,
        body: note,
      });
      expect(made.status).to.equal(200);
      const repeat = (headers: Record<string, string>) =>
        service.call('POST', '/v1/objects/notes', { token, headers, body: note });
      const refused = await repeat(outside);
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'hidden_locked']);
      expect((await repeat(inside)).json.id).to.equal(made.json.id);
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      expect((await repeat(inside)).status).to.equal(403);
      const { json } = await service.call('POST', '/v1/hidden-pin/unlock', {
        token,
        body: { pin: '1234' },
      });
      const again = await repeat({ ...inside, 'x-hidden-token': json.token as string });
      expect(again.json.id).to.equal(made.json.id);
    });

    it('an answer that tells of what has been hidden since is not repeated', async () => {
      const { token } = await service.newOwner();
      const headers = { 'idempotency-key': 'ask-once' };
      const call = (method: string, path: string, body: object, more = {}) =>
        service.call(method, path, { token, headers: { ...headers, ...more }, body });
      const note = { content: 'The safe opens with a brass key.', title: 'The safe' };
      const made = await call('POST', '/v1/objects/notes', note);
      await service.settled(made.json.id, { token });
      const question = { question: 'What opens the safe?' };
      const asked = await call('POST', '/v1/ask', question);
      expect(asked.json.citations).to.have.length(1);
      expect((await call('POST', '/v1/ask', question)).json).to.deep.equal(asked.json);
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      await call('PATCH', `/v1/objects/${made.json.id}`, { is_hidden: true });
      for (const [path, body] of [
        ['/v1/ask', question],
        ['/v1/objects/notes', note],
      ] as const) {
        const repeated = await call('POST', path, body);
        expect([repeated.status, repeated.json.code]).to.deep.equal([403, 'hidden_locked']);
        expect(repeated.text).not.to.include(made.json.id).and.not.include('brass');
        const inside = await call('POST', path, body, { 'x-hidden-token': pin.json.token });
        expect(inside.status).to.equal(200);
        expect(inside.text).to.include(made.json.id);
      }
    });

    it('every unlock gives a token that lives', async () => {
      const { token } = await service.newOwner();
      const headers = { 'idempotency-key': 'unlock' };
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '1234' } });
      const unlock = () =>
        service.call('POST', '/v1/hidden-pin/unlock', { token, headers, body: { pin: '1234' } });
      await unlock();
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      const hidden = { 'x-hidden-token': (await unlock()).json.token as string };
      const state = await service.call('GET', '/v1/hidden-pin', { token, headers: hidden });
      expect(state.json.unlocked).to.equal(true);
    });

    it('a folder of a hidden theme looks like one without a theme', async () => {
      const { token } = await service.newOwner();
      const call = async (method: string, path: string, body?: object, hidden?: string) => {
        const headers: Record<string, string> = hidden ? { 'x-hidden-token': hidden } : {};
        return (await service.call(method, path, { token, headers, ...(body && { body }) })).json;
      };
      const theme = await call('POST', '/v1/themes', { name: 'Secret', is_hidden: true });
      const folder = await call('POST', '/v1/collections', { name: 'F', theme_id: theme.id });
      expect(folder.theme_id).to.equal(theme.id);
      const open = (await call('POST', '/v1/hidden-pin', { pin: '1234' })).token as string;
      const one = `/v1/collections/${folder.id}`;
      expect((await call('GET', one)).theme_id).to.equal(null);
      expect((await call('PATCH', one, { icon: 'x' })).theme_id).to.equal(null);
      expect((await call('GET', '/v1/collections')).items[0].theme_id).to.equal(null);
      const byTheme = `/v1/collections?theme_id=${theme.id}`;
      expect((await call('GET', byTheme)).total).to.equal(0);
      expect((await call('GET', byTheme, undefined, open)).total).to.equal(1);
      expect((await call('GET', one, undefined, open)).theme_id).to.equal(theme.id);
    });
  });
