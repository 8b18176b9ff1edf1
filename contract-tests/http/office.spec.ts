import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import {
  claimsIn,
  GOOD_MOOD,
  OFFICE_SECRET,
  openOfficeService,
  type CallbackHow,
  type OfficeService,
  type SentCallback,
} from '../fake-document-server.ts';
import { startLocalServer } from '../local-server.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const sample = (name: string) => readFile(new URL(`../samples/${name}`, import.meta.url));
const SAVED = { error: 0 };
/** A document of its own each time, by the comment of its archive (APPNOTE 4.3.16: its length are the last two bytes). */
const edited = async (mark: string): Promise<Buffer> => {
  const document = await sample('lighthouse.docx');
  const commented = Buffer.concat([document, Buffer.from(mark)]);
  commented.writeUInt16LE(mark.length, document.length - 2);
  return commented;
};

for (const profile of profiles)
  describe(`${profile}: the office editor`, function () {
    this.timeout(120_000);
    let office: OfficeService;
    let service: Service;
    before(async () => {
      office = await openOfficeService();
      service = await startService(profile, {
        OFFICE_URL: office.origin,
        OFFICE_JWT_SECRET: OFFICE_SECRET,
      });
    });
    after(async () => {
      await service.dispose();
      await office.close();
    });
    beforeEach(() => {
      Object.assign(office.mood, GOOD_MOOD);
    });

    const uploaded = async (name = 'lighthouse.docx', as = name): Promise<string> => {
      const { json } = await service.upload(as, await sample(name));
      await service.settled(json.items[0].id);
      return json.items[0].id as string;
    };
    const config = (id: string, call: object = {}, query = ''): Promise<Answer> =>
      service.call('GET', `/v1/office/config/${id}${query}`, call);
    const opened = async (id: string): Promise<Answer['json']> => {
      const { status, json } = await config(id);
      expect(status).to.equal(200);
      expect(json, JSON.stringify(json)).to.include({ enabled: true, reason: '' });
      return json.config;
    };
    const bytesOf = async (id: string, version?: number): Promise<Buffer> => {
      const query = version === undefined ? '' : `?version=${version}`;
      const response = await fetch(`${service.base}/v1/objects/${id}/content${query}`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const versions = async (id: string): Promise<[number, string][]> => {
      const { json } = await service.call('GET', `/v1/objects/${id}/versions`);
      return json.items.map((v: { version: number; origin: string }) => [v.version, v.origin]);
    };
    const reported = async (id: string): Promise<Answer['json'][]> => {
      const { json } = await service.call('GET', '/v1/notifications?limit=200');
      return json.items.filter(
        (each: Answer['json']) => each.payload.object_id === id && each.kind === 'object.failed',
      );
    };

    it('is opened with a signed configuration', async () => {
      const id = await uploaded();
      const answer = await config(id, { headers: { 'accept-language': 'fr;q=0.5, pt-br, en' } });
      expect(answer.json).to.include({
        enabled: true,
        reason: '',
        document_server_url: office.origin,
      });
      const { token, ...rest } = answer.json.config;
      const { iat, exp, ...signed } = claimsIn(token)!;
      expect(signed).to.deep.equal(rest);
      expect(Number(exp) - Number(iat)).to.equal(3_600);
      expect(rest).to.deep.include({ documentType: 'word', type: 'desktop' });
      expect(rest.document).to.deep.include({ fileType: 'docx', title: 'lighthouse.docx' });
      expect(rest.document.key).to.match(/^[0-9A-Za-z._=-]{20,128}$/);
      expect(rest.document.permissions).to.include({ edit: true, download: true, print: true });
      expect(rest.editorConfig).to.deep.include({ mode: 'edit', lang: 'pt-BR' });
      const me = (await service.call('GET', '/v1/me')).json;
      expect(rest.editorConfig.user).to.deep.equal({ id: me.owner.id, name: me.owner.name });
      for (const address of [rest.document.url, rest.editorConfig.callbackUrl])
        expect(address.startsWith(`${service.base}/`), address).to.equal(true);
      expect(answer.text).not.to.include(service.token);
    });

    it("has a title within the document server's limit, with its extension", async () => {
      for (const [filename, title] of [
        [`${'n'.repeat(123)}.docx`, `${'n'.repeat(123)}.docx`],
        [`${'n'.repeat(250)}.docx`, `${'n'.repeat(123)}.docx`],
        [`n${'😀'.repeat(240)}.docx`, `n${'😀'.repeat(61)}.docx`],
        ['n'.repeat(200), 'n'.repeat(128)],
      ] as const) {
        const id = await uploaded('lighthouse.docx', filename);
        const { document } = await opened(id);
        expect(document).to.deep.include({ fileType: 'docx', title });
      }
    });

    it('serves only the opened version at the URL of the configuration', async () => {
      const id = await uploaded();
      const { document, editorConfig } = await opened(id);
      const response = await office.reads({ document, editorConfig });
      expect(response.status).to.equal(200);
      expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(
        await sample('lighthouse.docx'),
      );
      const pass = document.url.split('/').at(-1) as string;
      for (const forged of [
        `${pass}x`,
        `${pass}=`,
        `${pass}.x`,
        pass.slice(0, -1),
        pass.slice(0, -1) + (pass.endsWith('A') ? 'B' : 'A'),
        'x',
        editorConfig.callbackUrl.split('/').at(-1),
      ]) {
        const refused = await fetch(`${service.base}/v1/public/office/files/${forged}`);
        expect(refused.status, forged).to.equal(404);
      }
    });

    it('has the same key for a version and a different one for every other', async () => {
      const id = await uploaded();
      const [first, again] = [await opened(id), await opened(id)];
      expect(again.document.key).to.equal(first.document.key);
      const url = office.saves(await edited('forced'));
      expect(await office.tells(first, { status: 6, url, forcesavetype: 1 })).to.deep.equal({
        status: 200,
        json: SAVED,
      });
      const second = await opened(id);
      expect(second.document.key).not.to.equal(first.document.key);
    });

    it('saves edits as a version: on force save, and on closing', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      expect(await office.tells(editor, { status: 1 })).to.deep.equal({ status: 200, json: SAVED });
      const forced = await edited('one');
      const closing = await edited('two');
      await office.tells(editor, { status: 6, url: office.saves(forced) });
      expect(await bytesOf(id)).to.deep.equal(forced);
      await office.tells(editor, { status: 2, url: office.saves(closing) });
      expect(await bytesOf(id)).to.deep.equal(closing);
      expect(await versions(id)).to.deep.equal([
        [3, 'office'],
        [2, 'office'],
        [1, 'upload'],
      ]);
      const settled = await service.settled(id);
      expect(settled).to.include({ version: 3, editor: 'office' });
      expect(await reported(id)).to.deep.equal([]);
    });

    it('changes nothing when a callback is repeated', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      const url = office.saves(await edited('once'));
      for (let time = 0; time < 3; time++)
        expect((await office.tells(editor, { status: 2, url })).json).to.deep.equal(SAVED);
      expect(await versions(id)).to.have.length(2);
      expect(await reported(id)).to.deep.equal([]);
    });

    it('stores a conflict version if the object changed elsewhere, and notifies the owner', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      const form = new FormData();
      const elsewhere = await edited('elsewhere');
      form.append('file', new Blob([elsewhere]), 'lighthouse.docx');
      form.append('base_version', '1');
      await service.call('POST', `/v1/objects/${id}/content`, { raw: form });
      await service.settled(id);
      const late = await edited('late');
      const url = office.saves(late);
      for (let time = 0; time < 2; time++)
        expect((await office.tells(editor, { status: 2, url })).json).to.deep.equal(SAVED);
      expect(await bytesOf(id)).to.deep.equal(elsewhere);
      expect(await versions(id)).to.deep.equal([
        [4, 'restore'],
        [3, 'office'],
        [2, 'upload'],
        [1, 'upload'],
      ]);
      expect(await bytesOf(id, 3)).to.deep.equal(late);
      const detail = (await service.call('GET', `/v1/objects/${id}`)).json;
      expect(detail).to.include({ version: 4, status: 'ready', text_view: true });
      expect((await service.call('GET', `/v1/objects/${id}/text`)).json.version).to.equal(4);
      const [event, ...more] = await reported(id);
      expect(more).to.deep.equal([]);
      expect(event.body).to.include('version 3');
      const restored = await service.call('POST', `/v1/objects/${id}/versions/3/restore`);
      expect(restored.json.version).to.equal(5);
      expect(await bytesOf(id)).to.deep.equal(late);
    });

    it('stores a conflict version for a closed key', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      await office.tells(editor, { status: 4 });
      expect(await versions(id)).to.have.length(1);
      expect((await opened(id)).document.key).not.to.equal(editor.document.key);
      const late = office.saves(await edited('after closing'));
      expect((await office.tells(editor, { status: 2, url: late })).json).to.deep.equal(SAVED);
      expect(await bytesOf(id)).to.deep.equal(await sample('lighthouse.docx'));
      expect((await versions(id)).map(([, origin]) => origin)).to.deep.equal([
        'restore',
        'office',
        'upload',
      ]);
      expect(await reported(id)).to.have.length(1);
    });

    it('trusts only claims about this document signed by the document server', async () => {
      const id = await uploaded();
      const [editor, other] = [await opened(id), await opened(await uploaded())];
      const foreigner = await service.newOwner();
      const form = new FormData();
      form.append('file', new Blob([await sample('lighthouse.docx')]), 'theirs.docx');
      const { json } = await service.call('POST', '/v1/uploads', {
        token: foreigner.token,
        raw: form,
      });
      const theirs = (await config(json.items[0].id, { token: foreigner.token })).json.config;
      const url = office.saves(await edited('forged'));
      const { key } = editor.document;
      const save = { status: 2, url };
      const forgeries: [string, SentCallback, CallbackHow][] = [
        ['unsigned', save, { token: 'nowhere' }],
        ['not a token', { ...save, token: 'x.y.z' }, { token: 'nowhere' }],
        ['a number for a token', { ...save, token: 1 }, { token: 'nowhere' }],
        [
          "the owner's bearer",
          save,
          { token: 'nowhere', headers: { authorization: `Bearer ${service.token}` } },
        ],
        ['without an algorithm', save, { signing: { alg: 'none' } }],
        ['HS512', save, { signing: { alg: 'HS512' } }],
        ['RS256', save, { signing: { alg: 'RS256' } }],
        ['another secret', save, { signing: { secret: 'another-secret-of-thirty-two-bytes' } }],
        ['expired', save, { signing: { iat: -600, exp: -1 } }],
        ['expired, in the header', save, { token: 'header', signing: { exp: -1 } }],
        ['signed long ago', save, { signing: { iat: -86_400, exp: null } }],
        ['another key', { ...save, key: other.document.key }, {}],
        ["another owner's key", { ...save, key: theirs.document.key }, {}],
        [
          'another key in the body',
          { ...save, key: other.document.key },
          { claims: { ...save, key } },
        ],
        ['another status than signed', save, { claims: { key, status: 4, url } }],
        ['another file than signed', save, { claims: { key, status: 2, url: office.saves('x') } }],
        ['no key signed', save, { claims: save }],
        ['the token of the config', { ...save, token: editor.token }, { token: 'nowhere' }],
        ['no file', { status: 2 }, {}],
      ];
      for (const [what, said, how] of forgeries) {
        const answer = await office.tells(editor, said, how);
        expect(answer.status, what).to.equal(403);
        expect(answer.json, what).to.deep.include({ error: 1, code: 'invalid_signature' });
      }
      for (const callbackUrl of [
        `${editor.editorConfig.callbackUrl}x`,
        editor.document.url.replace('/files/', '/callbacks/'),
        `${service.base}/v1/public/office/callbacks/x`,
      ]) {
        const answer = await office.tells({ ...editor, editorConfig: { callbackUrl } }, save);
        expect([answer.status, answer.json.error, answer.json.code]).to.deep.equal([
          404,
          1,
          'not_found',
        ]);
      }
      for (const status of [0, 5, 8, -2]) {
        const answer = await office.tells(editor, { status });
        expect([answer.status, answer.json.error]).to.deep.equal([400, 1]);
      }
      expect(await versions(id)).to.deep.equal([[1, 'upload']]);
      expect(await bytesOf(id)).to.deep.equal(await sample('lighthouse.docx'));
      expect(await reported(id)).to.deep.equal([]);
      // None of it has closed anything.
      for (const token of ['header', 'body', 'both'] as const) {
        const forced = { status: 6, url: office.saves(await edited(token)) };
        expect(await office.tells(editor, forced, { token })).to.deep.equal({
          status: 200,
          json: SAVED,
        });
      }
      const timeless = { signing: { iat: null, exp: null } };
      await office.tells(editor, { status: 2, url: office.saves(await edited('end')) }, timeless);
      expect((await versions(id))[0]).to.deep.equal([5, 'office']);
    });

    it('stores an edit whatever address the document server gives itself', async () => {
      const canary = await startLocalServer((_, response) => void response.end('elsewhere'));
      const { host } = new URL(office.origin);
      const id = await uploaded();
      const editor = await opened(id);
      const names = [
        `https://${host}`,
        'http://documentserver',
        'http://127.0.0.1:1',
        canary.origin,
        `http://${host}@127.0.0.1:${canary.port}`,
        'http://',
        '',
      ];
      for (const name of names) {
        office.mood.names = name;
        const document = await edited(`at ${name}`);
        const url = office.saves(document);
        expect((await office.tells(editor, { status: 6, url })).json, name).to.deep.equal(SAVED);
        expect((await bytesOf(id)).equals(document), name).to.equal(true);
      }
      for (const status of [301, 302, 307, 308])
        for (const name of [undefined, `https://${host}`, canary.origin, '']) {
          office.mood.names = name;
          const document = await edited(`${status} ${name}`);
          const location = office.saves(document);
          const url = office.saves(
            (response) => void response.writeHead(status, { location }).end(),
          );
          expect((await office.tells(editor, { status: 6, url })).json, name).to.deep.equal(SAVED);
          expect((await bytesOf(id)).equals(document), `${status} ${name}`).to.equal(true);
        }
      expect(canary.visits()).to.equal(0);
      await canary.close();
      expect(await reported(id)).to.deep.equal([]);
    });

    it('answers 502 for a file that is not at the document server, and notifies the owner once', async () => {
      const canary = await startLocalServer((_, response) => void response.end('elsewhere'));
      const id = await uploaded();
      const editor = await opened(id);
      const redirect = (location: string) =>
        office.saves((response) => void response.writeHead(302, { location }).end());
      const circle = office.saves(
        (response, { url }) =>
          void response.writeHead(301, { location: `https://documentserver${url}` }).end(),
      );
      for (const url of [
        `${canary.origin}/saved.docx`,
        `http://127.0.0.1:${office.port}@127.0.0.1:${canary.port}/`,
        `http://x//127.0.0.1:${canary.port}/saved.docx`,
        `/\\127.0.0.1:${canary.port}/saved.docx`,
        redirect(canary.origin),
        redirect(`//127.0.0.1:${canary.port}/saved.docx`),
        redirect('file:///etc/passwd'),
        redirect(''),
        circle,
        'ftp://127.0.0.1/saved.docx',
        'data:text/plain,x',
        '',
      ]) {
        const answer = await office.tells(editor, { status: 2, url });
        expect(answer.status, url).to.equal(502);
        expect(answer.json, url).to.deep.include({ error: 1, code: 'upstream_failed' });
        expect(answer.json.detail).to.match(/^[A-Z].*\.$/);
      }
      expect(canary.visits()).to.equal(0);
      await canary.close();
      expect(await versions(id)).to.deep.equal([[1, 'upload']]);
      const [event, ...more] = await reported(id);
      expect(more).to.deep.equal([]);
      expect(event.payload).to.include({ failure: 'unsaved' });
    });

    it('treats null as absent, signed or not', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      const { key } = editor.document;
      const editing = { status: 1, url: null, users: ['1'] };
      const forced = { status: 6, url: office.saves(await edited('forced')), token: null };
      const told: [SentCallback, CallbackHow][] = [
        [editing, {}],
        [editing, { claims: { key, status: 1 } }],
        [{ status: 1 }, { claims: { key, ...editing } }],
        [{ ...editing, token: null }, { token: 'header' }],
        [forced, { token: 'header' }],
      ];
      for (const [said, how] of told)
        expect(await office.tells(editor, said, how)).to.deep.equal({ status: 200, json: SAVED });
      const refused = await office.tells(editor, { ...forced, url: null }, { token: 'header' });
      expect(refused.status).to.equal(403);
      expect(await versions(id)).to.deep.equal([
        [2, 'office'],
        [1, 'upload'],
      ]);
    });

    it('rejects a file that is not accessible or of another type, and notifies the owner once', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      const failing = [
        office.saves((response) => void response.writeHead(500).end()),
        office.saves((response) => {
          response.writeHead(200, { 'content-length': 9_000 });
          response.write('begun', () => response.destroy());
        }),
        office.saves(''),
      ];
      for (const url of failing) {
        const answer = await office.tells(editor, { status: 6, url });
        expect(answer.status).to.equal(502);
        expect(answer.json).to.deep.include({ error: 1, code: 'upstream_failed' });
      }
      for (const other of [
        '<!doctype html><title>502</title><p>Bad gateway',
        await sample('letter.pdf'),
        await sample('formats/plan.xlsx'),
      ]) {
        const answer = await office.tells(editor, { status: 6, url: office.saves(other) });
        expect([answer.status, answer.json.error]).to.deep.equal([415, 1]);
      }
      for (const status of [7, 3])
        expect((await office.tells(editor, { status })).json).to.deep.equal(SAVED);
      expect(await versions(id)).to.have.length(1);
      expect(await reported(id)).to.have.length(1);
      await office.tells(editor, { status: 6, url: office.saves(await edited('well')) });
      // Within a second two tokens of the same words are the same.
      await office.tells(editor, { status: 7, userdata: 'another time' });
      expect(await versions(id)).to.have.length(2);
      expect(await reported(id)).to.have.length(2);
    });

    it('accepts closing saves in another format of the same kind', async () => {
      const id = await uploaded('formats/lighthouse.odt', 'lighthouse.odt');
      const editor = await opened(id);
      expect(editor.document.fileType).to.equal('odt');
      await office.tells(editor, { status: 2, url: office.saves(await sample('lighthouse.docx')) });
      const detail = (await service.call('GET', `/v1/objects/${id}`)).json;
      expect(detail).to.include({ version: 2, filename: 'lighthouse.odt', editor: 'office' });
      expect((await opened(id)).document.fileType).to.equal('docx');
    });

    it('is read-only for read-only tokens, and unavailable for formats that need conversion', async () => {
      const id = await uploaded();
      const reader = (
        await service.call('POST', '/v1/tokens', { body: { name: 'r', access: 'read' } })
      ).json;
      const { json } = await config(id, { token: reader.token });
      expect(json.enabled).to.equal(true);
      expect(json.config.editorConfig.mode).to.equal('view');
      expect(json.config.document.permissions).to.include({ edit: false, download: true });
      const url = office.saves(await edited('by a reader'));
      expect((await office.tells(json.config, { status: 2, url })).status).to.equal(403);
      expect(await versions(id)).to.have.length(1);
      // A reader sees the session of an editor.
      expect((await opened(id)).document.key).to.equal(json.config.document.key);
      expect((await office.tells(json.config, { status: 6, url })).json).to.deep.equal(SAVED);
      expect(await versions(id)).to.have.length(2);
      await service.call('DELETE', `/v1/tokens/${reader.id}`);
      expect((await office.reads(json.config)).status).to.equal(404);
      for (const [name, kind, mode] of [
        ['formats/plan.xlsx', 'cell', 'edit'],
        ['tides.csv', 'cell', 'edit'],
        ['formats/lighthouse.pptx', 'slide', 'edit'],
        ['formats/lighthouse.rtf', 'word', 'edit'],
        ['formats/lighthouse.doc', 'word', 'view'],
        ['formats/plan.xls', 'cell', 'view'],
      ] as const) {
        const of = await opened(await uploaded(name));
        expect([of.documentType, of.editorConfig.mode], name).to.deep.equal([kind, mode]);
      }
    });

    it('reports that it is disabled, with the reason', async () => {
      const id = await uploaded();
      const off = (reason: string) => ({
        enabled: false,
        reason,
        document_server_url: '',
        config: {},
      });
      const note = await service.call('POST', '/v1/objects/notes', {
        body: { content: 'no office' },
      });
      for (const other of [note.json.id, await uploaded('letter.pdf')])
        expect((await config(other)).json).to.deep.equal(off('unsupported_format'));
      for (const health of ['ill', 'failing', 'silent', 'moved'] as const) {
        office.mood.health = health;
        expect((await config(id)).json).to.deep.equal(off('engine_unavailable'));
      }
      const deep = await service.call('GET', '/health/deep');
      const check = (answer: Answer) =>
        answer.json.checks.find((c: { name: string }) => c.name === 'office');
      expect(check(deep).status).to.equal('failed');
      office.mood.health = 'well';
      // A result is shown to all for ten seconds.
      const health = () => service.call('GET', '/health/deep');
      const well = await eventually(health, (it) => check(it).status === 'ok', 20_000);
      expect(check(well).status).to.equal('ok');
      expect((await config(id, {}, '?type=mobile')).json.config.type).to.equal('mobile');
      const wrong = await config(id, {}, '?type=toaster');
      expect(wrong.status).to.equal(422);
      expect(wrong.json.detail[0].loc).to.deep.equal(['query', 'type']);
    });

    it('is 404 for missing, foreign or hidden objects alike', async () => {
      const owner = await service.newOwner();
      const { token } = owner;
      const form = new FormData();
      form.append('file', new Blob([await sample('lighthouse.docx')]), 'hidden.docx');
      form.append('is_hidden', 'true');
      const id = (await service.call('POST', '/v1/uploads', { token, raw: form })).json.items[0].id;
      const missing = await config('7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f', { token });
      expect(missing.status).to.equal(404);
      expect((await config(id)).text).to.equal(missing.text);
      const before = (await config(id, { token })).json.config;
      expect((await office.reads(before)).status).to.equal(200);
      const unlocked = (
        await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '2468' } })
      ).json;
      const locked = await config(id, { token });
      expect([locked.status, locked.text]).to.deep.equal([404, missing.text]);
      expect((await office.reads(before)).status, 'opened before there was a PIN').to.equal(404);
      const headers = { 'x-hidden-token': unlocked.token };
      const editor = (await config(id, { token, headers })).json.config;
      expect((await office.reads(editor)).status).to.equal(200);
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      expect((await office.reads(editor)).status).to.equal(404);
      // The edit is preserved all the same, and no notification is sent.
      const url = office.saves(await edited('hidden'));
      expect((await office.tells(editor, { status: 2, url })).json).to.deep.equal(SAVED);
      const again = (
        await service.call('POST', '/v1/hidden-pin/unlock', { token, body: { pin: '2468' } })
      ).json;
      const seen = await service.call('GET', `/v1/objects/${id}`, {
        token,
        headers: { 'x-hidden-token': again.token },
      });
      expect(seen.json.version).to.equal(2);
      await office.tells(editor, { status: 2, url: office.saves(await edited('hidden and late')) });
      const notifications = (await service.call('GET', '/v1/notifications', { token })).json;
      expect(JSON.stringify(notifications)).not.to.include('hidden.docx');
    });

    it('stores edits of an object in the trash, and none of a deleted one', async () => {
      const id = await uploaded();
      const editor = await opened(id);
      await service.call('DELETE', `/v1/objects/${id}`);
      const { json } = await config(id);
      expect(json.config.editorConfig.mode).to.equal('view');
      const late = await edited('in the trash');
      expect(
        (await office.tells(editor, { status: 6, url: office.saves(late) })).json,
      ).to.deep.equal(SAVED);
      expect(await bytesOf(id)).to.deep.equal(await sample('lighthouse.docx'));
      expect(await bytesOf(id, 2)).to.deep.equal(late);
      await service.call('DELETE', `/v1/objects/${id}?permanent=true`);
      expect((await office.reads(editor)).status).to.equal(404);
      const gone = await office.tells(editor, { status: 2, url: office.saves(late) });
      expect([gone.status, gone.json.error]).to.deep.equal([404, 1]);
      for (const status of [1, 4, 7])
        expect((await office.tells(editor, { status })).status, String(status)).to.equal(200);
      expect((await service.call('GET', `/v1/objects/${id}`)).status).to.equal(404);
    });

    it("serializes concurrent callbacks, also after a restart, beyond the visitors' rate limit", async () => {
      const id = await uploaded();
      const editor = await opened(id);
      service = await service.restart();
      const port = new URL(service.base).port;
      const moved = {
        ...editor,
        editorConfig: {
          callbackUrl: editor.editorConfig.callbackUrl.replace(/:\d+\//, `:${port}/`),
        },
      };
      const documents = await Promise.all(['a', 'b', 'c', 'd'].map(edited));
      const answers = await Promise.all(
        documents.map((document) =>
          office.tells(moved, { status: 6, url: office.saves(document) }),
        ),
      );
      expect(answers.map(({ json }) => json)).to.deep.equal(answers.map(() => SAVED));
      expect((await versions(id)).map(([, origin]) => origin)).to.deep.equal([
        'office',
        'office',
        'office',
        'office',
        'upload',
      ]);
      for (let n = 0; n < 80; n++)
        expect((await office.tells(moved, { status: 1 })).status).to.equal(200);
      await office.tells(moved, { status: 2, url: office.saves(documents[0]!) });
      expect(await bytesOf(id)).to.deep.equal(documents[0]);
    });

    if (profile === 'team')
      it('is one editor across processes, whichever receives the callback', async () => {
        const beside = await service.beside();
        try {
          const id = await uploaded();
          const editor = await opened(id);
          const there = (await beside.call('GET', `/v1/office/config/${id}`)).json.config;
          expect(there.document.key).to.equal(editor.document.key);
          const documents = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(edited));
          const answers = await Promise.all(
            documents.map((document, n) =>
              office.tells(n % 2 ? editor : there, { status: 6, url: office.saves(document) }),
            ),
          );
          expect(answers.map(({ json }) => json)).to.deep.equal(answers.map(() => SAVED));
          const origins = (await versions(id)).map(([, origin]) => origin);
          expect(origins).to.deep.equal([...documents.map(() => 'office'), 'upload']);
          // Either of the two closes it, and both learn of it.
          await office.tells(there, { status: 4 });
          const late = { status: 2, url: office.saves(await edited('late')) };
          expect((await office.tells(editor, late)).json).to.deep.equal(SAVED);
          expect((await versions(id))[0]).to.deep.equal([9, 'restore']);
        } finally {
          await beside.stop();
        }
      });

    it('names the failing step on the path of a document', async () => {
      const selftest = async (): Promise<Answer['json']> => {
        const { status, json } = await service.call('POST', '/v1/office/selftest');
        expect(status).to.equal(200);
        expect(json.hops.map(({ name }: { name: string }) => name)).to.deep.equal([
          'engine',
          'secret',
          'addresses',
        ]);
        for (const { detail } of json.hops) expect(detail).to.match(/^[A-Z].*\.$/);
        return [json.ok, json.hops.map(({ ok }: { ok: boolean }) => ok)];
      };
      for (const services of ['earlier', 'later'] as const) {
        office.mood.services = services;
        expect(await selftest()).to.deep.equal([true, [true, true, true]]);
      }
      const addresses = async (): Promise<Answer['json']> =>
        (await service.call('POST', '/v1/office/selftest')).json.hops[2];
      expect((await addresses()).detail).not.to.include('calls itself');
      for (const names of ['http://documentserver', office.origin.replace('http:', 'https:')]) {
        office.mood.names = names;
        expect(await selftest()).to.deep.equal([true, [true, true, true]]);
        const { detail } = await addresses();
        expect(detail).to.include(`calls itself ${names}.`).and.to.include(office.origin);
        office.mood.serves = false;
        expect(await selftest()).to.deep.equal([false, [true, true, false]]);
        expect((await addresses()).detail).to.include(`calls itself ${names}.`);
        expect((await addresses()).error_code).to.equal('server_error');
        office.mood.serves = true;
      }
      office.mood.names = '';
      expect(await selftest()).to.deep.equal([true, [true, true, true]]);
      expect((await addresses()).detail).to.include('without an address');
      office.mood.names = undefined;
      office.mood.reaches = false;
      expect(await selftest()).to.deep.equal([false, [true, true, false]]);
      office.mood.secret = 'another-secret-of-thirty-two-bytes';
      expect(await selftest()).to.deep.equal([false, [true, false, false]]);
      office.mood.health = 'moved';
      expect(await selftest()).to.deep.equal([false, [false, false, false]]);
      const [engine] = (await service.call('POST', '/v1/office/selftest')).json.hops;
      expect([engine.error_code, engine.error_fact]).to.deep.equal(['redirects', '301']);
      office.mood.health = 'ill';
      expect(await selftest()).to.deep.equal([false, [false, false, false]]);
    });
  });

