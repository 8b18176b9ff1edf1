import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startLocalServer, type Site } from '../local-server.ts';
import { eventually, profiles, startService, type Call, type Service } from './harness.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const sample = (name: string) => readFile(new URL(`../samples/${name}`, import.meta.url));
const paragraph = '<p>The harbour was dredged in spring, and the ferry came back in June.</p>';
const ARTICLE = `<!doctype html><html><head><title>Dredging the harbour</title>
  <meta property="og:site_name" content="Gazette"><meta name="description" content="Mud is gone.">
  <meta property="og:image" content="/mud.png"></head>
  <body><ul class="menu"><li>Subscribe now</li></ul><article>${paragraph.repeat(12)}</article></body></html>`;

for (const profile of profiles)
  describe(`${profile}: links`, function () {
    this.timeout(120_000);
    let service: Service;
    let site: Site;
    let canary: Site;
    const pages = new Map<string, (response: ServerResponse) => void>();
    const page = (path: string, type: string, body: Uint8Array | string, status = 200): string => {
      pages.set(path, (response) => response.writeHead(status, { 'content-type': type }).end(body));
      return site.origin + path;
    };
    before(async () => {
      site = await startLocalServer((request, response) => {
        const answer = pages.get(request.url ?? '');
        if (answer) answer(response);
        else response.writeHead(404).end();
      });
      canary = await startLocalServer((_, response) => response.end('<title>secret</title>secret'));
      const allowed = `127.0.0.1:${site.port}, nas.invalid`;
      service = await startService(profile, { OUTBOUND_ALLOW: allowed });
    });
    after(async () => {
      await service.dispose();
      await site.close();
      await canary.close();
    });

    const post = (body: object, call: Call = {}) =>
      service.call('POST', '/v1/objects/links', { ...call, body });
    const added = async (body: object): Promise<string> => {
      const answer = await post(body);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json.id;
    };
    const enrich = (id: string, call?: Call) =>
      service.call('POST', `/v1/objects/${id}/enrich`, call);
    const blobs = async (): Promise<number> => {
      const entries = await readdir(join(service.dataDir, 'blobs'), {
        recursive: true,
        withFileTypes: true,
      });
      return entries.filter((entry) => entry.isFile()).length;
    };

    it('are stored immediately and read in the background: title, text, description, image', async () => {
      const before = await blobs();
      page('/mud.png', 'image/png', PIXEL);
      const url = page('/news/1?x=y', 'text/html', ARTICLE);
      const { status, json } = await post({ url });
      expect(status).to.equal(200);
      expect(json).to.deep.include({
        kind: 'link',
        mime: 'application/internet-shortcut',
        source_url: url,
        status: 'pending',
        version: 1,
        editor: null,
        name_source: 'original',
        name_locked: false,
        filename: `127.0.0.1:${site.port}-news-1.url`,
      });
      const read = await service.settled(json.id);
      expect(read).to.deep.include({
        status: 'ready',
        error: null,
        needs_manual: false,
        text_view: true,
        filename: 'Dredging the harbour.url',
        original_name: json.filename,
        content_hash: json.content_hash,
      });
      const text = await service.call('GET', `/v1/objects/${json.id}/text`);
      expect(text.json).to.include({ source: 'extracted', language: 'en' });
      expect(text.json.text).to.include('ferry came back').and.not.include('Subscribe');
      const listed = await service.call('GET', '/v1/objects?is_link=true');
      expect(listed.json.items[0]).to.include({
        id: json.id,
        title: 'Dredging the harbour',
        summary: 'Mud is gone.',
        source_url: url,
      });
      const found = await service.call('GET', '/v1/search?q=dredged&is_link=true');
      expect(found.json.items[0].object.id).to.equal(json.id);
      const requested = await service.call('POST', '/v1/ask', {
        body: { question: 'When did the ferry come back?', object_ids: [json.id] },
      });
      expect(requested.json.citations[0]).to.include({ object_id: json.id });
      expect((await blobs()) - before).to.equal(2);
      await service.call('DELETE', `/v1/objects/${json.id}?permanent=true`);
      expect(await eventually(blobs, (count) => count === before)).to.equal(before);
    });

    it('are files: downloaded, with versions, and the same URL twice is two of them', async () => {
      const url = page('/plain.txt', 'text/plain', 'Plain words of a file.');
      const [one, two] = [await added({ url, title: 'Mine' }), await added({ url })];
      const read = await service.settled(one);
      expect(read).to.include({ filename: 'Mine.url', name_source: 'user', name_locked: true });
      const content = await service.call('GET', `/v1/objects/${one}/content`);
      expect(content.text).to.equal(`[InternetShortcut]\r\nURL=${url}\r\n`);
      expect(content.headers.get('content-type')).to.equal('application/internet-shortcut');
      expect(content.headers.get('etag')).to.equal(`"${read.content_hash}"`);
      const versions = await service.call('GET', `/v1/objects/${one}/versions`);
      expect(versions.json).to.deep.include({ total: 1 });
      expect(versions.json.items[0]).to.include({ origin: 'save', size: content.text.length });
      expect((await service.settled(two)).content_hash).to.equal(read.content_hash);
      expect((await service.call('GET', `/v1/objects/${two}/text`)).json.text).to.equal(
        'Plain words of a file.',
      );
    });

    it('to a pdf have its text, to an archive none without an error, and encodings are detected', async () => {
      const pdf = page('/a.pdf', 'application/pdf', await sample('lighthouse.pdf'));
      const zip = page('/a.zip', 'application/zip', Buffer.from('504b0506'.padEnd(44, '0'), 'hex'));
      const russian = await sample('protocol-ru.cp1251.txt');
      const html = page(
        '/ru',
        'text/html; charset=windows-1251',
        Buffer.concat([Buffer.from('<p>'), russian]),
      );
      pages.set('/packed', (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(ARTICLE)),
      );
      const ids = [];
      for (const url of [pdf, zip, html, `${site.origin}/packed`]) ids.push(await added({ url }));
      const read = [];
      for (const id of ids) read.push(await service.settled(id));
      for (const each of read)
        expect(each).to.include({ status: 'ready', needs_manual: false, error: null });
      expect(read.map((each) => each.text_view)).to.deep.equal([true, false, true, true]);
      const texts = await Promise.all(
        ids.map((id) => service.call('GET', `/v1/objects/${id}/text`)),
      );
      expect(texts[0]?.json.text).to.match(/generator/);
      expect(texts[1]?.status).to.equal(404);
      expect(texts[2]?.json).to.include({ language: 'ru' });
      expect(texts[2]?.json.text).to.match(/собрани/i);
    });

    it('to private addresses are stored and fail with one message for all, without a connection', async () => {
      const inward = `${site.origin}/inward`;
      pages.set('/inward', (response) =>
        response.writeHead(302, { location: canary.origin }).end(),
      );
      const urls = [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '127.1',
        '0',
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
        '１２７.０.０.１',
        '127.0.0.2',
        'localhost',
        'localhost.',
        '169.254.169.254',
      ].map((host) => `http://${host}:${canary.port}/`);
      const ids = [];
      for (const url of [...urls, inward]) ids.push(await added({ url }));
      const errors = new Map<string, string>();
      for (const [i, id] of ids.entries()) {
        const read = await service.settled(id);
        expect(read, urls[i]).to.include({ status: 'failed', text_view: false });
        errors.set(read.error, read.filename);
      }
      expect([...errors.keys()]).to.deep.equal([
        'The address leads to a destination that this service does not connect to.',
      ]);
      expect(canary.visits()).to.equal(0);
    });

    it('fail with a reason, and are read on request once the page exists', async () => {
      const url = page('/later', 'text/html', 'gone', 410);
      const id = await added({ url });
      expect(await service.settled(id)).to.include({
        status: 'failed',
        error: 'The site answers with status 410.',
      });
      expect((await service.call('GET', `/v1/objects/${id}/content`)).status).to.equal(200);
      page('/later', 'text/html', '<title>Back</title><p>It is back again.');
      const { status, json } = await enrich(id);
      expect(status).to.equal(200);
      expect(json).to.deep.include({ status: 'accepted' });
      expect(json.task_id).to.be.a('string');
      expect(await service.settled(id)).to.include({
        status: 'ready',
        error: null,
        filename: 'Back.url',
      });
    });

    it('cannot have other content: 415', async () => {
      const id = await added({ url: page('/fixed', 'text/plain', 'x') });
      const put = await service.call('PUT', `/v1/objects/${id}/content`, {
        body: { content: 'x', base_version: 1 },
      });
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.txt');
      form.append('base_version', '1');
      const file = await service.call('POST', `/v1/objects/${id}/content`, { raw: form });
      for (const answer of [put, file])
        expect([answer.status, answer.json.code]).to.deep.equal([415, 'unsupported_type']);
      expect((await service.settled(id)).version).to.equal(1);
    });

    it('are rejected with an invalid URL, before anything is stored', async () => {
      const total = async () => (await service.call('GET', '/v1/objects?is_link=true')).json.total;
      const before = await total();
      for (const [url, type] of [
        ['ftp://example.org/', 'url_scheme'],
        ['javascript:alert(1)', 'url_scheme'],
        ['file:///etc/passwd', 'url_scheme'],
        ['example.org', 'url_parsing'],
        ['http://', 'url_parsing'],
        ['http://[::1', 'url_parsing'],
        [`http://a.test/${'x'.repeat(2_083)}`, 'string_too_long'],
        [7, 'string_type'],
      ] as const) {
        const { status, json } = await post({ url });
        expect(status, String(url)).to.equal(422);
        expect(json.detail[0], String(url)).to.deep.include({ type, loc: ['body', 'url'] });
      }
      const title = await post({ url: 'http://127.0.0.1:1/', title: 'a/b' });
      expect([title.status, title.json.detail[0].loc]).to.deep.equal([422, ['body', 'title']]);
      const folder = await post({ url: 'http://127.0.0.1:1/', collection_id: MISSING });
      expect(folder.status).to.equal(404);
      expect(await total()).to.equal(before);
    });

    it('while the zone is locked are neither visible nor read again', async () => {
      const { token } = await service.newOwner();
      const url = page('/secret', 'text/html', '<title>Secret</title><p>The safe is behind it.');
      const set = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '1234' } });
      const inside = { token, headers: { 'x-hidden-token': set.json.token as string } };
      const { json } = await post({ url, is_hidden: true }, inside);
      expect(await service.settled(json.id, inside)).to.include({
        status: 'ready',
        is_hidden: true,
      });
      const total = async (call: Call) =>
        (await service.call('GET', '/v1/objects?is_link=true&include_hidden=true', call)).json
          .total;
      expect([await total({ token }), await total(inside)]).to.deep.equal([0, 1]);
      const [hidden, missing] = [
        await enrich(json.id, { token }),
        await enrich(MISSING, { token }),
      ];
      expect(hidden.status).to.equal(404);
      expect(hidden.text).to.equal(missing.text);
      expect((await service.call('GET', `/v1/objects/${json.id}`, inside)).json.status).to.equal(
        'ready',
      );
      expect((await enrich(json.id, inside)).status).to.equal(200);
    });

    it('in the trash are not read again, and neither are foreign ones', async () => {
      const id = await added({ url: page('/trash', 'text/plain', 'x') });
      await service.settled(id);
      const { token } = await service.newOwner();
      expect((await enrich(id, { token })).status).to.equal(404);
      await service.call('DELETE', `/v1/objects/${id}`);
      const refused = await enrich(id);
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'in_trash']);
    });

    it('any other object is read again in the same way', async () => {
      const { json } = await service.upload('a.txt', 'Lanterns are lit at dusk.');
      const { id } = json.items[0];
      await service.settled(id);
      expect((await enrich(id)).json.status).to.equal('accepted');
      expect(await service.settled(id)).to.include({ status: 'ready', version: 1 });
    });

    it('being fetched when the service stops are fetched by the next process', async () => {
      let requested = 0;
      let open = false;
      pages.set('/slow', (response) => {
        requested++;
        if (open) response.writeHead(200, { 'content-type': 'text/plain' }).end('At last.');
      });
      const id = await added({ url: `${site.origin}/slow` });
      await eventually(
        () => Promise.resolve(requested),
        (count) => count > 0,
      );
      // The only process on its data resumes the work of a killed one at once. In a team, a stopping process releases
      // it.
      service = await service.restart(profile === 'standalone' ? 'SIGKILL' : 'SIGTERM');
      open = true;
      expect(await service.settled(id)).to.include({ status: 'ready', error: null });
      expect(requested).to.equal(2);
    });
  });
