import { expect } from 'chai';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

for (const profile of profiles)
  describe(`${profile}: behind a closed zone`, () => {
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    it('a response from an unlocked zone is not repeated while it is locked', async () => {
      const { token } = await service.newOwner();
      const set = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '1234' } });
      const inside = { 'x-hidden-token': set.json.token as string, 'idempotency-key': 'ask-once' };
      const outside = { 'idempotency-key': 'ask-once' };
      const note = { content: 'The safe opens with a brass key.', is_hidden: true };
      const created = await service.call('POST', '/v1/objects/notes', {
        token,
        headers: inside,
        body: note,
      });
      expect(created.status).to.equal(200);
      const repeat = (headers: Record<string, string>) =>
        service.call('POST', '/v1/objects/notes', { token, headers, body: note });
      const refused = await repeat(outside);
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'hidden_locked']);
      expect((await repeat(inside)).json.id).to.equal(created.json.id);
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      expect((await repeat(inside)).status).to.equal(403);
      const { json } = await service.call('POST', '/v1/hidden-pin/unlock', {
        token,
        body: { pin: '1234' },
      });
      const again = await repeat({ ...inside, 'x-hidden-token': json.token as string });
      expect(again.json.id).to.equal(created.json.id);
    });

    it('a response that names an object hidden since is not repeated', async () => {
      const { token } = await service.newOwner();
      const headers = { 'idempotency-key': 'ask-once' };
      const call = (method: string, path: string, body: object, more = {}) =>
        service.call(method, path, { token, headers: { ...headers, ...more }, body });
      const note = { content: 'The safe opens with a brass key.', title: 'The safe' };
      const created = await call('POST', '/v1/objects/notes', note);
      await service.settled(created.json.id, { token });
      const question = { question: 'What opens the safe?' };
      const requested = await call('POST', '/v1/ask', question);
      expect(requested.json.citations).to.have.length(1);
      expect((await call('POST', '/v1/ask', question)).json).to.deep.equal(requested.json);
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      await call('PATCH', `/v1/objects/${created.json.id}`, { is_hidden: true });
      for (const [path, body] of [
        ['/v1/ask', question],
        ['/v1/objects/notes', note],
      ] as const) {
        const repeated = await call('POST', path, body);
        expect([repeated.status, repeated.json.code]).to.deep.equal([403, 'hidden_locked']);
        expect(repeated.text).not.to.include(created.json.id).and.not.include('brass');
        const inside = await call('POST', path, body, { 'x-hidden-token': pin.json.token });
        expect(inside.status).to.equal(200);
        expect(inside.text).to.include(created.json.id);
      }
    });

    it('a repeat does not distinguish a hidden object from a deleted one or from one that never existed', async () => {
      const { token } = await service.newOwner();
      const call = (method: string, path: string, body?: object, headers = {}) =>
        service.call(method, path, { token, headers, ...(body && { body }) });
      const key = (name: string) => ({ 'idempotency-key': name });
      /** The response, without the parts that always differ. */
      const reported = ({ status, text, headers }: Answer, ...own: readonly string[]) => ({
        status,
        text: own.reduce((left, id) => left.replaceAll(id, 'X'), text),
        replayed: headers.get('idempotent-replayed'),
      });
      const theme = async (name: string) => (await call('POST', '/v1/themes', { name })).json.id;
      const themes = { hidden: await theme('One'), deleted: await theme('Two') };
      const make = async (which: 'hidden' | 'deleted') => {
        const note = { content: 'The safe opens with a brass key.', title: 'Safe' };
        const created = await call('POST', '/v1/objects/notes', note, key(`note ${which}`));
        const id = created.json.id as string;
        await service.settled(id, { token });
        const again: [string, object | undefined][] = [
          ['/v1/objects/notes', note],
          [`/v1/objects/${id}/versions/1/restore`, undefined],
          ['/v1/shares', { kind: 'file', resource_id: id }],
          ['/v1/ask', { question: 'What opens the safe?', object_ids: [id] }],
          ['/v1/collections', { name: `In ${which}`, theme_id: themes[which] }],
        ];
        const once = { ...key(`note ${which}`) };
        const repeated = ([path, body]: (typeof again)[number] = ['', undefined]) =>
          call('POST', path, body, once);
        for (const [path, body] of again.slice(1))
          expect((await call('POST', path, body, once)).status, path).to.equal(200);
        return {
          id,
          repeat: (at: number) => repeated(again[at]),
          size: again.length,
        };
      };
      const [hidden, deleted] = [await make('hidden'), await make('deleted')];
      await call('PATCH', `/v1/objects/${hidden.id}`, { is_hidden: true });
      await call('DELETE', `/v1/objects/${deleted.id}?permanent=true`);
      await call('PATCH', `/v1/themes/${themes.hidden}`, { is_hidden: true });
      await call('DELETE', `/v1/themes/${themes.deleted}`);
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      for (let at = 0; at < hidden.size; at++) {
        const [one, other] = [await hidden.repeat(at), await deleted.repeat(at)];
        expect(reported(one, hidden.id), String(at)).to.deep.equal(reported(other, deleted.id));
        expect(one.status).to.equal(at === 1 ? 404 : 403);
      }
      // Ids in keys, names and texts were chosen by a client and do not count.
      const absent = '01890a5d-ac96-774b-bcce-b302099a8057';
      const seen = [];
      for (const id of [hidden.id, deleted.id, absent]) {
        const send = () =>
          call('POST', '/v1/objects/notes', { content: `See ${id}.`, title: id }, key(`k ${id}`));
        const [first, again] = [await send(), await send()];
        expect(again.text).to.equal(first.text);
        const { id: created, created_at: at, content_hash: hash } = first.json;
        const own: string[] = [created, at, hash];
        const path = `/v1/objects/${id}/versions/1/restore`;
        const byPath = [await call('POST', path, undefined, key('new')), await call('POST', path)];
        seen.push([again, ...byPath].map((each) => reported(each, id, ...own)));
      }
      expect(seen[0]).to.deep.equal(seen[2]);
      expect(seen[1]).to.deep.equal(seen[2]);
      expect(seen[0]?.[0]).to.include({ status: 200, replayed: 'true' });
      // Unlocked, the hidden object may be named again.
      const open = { ...key('note hidden'), 'x-hidden-token': pin.json.token };
      const path = `/v1/objects/${hidden.id}/versions/1/restore`;
      expect(
        (await call('POST', path, undefined, open)).headers.get('idempotent-replayed'),
      ).to.equal('true');
    });

    it('a visitor gets the first reply again, whether the file was hidden or deleted since', async () => {
      const { token } = await service.newOwner();
      const call = (method: string, path: string, body?: object) =>
        service.call(method, path, { token, ...(body && { body }) });
      const folder = (await call('POST', '/v1/collections', { name: 'Inbox' })).json.id;
      const requested = { kind: 'folder', resource_id: folder, role: 'contributor' };
      const path = `/v1/public/shares/${(await call('POST', '/v1/shares', requested)).json.token}/uploads`;
      const upload = (name: string) => {
        const raw = new FormData();
        raw.append('file', new Blob([`bytes of ${name}`]), `${name}.txt`);
        return service.call('POST', path, {
          token: null,
          raw,
          headers: { 'idempotency-key': name },
        });
      };
      const [hidden, deleted] = [await upload('hidden'), await upload('deleted')];
      await call('PATCH', `/v1/objects/${hidden.json.items[0].id}`, { is_hidden: true });
      await call('DELETE', `/v1/objects/${deleted.json.items[0].id}?permanent=true`);
      await call('POST', '/v1/hidden-pin', { pin: '1234' });
      for (const [name, first] of [
        ['hidden', hidden],
        ['deleted', deleted],
      ] as const) {
        const again = await upload(name);
        expect([again.status, again.text]).to.deep.equal([200, first.text]);
      }
    });

    it('an idempotency key does not allow guessing PINs', async () => {
      const { token } = await service.newOwner();
      const headers = { 'idempotency-key': 'set' };
      const set = (pin: string) =>
        service.call('POST', '/v1/hidden-pin', { token, headers, body: { pin } });
      expect((await set('1234')).status).to.equal(200);
      const answers: (readonly [number, string])[] = [];
      for (const pin of ['1234', '1111', '2222']) {
        const { status, json, headers: sent } = await set(pin);
        expect(sent.get('idempotent-replayed')).to.equal(null);
        answers.push([status, json.code]);
      }
      expect(answers).to.deep.equal(Array.from({ length: 3 }, () => [403, 'wrong_pin']));
    });

    it('every unlock returns a valid token', async () => {
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

    it('the name of a folder of a hidden theme is in use if that of a folder without a theme is', async () => {
      const source = await service.newOwner();
      await service.call('POST', '/v1/collections', { token: source.token, body: { name: 'F' } });
      const exported = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${source.token}` },
      });
      const archive = await exported.arrayBuffer();
      const answers = async (inHiddenTheme: boolean) => {
        const { token } = await service.newOwner();
        const ids: string[] = [];
        const reported: (readonly [number, string])[] = [];
        const call = async (method: string, path: string, body?: object, raw?: ArrayBuffer) => {
          const { status, json, text } = await service.call(method, path, {
            token,
            ...(body && { body }),
            ...(raw && { raw, headers: { 'content-type': 'application/zip' } }),
          });
          if (typeof json.id === 'string') ids.push(json.id);
          const same = text
            .replaceAll(/"request_id":"[^"]*"/g, '')
            .replaceAll(/"(created|updated)_at":"[^"]*"/g, '');
          reported.push([
            status,
            ids.reduce((left, id, i) => left.replaceAll(id, `id ${i}`), same),
          ]);
          return json.id as string;
        };
        const theme = inHiddenTheme
          ? await service.call('POST', '/v1/themes', {
              token,
              body: { name: 'Secret', is_hidden: true },
            })
          : undefined;
        const created = await service.call('POST', '/v1/collections', {
          token,
          body: { name: 'F', ...(theme && { theme_id: theme.json.id }) },
        });
        ids.push(created.json.id);
        await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '1234' } });
        const first = `/v1/collections/${created.json.id}`;
        await call('POST', '/v1/collections', { name: 'f' });
        const second = `/v1/collections/${await call('POST', '/v1/collections', { name: 'G' })}`;
        await call('PATCH', second, { name: 'F' });
        await call('PATCH', first, { name: 'G' });
        await call('PATCH', first, { name: 'f', icon: 'x' });
        await call('POST', '/v1/import', undefined, archive);
        const home = await call('POST', '/v1/themes', { name: 'Home' });
        const third = await call('POST', '/v1/collections', { name: 'F', theme_id: home });
        await call('PATCH', `/v1/collections/${third}`, { theme_id: '' });
        await call('PATCH', `/v1/collections/${third}`, { theme_id: '', name: 'g' });
        await call('DELETE', `/v1/themes/${home}`);
        await call('GET', '/v1/collections');
        await call('DELETE', second);
        await call('POST', '/v1/collections', { name: 'G' });
        await call('PATCH', first, { theme_id: await call('POST', '/v1/themes', { name: 'B' }) });
        await call('POST', '/v1/collections', { name: 'F' });
        await call('GET', '/v1/collections');
        return reported;
      };
      const withoutTheme = await answers(false);
      expect(await answers(true)).to.deep.equal(withoutTheme);
      expect(withoutTheme.map(([status]) => status)).to.deep.equal([
        409, 200, 409, 409, 200, 200, 200, 200, 409, 409, 200, 200, 200, 200, 200, 200, 200, 200,
      ]);
    });
  });