for (const profile of profiles)
  describe(`${profile}: an office editor at a sub-path of a proxy`, function () {
    this.timeout(60_000);
    let office: OfficeService;
    let service: Service;
    before(async () => {
      office = await openOfficeService('/office');
      service = await startService(profile, {
        OFFICE_URL: `${office.origin}/office`,
        OFFICE_JWT_SECRET: OFFICE_SECRET,
      });
    });
    after(async () => {
      await service.dispose();
      await office.close();
    });

    it('stores an edit whose address has the sub-path, or lacks it', async () => {
      const { json } = await service.upload('lighthouse.docx', await sample('lighthouse.docx'));
      const { id } = json.items[0];
      await service.settled(id);
      const { config } = (await service.call('GET', `/v1/office/config/${id}`)).json;
      const { host } = new URL(office.origin);
      for (const names of [
        undefined,
        office.origin,
        `https://${host}/office`,
        `https://${host}`,
        'http://documentserver/office',
        'http://documentserver',
        '/office',
        '',
      ]) {
        office.mood.names = names;
        const document = await edited(`at ${names}`);
        const url = office.saves(document);
        for (const named of [
          url,
          office.saves((response) => void response.writeHead(301, { location: url }).end()),
        ]) {
          const answer = await office.tells(config, { status: 6, url: named });
          expect(answer.json, names).to.deep.equal(SAVED);
        }
        const content = await fetch(`${service.base}/v1/objects/${id}/content`, {
          headers: { authorization: `Bearer ${service.token}` },
        });
        expect(Buffer.from(await content.arrayBuffer()).equals(document), names).to.equal(true);
        const selftest = (await service.call('POST', '/v1/office/selftest')).json;
        expect(selftest.ok, names).to.equal(true);
      }
    });
  });

for (const profile of profiles)
  describe(`${profile}: without an office editor`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    it('reports that, and names what is missing', async () => {
      const { json } = await service.upload('lighthouse.docx', await sample('lighthouse.docx'));
      const off = { enabled: false, reason: 'switched_off', document_server_url: '', config: {} };
      const path = `/v1/office/config/${json.items[0].id}`;
      expect((await service.call('GET', path)).json).to.deep.equal(off);
      const selftest = (await service.call('POST', '/v1/office/selftest')).json;
      expect(selftest.ok).to.equal(false);
      expect(selftest.hops[0]).to.include({ name: 'engine', ok: false });
      expect(selftest.hops[0].detail).to.include('OFFICE_URL');
      const { checks } = (await service.call('GET', '/health/deep')).json;
      expect(checks.find((c: { name: string }) => c.name === 'office').status).to.equal('off');
    });
  });
