import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiles, startService, type Call, type Service } from './harness.ts';

const ROLES = {
  unlimited: {
    requests_per_minute: 6_000,
    questions: null,
    enrichments: null,
    storage_bytes: null,
  },
  small: { requests_per_minute: 500, questions: 3, enrichments: 0, storage_bytes: 100 },
};
const kept = (letter: string, bytes: number): string => letter.repeat(bytes);

for (const profile of profiles)
  describe(`${profile}: usage`, function () {
    this.timeout(60_000);
    let service: Service;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      await writeFile(join(folder, 'roles.json'), JSON.stringify(ROLES));
      service = await startService(profile, { ROLES_FILE: join(folder, 'roles.json') });
    });
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    const owner = async (role: string) => {
      const { token } = await service.newOwner(role);
      const call = (method: string, path: string, how: Call = {}) =>
        service.call(method, path, { token, ...how });
      const upload = async (name: string, text: string, fields: Record<string, string> = {}) =>
        (await service.uploadAll([[name, text]], fields, { token })).json.items[0].id as string;
      const usage = async (headers = {}) => (await call('GET', '/v1/usage', { headers })).json;
      const bytes = async (headers = {}): Promise<number> =>
        (await usage(headers)).items[2].used as number;
      return { call, upload, usage, bytes };
    };

    it('shows role, month, rate limit and the remainder of each limit', async () => {
      const { upload, usage } = await owner('small');
      const now = new Date();
      const month = (ahead: number) =>
        new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString();
      await upload('a.txt', kept('a', 30));
      expect(await usage()).to.deep.equal({
        role: 'small',
        period_start: month(0),
        period_end: month(1),
        requests_per_minute: 500,
        items: [
          { metric: 'questions', used: 0, limit: 3, remaining: 3 },
          { metric: 'enrichments', used: 0, limit: 0, remaining: 0 },
          { metric: 'storage_bytes', used: 30, limit: 100, remaining: 70 },
        ],
      });
      const { items } = (await service.call('GET', '/v1/usage')).json;
      for (const { limit, remaining } of items)
        expect([limit, remaining]).to.deep.equal([null, null]);
    });

    it('counts no question for built-in answers', async () => {
      const { call, usage } = await owner('small');
      for (let requested = 0; requested < 5; requested++)
        expect((await call('POST', '/v1/ask', { body: { question: 'Where?' } })).status).to.equal(
          200,
        );
      expect((await usage()).items[0].used).to.equal(0);
    });

    it('counts bytes once, every version of them, until they are deleted', async () => {
      const { call, upload, bytes } = await owner('unlimited');
      const first = await upload('a.txt', kept('a', 30));
      const twin = await upload('b.txt', kept('a', 30));
      expect(await bytes()).to.equal(30);
      await call('PUT', `/v1/objects/${first}/content`, {
        body: { content: kept('b', 20), base_version: 1 },
      });
      expect(await bytes()).to.equal(50);
      await call('DELETE', `/v1/objects/${first}`);
      expect(await bytes()).to.equal(50);
      await call('DELETE', `/v1/objects/${first}?permanent=true`);
      expect(await bytes()).to.equal(30);
      await call('DELETE', `/v1/objects/${twin}?permanent=true`);
      expect(await bytes()).to.equal(0);
    });

    it('counts corrected texts, refuses one without room, and gives the room back', async () => {
      const { call, upload, bytes } = await owner('small');
      const id = await upload('a.txt', kept('a', 60));
      const text = `/v1/objects/${id}/text`;
      const correct = (size: number) =>
        call('PUT', text, { body: { text: kept('b', size), base_version: 1 } });
      const over = await correct(41);
      expect([over.status, over.json.code]).to.deep.equal([402, 'plan_limit']);
      expect(await bytes()).to.equal(60);
      expect((await correct(40)).status).to.equal(200);
      expect(await bytes()).to.equal(100);
      const longer = await correct(41);
      expect([longer.status, longer.json.code]).to.deep.equal([402, 'plan_limit']);
      expect((await call('GET', text)).json.text).to.equal(kept('b', 40));
      expect((await correct(10)).status).to.equal(200);
      expect(await bytes()).to.equal(70);
      expect((await call('DELETE', text)).status).to.equal(200);
      expect(await bytes()).to.equal(60);
    });

    it('excludes bytes of hidden objects while the zone is locked, and includes them once unlocked', async () => {
      const { call, upload, bytes, usage } = await owner('small');
      await upload('seen.txt', kept('a', 10));
      const hidden = await upload('hidden.txt', kept('h', 40), { is_hidden: 'true' });
      await upload('twin.txt', kept('a', 10), { is_hidden: 'true' });
      // Without a PIN hidden is only out of the way.
      expect(await bytes()).to.equal(50);
      const pin = await call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      const open = { 'x-hidden-token': pin.json.token };
      expect([await bytes(), await bytes(open)]).to.deep.equal([10, 50]);
      const etag = async () => (await call('GET', '/v1/usage')).headers.get('etag');
      const before = await etag();
      const body = { content: kept('i', 5), base_version: 1 };
      await call('PUT', `/v1/objects/${hidden}/content`, { body, headers: open });
      expect(await etag()).to.equal(before);
      expect([await bytes(), await bytes(open)]).to.deep.equal([10, 55]);
      await call('DELETE', `/v1/objects/${hidden}`, { headers: open });
      expect([await bytes(), await bytes(open)]).to.deep.equal([10, 55]);
      expect((await usage()).items[2].remaining).to.equal(90);
      const send = (size: number, headers = {}) => {
        const form = new FormData();
        form.append('file', new Blob([kept('z', size)]), 'z.txt');
        return call('POST', '/v1/uploads', { raw: form, headers });
      };
      const over = await send(60, open);
      expect([over.status, over.json.code]).to.deep.equal([402, 'plan_limit']);
      // A locked caller can store exactly the remaining bytes of the answer above.
      expect((await send(91)).json.code).to.equal('plan_limit');
      expect((await send(90)).status).to.equal(200);
      expect((await send(1)).json.code).to.equal('plan_limit');
    });
  });
