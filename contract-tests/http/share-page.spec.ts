import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import {
  sharePage,
  type ShareView,
  type ShownShare,
} from '../../adapters/http/pages/share-page.ts';
import { objectPage } from '../../adapters/http/pages/object-page.ts';
import { sizeWords, waitWords } from '../../adapters/http/pages/format.ts';
import { twoColours } from '../samples/pictures.ts';
import {
  eventually,
  profiles,
  startService,
  type Answer,
  type Call,
  type Service,
} from './harness.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const SECRET = 'correct horse';
const FORM = 'application/x-www-form-urlencoded';
const TOKEN = /^[\w-]{43}$/;

interface Element {
  readonly textContent: string;
  readonly tagName: string;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
interface Parsed extends Element {
  readonly title: string;
  querySelector(selector: string): Element | null;
}
const parsed = (html: string) => (parseHTML(html) as unknown as { document: Parsed }).document;
const all = (document: Parsed, selector: string) => [...document.querySelectorAll(selector)];
const words = (element: Element | null) => element?.textContent.replaceAll(/\s+/g, ' ').trim();
const hrefs = (document: Parsed) => all(document, 'a').map((a) => a.getAttribute('href') ?? '');

for (const profile of profiles)
  describe(`${profile}: the page of a share`, function () {
    this.timeout(120_000);
    let service: Service;
    let config: string;
    before(async () => {
      config = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const ROLES_FILE = join(config, 'roles.json');
      const unlimited = {
        requests_per_minute: 100_000,
        questions: null,
        enrichments: null,
        storage_bytes: null,
      };
      await writeFile(
        ROLES_FILE,
        JSON.stringify({ unlimited, small: { ...unlimited, storage_bytes: 40 } }),
      );
      service = await startService(profile, {
        TRUST_PROXY: '1',
        ROLES_FILE,
        MAX_UPLOAD_BYTES: '200000',
      });
    });
    after(async () => {
      await service.dispose();
      await rm(config, { recursive: true, force: true });
    });

    let client = 0;
    /** Visitors are counted by address. By default each request has another one. */
    const elsewhere = () => ({ 'x-forwarded-for': `10.9.${client >> 8}.${++client & 255}` });
    interface Visit extends Call {
      readonly method?: string;
      readonly at?: Service;
    }
    const visit = (token: string, rest = '', call: Visit = {}) =>
      (call.at ?? service).call(call.method ?? 'GET', `/v1/public/shares/${token}${rest}`, {
        ...call,
        token: null,
        headers: { ...elsewhere(), ...call.headers },
      });
    /** The headers of a browser. */
    const open = async (token: string, rest = '', call: Visit = {}) => {
      const answer = await visit(token, rest, {
        ...call,
        headers: { accept: BROWSER, ...call.headers },
      });
      return { ...answer, page: parsed(answer.text) };
    };
    const folder = async (call: Call = {}): Promise<string> =>
      (
        await service.call('POST', '/v1/collections', {
          ...call,
          body: { name: `Folder ${++client}` },
        })
      ).json.id;
    const file = async (
      name: string,
      bytes: string | Uint8Array,
      collection_id?: string,
    ): Promise<string> =>
      (await service.uploadAll([[name, bytes]], collection_id ? { collection_id } : {})).json
        .items[0].id;
    const share = async (body: object, call: Call = {}): Promise<Answer['json']> =>
      (await service.call('POST', '/v1/shares', { ...call, body: { kind: 'folder', ...body } }))
        .json;
    const card = async (id: string) => (await service.call('GET', `/v1/shares/${id}`)).json;
    /** As the form of the page sends it. */
    const unlock = (token: string, password: string, call: Visit = {}) =>
      open(token, '/unlock', {
        ...call,
        method: 'POST',
        raw: new URLSearchParams({ password }).toString(),
        headers: { 'content-type': FORM, ...call.headers },
      });
    const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
    const upload = (
      token: string,
      files: readonly (readonly [string, string | Uint8Array])[],
      headers: Record<string, string> = {},
      fields: Record<string, string> = {},
    ) => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
      return open(token, '/uploads', { method: 'POST', raw: form, headers });
    };
    const picture = () => twoColours(240).png().toBuffer();
    const letterBytes = () => readFile(new URL('../samples/letter.pdf', import.meta.url));

    it('is served to clients that prefer HTML, and JSON to all others', async () => {
      const { token } = await share({ resource_id: await folder(), name: 'Negotiated' });
      const pages = [
        BROWSER,
        'text/html',
        'TEXT/HTML',
        'text/*',
        'text/html;q=0.3, application/json;q=0.2',
        'application/json;q=0.9,text/html',
        'text/html;charset=utf-8',
      ];
      const others = [
        'application/json',
        '*/*',
        '',
        'text/html;q=0.2, application/json',
        'text/html;q=0, */*',
        'text/html, application/json',
        'application/*, text/html;q=0.9',
        'image/png',
        'text/plain',
        'text/html;q=x;;,/',
      ];
      const plain = await visit(token);
      expect(plain.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      for (const accept of others) {
        const answer = await visit(token, '', { headers: { accept } });
        expect([answer.status, answer.text], accept).to.deep.equal([200, plain.text]);
        expect(answer.headers.get('content-type')).to.match(/json/);
      }
      for (const accept of pages) {
        const answer = await visit(token, '', { headers: { accept } });
        expect(answer.status, accept).to.equal(200);
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      }
      const page = await open(token);
      for (const { headers } of [plain, page])
        expect(headers.get('vary')?.toLowerCase()).to.include('accept');
      expect(page.headers.get('etag')).not.to.equal(plain.headers.get('etag'));
      const tag = { 'if-none-match': plain.headers.get('etag') ?? '' };
      expect((await open(token, '', { headers: tag })).status).to.equal(200);
      expect((await visit(token, '', { headers: tag })).status).to.equal(304);
      const head = await visit(token, '', { method: 'HEAD', headers: { accept: 'text/html' } });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers.get('content-type')).to.match(/html/);
    });

    it('runs no script, loads only its own files, and is not cached or sent as referrer', async () => {
      const resource_id = await folder();
      const viewed = (await share({ resource_id })).token;
      const added = (await share({ resource_id, role: 'contributor' })).token;
      for (const [answer, scripts] of [
        [await open(viewed), 0],
        [await open(added), 1],
        [await open('nothing'), 0],
      ] as const) {
        const { page, headers, text } = answer;
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).to.match(/^default-src 'none'; style-src 'self'; img-src 'self';/);
        for (const part of ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
          expect(policy).to.include(part);
        expect(policy).not.to.include('unsafe').and.not.to.include('data:');
        expect(policy.includes("script-src 'self'")).to.equal(scripts === 1);
        expect(headers.get('x-content-type-options')).to.equal('nosniff');
        expect(headers.get('referrer-policy')).to.equal('no-referrer');
        expect(headers.get('x-robots-tag')).to.include('noindex');
        expect(headers.get('cache-control')).to.equal('private, no-store');
        expect(all(page, 'script')).to.have.length(scripts);
        expect(text).not.to.match(/<style| style=| on\w+=|javascript:/i);
        const loaded = [...all(page, 'script'), ...all(page, 'link')].map(
          (it) => it.getAttribute('src') ?? it.getAttribute('href') ?? '',
        );
        expect(loaded).to.have.length(2 + scripts);
        for (const path of loaded) {
          const asset = await service.call('GET', path, { token: null });
          expect(asset.status, path).to.equal(200);
          expect(asset.headers.get('cache-control')).to.match(/^public, max-age=\d{8}, immutable$/);
          expect(asset.headers.get('content-type')).to.match(/css|javascript|svg/);
        }
      }
    });

    it('shows name, files with kind, size and date, and links to view and download', async () => {
      const collection = await folder();
      const note = await file('notes.txt', 'x'.repeat(1_250), collection);
      const image = await file('chart.png', await picture(), collection);
      const { token } = await share({
        resource_id: collection,
        name: 'For you',
        expires_in_days: 3,
      });
      const { page, status } = await open(token);
      expect([status, page.title, words(page.querySelector('h1'))]).to.deep.equal([
        200,
        'For you',
        'For you',
      ]);
      expect(words(page.querySelector('h2'))).to.equal('2 files');
      const lines = all(page, 'li').map(words);
      const today = new Date().toISOString().slice(0, 10);
      expect(lines[1]).to.include('notes.txt').and.to.include(`Text · 1.3 kB · ${today}`);
      expect(lines[0]).to.include('chart.png').and.to.include('Picture');
      expect(page.querySelector('li time')?.getAttribute('datetime')).to.match(/Z$/);
      const at = `/v1/public/shares/${token}`;
      expect(all(page, 'li img').map((it) => it.getAttribute('src'))).to.deep.equal([
        `${at}/objects/${image}/thumbnail?size=small`,
      ]);
      expect(hrefs(page)).to.have.members([
        `${at}/archive`,
        ...[image, note].flatMap((id, i) => [
          `${at}/objects/${id}?at=${i}`,
          `${at}/objects/${id}/content`,
        ]),
      ]);
      for (const path of hrefs(page)) {
        const followed = await service.call('GET', path, {
          token: null,
          headers: { ...elsewhere(), accept: BROWSER },
        });
        expect(followed.status, path).to.equal(200);
        const saved = path.endsWith('archive') || path.endsWith('content');
        if (saved) expect(followed.headers.get('content-disposition')).to.match(/^attachment/);
        else expect(followed.headers.get('content-type')).to.match(/html/);
      }
      expect(words(page.querySelector('main'))).to.match(/The link works until \d{4}-\d\d-\d\d\./);
      expect(all(page, 'form')).to.deep.equal([]);
      const empty = await open((await share({ resource_id: await folder() })).token);
      expect(words(empty.page.querySelector('main'))).to.include('There is nothing in here yet.');
      expect(hrefs(empty.page)).to.deep.equal([]);
    });

    it('pages through many files', async () => {
      const collection = await folder();
      const named = Array.from({ length: 5 }, (_, i) => [`${i}.txt`, `${i}`] as const);
      for (const one of named) await file(...one, collection);
      const { token } = await share({ resource_id: collection });
      expect((await open(token)).page.querySelector('nav')).to.equal(null);
      const seen: string[] = [];
      let next: string | undefined = '?limit=2';
      const places: string[] = [];
      while (next !== undefined) {
        const { page }: { page: Parsed } = await open(token, next);
        seen.push(...all(page, 'li bdi').map((it) => it.textContent));
        places.push(words(page.querySelector('nav span')) ?? '');
        next = page.querySelector('nav a[rel=next]')?.getAttribute('href')?.split(token)[1];
      }
      expect(seen).to.deep.equal(['4.txt', '3.txt', '2.txt', '1.txt', '0.txt']);
      expect(places).to.deep.equal(['1 to 2 of 5', '3 to 4 of 5', '5 to 5 of 5']);
      const back = (await open(token, '?limit=2&offset=3')).page.querySelector('nav a[rel=prev]');
      expect(back?.getAttribute('href')).to.match(/\?limit=2&offset=1$/);
      // From the first file on to the last one, and back.
      const leafed = async (from: string, way: 'next' | 'prev'): Promise<string[]> => {
        const { page }: { page: Parsed } = await open(token, from);
        const on = page.querySelector(`nav a[rel=${way}]`)?.getAttribute('href')?.split(token)[1];
        return [page.title, ...(on === undefined ? [] : await leafed(on, way))];
      };
      const to = (page: Parsed, place: number) =>
        all(page, 'li a.name')[place]?.getAttribute('href')?.split(token)[1] ?? '';
      expect(await leafed(to((await open(token)).page, 0), 'next')).to.deep.equal(seen);
      const last = to((await open(token, '?limit=2&offset=3')).page, 1);
      expect(last).to.match(/\?at=4$/);
      expect(await leafed(last, 'prev')).to.deep.equal(seen.toReversed());
      for (const stale of ['?at=3', '?at=9', ''])
        expect(await leafed(last.replace('?at=4', stale), 'prev')).to.deep.equal(['0.txt']);
      const beyond = (await open(token, '?limit=2&offset=90')).page;
      expect(words(beyond.querySelector('main'))).to.include('There is nothing on this page.');
      expect(beyond.querySelector('nav a[rel=prev]')?.getAttribute('href')).to.match(/offset=3$/);
      const wrong = await open(token, '?limit=0');
      expect([wrong.status, wrong.headers.get('content-type')]).to.deep.equal([
        422,
        'text/html; charset=utf-8',
      ]);
    });

    it('shows a file with its image and the beginning of its text', async () => {
      const collection = await folder();
      const letter = await file('letter.pdf', await letterBytes(), collection);
      const long = await file('long.txt', `first\n${'🦊'.repeat(40_000)}last`, collection);
      const hostile = await file('x.md', '</pre><script>alert(1)</script>', collection);
      for (const id of [letter, long, hostile]) await service.settled(id);
      const { token } = await share({ resource_id: collection });
      const shown = await open(token, `/objects/${letter}`);
      expect(shown.page.title).to.equal('letter.pdf');
      expect(words(shown.page.querySelector('pre'))).to.include('Dear Mr Halloran');
      expect(shown.page.querySelector('figure img')?.getAttribute('alt')).to.equal(
        'The first page',
      );
      const opened = shown.page.querySelector('a[target=_blank]');
      expect(opened?.getAttribute('rel')).to.equal('noopener noreferrer');
      expect(opened?.getAttribute('href')).to.match(/content\?disposition=inline$/);
      const { json } = await visit(token, `/objects/${letter}`);
      expect(json).to.deep.include({ id: letter, filename: 'letter.pdf', mime: 'application/pdf' });
      expect([json.text_complete, json.text_awaited]).to.deep.equal([true, false]);
      expect(json.text).to.include('Dear Mr Halloran');
      const cut = (await visit(token, `/objects/${long}`)).json;
      expect(cut.text.startsWith('first\n')).to.equal(true);
      expect(cut.text.length).to.be.within(65_000, 65_536);
      expect([cut.text.isWellFormed(), cut.text_complete]).to.deep.equal([true, false]);
      expect(words((await open(token, `/objects/${long}`)).page.querySelector('main'))).to.include(
        'The text goes on.',
      );
      const safe = await open(token, `/objects/${hostile}`);
      expect(safe.page.querySelector('pre')?.textContent).to.include('<script>alert(1)</script>');
      expect(all(safe.page, 'script')).to.deep.equal([]);
      const alone = await open((await share({ kind: 'file', resource_id: letter })).token);
      expect(words(alone.page.querySelector('h1'))).to.equal('letter.pdf');
      expect(words(alone.page.querySelector('pre'))).to.include('Dear Mr Halloran');
    });

    it('shows neither corrections, nor an earlier text, nor the text of a link', async () => {
      const collection = await folder();
      const id = await file('plan.txt', 'what the file says', collection);
      await service.settled(id);
      await service.call('PUT', `/v1/objects/${id}/text`, {
        body: { text: 'between us: private', base_version: 1 },
      });
      const link = await service.call('POST', '/v1/objects/links', {
        body: { url: 'http://127.0.0.1:9/secret', title: 'Page', collection_id: collection },
      });
      await service.settled(link.json.id);
      const { token } = await share({ resource_id: collection });
      const look = async (object: string) => (await visit(token, `/objects/${object}`)).json;
      expect((await look(id)).text).to.equal('what the file says');
      const shown = await look(link.json.id);
      expect([shown.text, shown.text_complete]).to.deep.equal(['http://127.0.0.1:9/secret', true]);
      expect((await visit(token, `/objects/${link.json.id}/thumbnail`)).status).to.equal(415);
      await service.call('PUT', `/v1/objects/${id}/content`, {
        body: { content: 'said anew', base_version: 1 },
      });
      // Until it is read there is no text, and never the one before.
      const later = await eventually(
        () => look(id),
        ({ text }) => text !== null,
      );
      expect(later.text).to.equal('said anew');
    });

    it('has thumbnails in two sizes, or none', async () => {
      const collection = await folder();
      const image = await file('chart.png', await picture(), collection);
      const text = await file('a.txt', 'a', collection);
      const outside = await file('outside.png', await picture());
      const { token } = await share({ resource_id: collection });
      for (const query of ['', '?size=small', '?size=large']) {
        const answer = await visit(token, `/objects/${image}/thumbnail${query}`);
        expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
          200,
          'image/webp',
        ]);
        expect(answer.headers.get('content-security-policy')).to.include('sandbox');
        expect(answer.text.slice(0, 4)).to.equal('RIFF');
      }
      expect((await visit(token, `/objects/${image}/thumbnail?size=9`)).status).to.equal(422);
      const none = await visit(token, `/objects/${text}/thumbnail`);
      expect([none.status, none.json.code]).to.deep.equal([415, 'unsupported_type']);
      const missing = await visit(token, `/objects/${MISSING}/thumbnail`);
      const foreign = await visit(token, `/objects/${outside}/thumbnail`);
      expect([foreign.status, foreign.text]).to.deep.equal([404, missing.text]);
      const from = { headers: { 'x-forwarded-for': '192.0.2.77' } };
      for (let picture = 1; picture <= 20; picture++) {
        const { status, headers } = await visit(token, `/objects/${image}/thumbnail`, from);
        expect([status, headers.get('ratelimit-limit')]).to.deep.equal([200, '600']);
      }
      expect((await visit(token, '', from)).headers.get('ratelimit-remaining')).to.equal('299');
    });

    it('unlocks a share by a plain form, and stores that in a cookie of this share only', async () => {
      const collection = await folder();
      const id = await file('inside.txt', 'inside', collection);
      const body = { resource_id: collection, name: 'Locked', role: 'contributor' };
      const { token } = await share({ ...body, password: SECRET });
      const other = (await share({ ...body, password: SECRET })).token;
      const before = await open(token);
      expect([before.status, before.page.title]).to.deep.equal([200, 'Locked']);
      const form = before.page.querySelector('form');
      expect(form?.getAttribute('method')).to.equal('post');
      expect(form?.getAttribute('action')).to.equal(`/v1/public/shares/${token}/unlock`);
      expect(before.page.querySelector('label')?.getAttribute('for')).to.equal('password');
      expect(before.text).not.to.include('inside').and.not.to.include(id);

      const opened = await unlock(token, SECRET);
      expect([opened.status, opened.text, opened.headers.get('location')]).to.deep.equal([
        303,
        '',
        `/v1/public/shares/${token}`,
      ]);
      const [pair, ...flags] = (opened.headers.get('set-cookie') ?? '').split('; ');
      expect(pair).to.match(/^share_access=[\w-]{43}$/);
      expect(flags).to.have.members([
        `Path=/v1/public/shares/${token}`,
        'Max-Age=43200',
        'HttpOnly',
        'SameSite=Lax',
      ]);
      const cookie = cookieOf(opened);
      const headers = { cookie: `a=b; ${cookie}; c=d` };
      expect(words((await open(token, '', { headers })).page.querySelector('li'))).to.include(
        'inside.txt',
      );
      expect((await visit(token, '', { headers })).json.unlocked).to.equal(true);
      for (const beneath of [`/objects/${id}`, `/objects/${id}/content`, '/archive'])
        expect((await visit(token, beneath, { headers })).status, beneath).to.equal(200);
      expect((await upload(token, [['up.txt', 'up']], headers)).status).to.equal(303);
      // An explicit Accept header precedes the hints that a browser sends.
      const said = { ...headers, 'x-share-access': 'x' };
      expect((await visit(token, '', { headers: said })).json.unlocked).to.equal(false);
      for (const rest of ['', `/objects/${id}`, '/archive', `/objects/${id}/content`]) {
        const elsewhereOpened = await open(other, rest, { headers });
        expect(elsewhereOpened.status).to.equal(rest === '' ? 200 : 401);
        expect(elsewhereOpened.text).not.to.include('inside.txt');
      }
      await service.call('PATCH', `/v1/collections/${collection}`, { body: { name: 'Renamed' } });
      expect((await visit(token, '', { headers })).json.resource_name).to.equal('Renamed');
    });

    it('requests the password again after a wrong one, and shows the delay after five', async () => {
      const { token, id } = await share({ resource_id: await folder(), password: SECRET });
      const from = { headers: elsewhere() };
      const empty = await unlock(token, '', from);
      expect([empty.status, empty.headers.get('set-cookie')]).to.deep.equal([422, null]);
      expect(words(empty.page.querySelector('[role=alert]'))).to.equal(
        'Enter the password of this share.',
      );
      for (let i = 0; i < 5; i++) {
        const wrong = await unlock(token, `<b>${i}`, from);
        expect([wrong.status, wrong.headers.get('set-cookie')]).to.deep.equal([403, null]);
        expect(words(wrong.page.querySelector('[role=alert]'))).to.equal(
          'That is not the password.',
        );
        const input = wrong.page.querySelector('input[type=password]');
        expect(input?.getAttribute('aria-describedby')).to.equal('trouble');
        expect([input?.getAttribute('value') ?? null, wrong.text.includes('<b>')]).to.deep.equal([
          null,
          false,
        ]);
      }
      const late = await unlock(token, SECRET, from);
      expect(late.status).to.equal(429);
      expect(Number(late.headers.get('retry-after'))).to.be.within(800, 900);
      expect(words(late.page.querySelector('main'))).to.match(/Try again in 1[45] minutes\./);
      expect((await unlock(token, SECRET)).status).to.equal(303);
      expect((await card(id)).access_count).to.equal(0);
      const unlocked = (await share({ resource_id: await folder() })).token;
      expect((await unlock(unlocked, 'x')).status).to.equal(409);
      // A sender of a form counts as a browser, unless it requests JSON.
      const bare = { raw: `password=${encodeURIComponent(SECRET)}`, method: 'POST' };
      const formed = await visit(token, '/unlock', { ...bare, headers: { 'content-type': FORM } });
      expect([formed.status, cookieOf(formed)]).to.satisfy(
        ([status, cookie]: [number, string]) => status === 303 && cookie !== '',
      );
      const requested = { 'content-type': FORM, accept: 'application/json' };
      const sent = await visit(token, '/unlock', { ...bare, headers: requested });
      expect([sent.status, sent.json.detail[0].type]).to.deep.equal([422, 'model_attributes_type']);
    });

    it('of a locked share reveals no name, size, image or byte of its contents', async () => {
      const collection = await folder();
      const id = await file('top-secret.png', await picture(), collection);
      await service.settled(id);
      const { token } = await share({
        resource_id: collection,
        name: 'Locked',
        role: 'contributor',
        password: SECRET,
      });
      for (const headers of [{}, { cookie: 'share_access=x' }, { cookie: 'share_access' }])
        for (const rest of [
          `/objects/${id}`,
          `/objects/${id}/thumbnail`,
          `/objects/${id}/content`,
          `/objects/${MISSING}`,
          '/archive',
        ]) {
          const page = await open(token, rest, { headers });
          expect([page.status, page.headers.get('content-type')], rest).to.deep.equal([
            401,
            'text/html; charset=utf-8',
          ]);
          expect(page.page.querySelector('form')?.getAttribute('action')).to.match(/unlock$/);
          const json = await visit(token, rest, { headers });
          expect([json.status, json.json.code]).to.deep.equal([401, 'password_required']);
          for (const { text } of [page, json])
            expect(text).not.to.include('secret').and.not.to.include('Folder');
        }
      const refused = await upload(token, [['x.txt', 'x']]);
      expect([refused.status, refused.page.title]).to.deep.equal([401, 'A locked share']);
    });

    it('rejects cross-site forms', async () => {
      const resource_id = await folder();
      const { token, id } = await share({ resource_id, role: 'contributor', password: SECRET });
      const own = new URL(service.base).host;
      const cookie = cookieOf(await unlock(token, SECRET));
      const foreign: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: `http://${own}` },
        { origin: 'https://evil.example' },
        { origin: 'x' },
      ];
      for (const headers of foreign) {
        const unlocked = await unlock(token, SECRET, { headers });
        expect([unlocked.status, unlocked.headers.get('set-cookie')]).to.deep.equal([403, null]);
        expect((await upload(token, [['x', 'x']], { ...headers, cookie })).status).to.equal(403);
        // Not by asking for JSON either.
        const form = new FormData();
        form.append('file', new Blob(['x']), 'x');
        const quietly = await visit(token, '/uploads', {
          method: 'POST',
          raw: form,
          headers: { ...headers, cookie },
        });
        expect(quietly.status).to.equal(403);
      }
      expect((await card(id)).upload_count).to.equal(0);
      for (const headers of [
        { 'sec-fetch-site': 'same-origin', origin: 'null' },
        { origin: `http://${own}` },
        { origin: 'null' },
      ] as Record<string, string>[])
        expect((await upload(token, [['x', 'x']], { ...headers, cookie })).status).to.equal(303);
    });

    it('uploads files by a plain form, shows their number, and ignores other URL parameters', async () => {
      const collection = await folder();
      const { token, id } = await share({ resource_id: collection, role: 'contributor' });
      const form = (await open(token)).page.querySelector('form');
      expect(form?.getAttribute('enctype')).to.equal('multipart/form-data');
      expect(form?.getAttribute('action')).to.equal(`/v1/public/shares/${token}/uploads`);
      const sent = await upload(
        token,
        [
          ['a.txt', 'a'],
          ['<img src=x onerror=alert(1)>.txt', 'b'],
        ],
        {},
        { is_hidden: 'true', collection_id: MISSING, on_duplicate: 'reject' },
      );
      expect([sent.status, sent.headers.get('location')]).to.deep.equal([
        303,
        `/v1/public/shares/${token}?uploaded=2#came-in`,
      ]);
      const after = await open(token, '?uploaded=2');
      expect(words(after.page.querySelector('[role=status]'))).to.equal(
        'Your 2 files came in. Thank you.',
      );
      expect(all(after.page, 'li bdi').map((it) => it.textContent)).to.have.members([
        'a.txt',
        '<img src=x onerror=alert(1)>.txt',
      ]);
      expect(all(after.page, '[onerror]')).to.deep.equal([]);
      expect((await card(id)).upload_count).to.equal(2);
      for (const said of ['0', '101', '-1', '<b>', '1e9', 'Pay%20me'])
        expect((await open(token, `?uploaded=${said}`)).status, said).to.equal(422);

      const nothing = await upload(token, []);
      expect([nothing.status, nothing.page.title]).to.deep.equal([422, 'No file was chosen']);
      const crowd = Array.from({ length: 101 }, (_, i) => [`${i}.txt`, 'x'] as const);
      const many = await upload(token, crowd);
      expect([many.status, many.page.title]).to.deep.equal([422, 'Too many files']);
      const large = await upload(token, [['large.bin', 'x'.repeat(200_001)]]);
      expect([large.status, large.page.title]).to.deep.equal([413, 'Too large']);
      const viewer = (await share({ resource_id: collection })).token;
      const refused = await upload(viewer, [['x', 'x']]);
      expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
        403,
        'text/html; charset=utf-8',
      ]);
      const small = await service.newOwner('small');
      const full = await share(
        { resource_id: await folder({ token: small.token }), role: 'contributor' },
        { token: small.token },
      );
      const noRoom = await upload(full.token, [['x', 'x'.repeat(41)]]);
      expect([noRoom.status, noRoom.page.title]).to.deep.equal([402, 'No room left']);
      expect((await card(id)).upload_count).to.equal(2);
    });

    it('is the same immediate 404 for everything that cannot be shown', async () => {
      const nothing = new Map<string, string>();
      for (const rest of ['', `/objects/${MISSING}`, `/objects/${MISSING}/content`, '/archive'])
        nothing.set(rest, (await open('A'.repeat(43), rest)).text);
      expect(new Set(nothing.values()).size).to.equal(1);
      const [text = ''] = nothing.values();
      expect(words(parsed(text).querySelector('h1'))).to.equal('Nothing is shared here');

      const ends: Record<string, (id: string, object: string, of: string) => Promise<unknown>> = {
        revoked: (id) => service.call('DELETE', `/v1/shares/${id}`),
        hidden: (_, object) =>
          service.call('PATCH', `/v1/objects/${object}`, { body: { is_hidden: true } }),
        trashed: (_, object) => service.call('DELETE', `/v1/objects/${object}`),
        deleted: (_, object) => service.call('DELETE', `/v1/objects/${object}?permanent=true`),
      };
      for (const [why, end] of Object.entries(ends)) {
        const object = await file('x.png', await picture());
        const one = await share({ kind: 'file', resource_id: object, password: SECRET });
        const headers = { cookie: cookieOf(await unlock(one.token, SECRET)) };
        const places = ['', `/objects/${object}`, `/objects/${object}/thumbnail`, '/archive'];
        for (const rest of places)
          expect((await open(one.token, rest, { headers })).status, why).to.equal(200);
        await end(one.id, object, one.resource_id);
        for (const rest of [...places, `/objects/${object}/content`]) {
          const gone = await open(one.token, rest, { headers });
          expect([gone.status, gone.text], `${why} ${rest}`).to.deep.equal([404, text]);
        }
        expect((await unlock(one.token, SECRET)).text).to.equal(text);
      }
      const collection = await folder();
      const stored = await file('kept.txt', 'k', collection);
      const hidden = await file('hidden.txt', 'h', collection);
      const { token } = await share({ resource_id: collection });
      await service.call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      const { page } = await open(token);
      expect(all(page, 'li bdi').map((it) => it.textContent)).to.deep.equal(['kept.txt']);
      for (const rest of ['', '/content', '/thumbnail'])
        expect((await open(token, `/objects/${hidden}${rest}`)).text).to.equal(text);
      expect((await open(token, `/objects/${stored}`)).status).to.equal(200);
    });

    it('counts as a visit, and towards the rate limit', async () => {
      const { token, id } = await share({ resource_id: await folder() });
      await open(token);
      await visit(token);
      await open(token, '', { method: 'HEAD' });
      await open(token, '?limit=0');
      expect((await card(id)).access_count).to.equal(2);
      const from = { headers: { 'x-forwarded-for': '192.0.2.98' } };
      // A few concurrently, so that the counter store keeps up. One more than a window allows, since the next one may
      // have begun.
      let late: Awaited<ReturnType<typeof open>> | undefined;
      for (let requested = 0; requested < 640 && !late; requested += 10) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => open(token, '', from)));
        late = answers.find(({ status }) => status === 429);
      }
      expect(words(late?.page.querySelector('main') ?? null)).to.match(
        /Too much was asked at once\. Try again in \d+ seconds?\./,
      );
      expect(late?.headers.get('retry-after')).to.match(/^\d+$/);
    });

    it('uses the public URL, and its cookie is limited to HTTPS there', async () => {
      const beyond = await startService(profile, {
        PUBLIC_URL: 'https://files.example/office/',
        LOG_LEVEL: 'info',
      });
      try {
        const created = await beyond.call('POST', '/v1/collections', { body: { name: 'F' } });
        const { token, url } = (
          await beyond.call('POST', '/v1/shares', {
            body: { kind: 'folder', resource_id: created.json.id, password: SECRET },
          })
        ).json;
        expect(token).to.match(TOKEN);
        const at = `/office/v1/public/shares/${token}`;
        expect(url).to.equal(`https://files.example${at}`);
        const { page } = await open(token, '', { at: beyond });
        expect(page.querySelector('form')?.getAttribute('action')).to.equal(`${at}/unlock`);
        for (const link of all(page, 'link'))
          expect(link.getAttribute('href')).to.match(/^\/office\/v1\/public\/assets\//);
        const opened = await unlock(token, SECRET, {
          at: beyond,
          headers: { origin: 'https://files.example' },
        });
        expect([opened.status, opened.headers.get('location')]).to.deep.equal([303, at]);
        const flags = opened.headers.get('set-cookie')?.split('; ');
        expect(flags).to.include.members([`Path=${at}`, 'Secure']);
        await open(token, `/objects/${MISSING}`, { at: beyond });
        await eventually(
          async () => beyond.logged(),
          (log) => log.includes('/objects/:object_id'),
        );
        expect(beyond.logged()).to.include('/v1/public/shares/:token/objects/:object_id');
        expect(beyond.logged()).not.to.include(token);
      } finally {
        await beyond.dispose();
      }
    });

    it('marks its cookie Secure if a proxy reports HTTPS', async () => {
      const { token } = await share({ resource_id: await folder(), password: SECRET });
      const opened = await unlock(token, SECRET, { headers: { 'x-forwarded-proto': 'https' } });
      expect(opened.headers.get('set-cookie')).to.match(/; Secure$/);
    });
  });

describe('the visitor pages', () => {
  const site = { prefix: '', host: undefined, secure: false };
  const view: ShareView = { site, token: 't', limit: 2, offset: 0 };
  const created = (said: string, over: Partial<ShownShare> = {}) => {
    const item = {
      id: MISSING,
      mime: 'image/png',
      size: 1,
      created_at: '2026-01-02T03:04:05.000Z',
    };
    const items = [{ ...item, filename: said }];
    const share: ShownShare = {
      kind: 'folder',
      name: said,
      resource_name: `${said}.`,
      role: 'contributor',
      unlocked: true,
      expires_at: null,
      items,
      total: 9,
      ...over,
    };
    const { main } = sharePage(view, share);
    const text = { text: said, text_complete: true, text_awaited: false };
    const file = { ...item, ...text, filename: said, newer: MISSING, older: null };
    return `<main>${main.html}${objectPage(view, file, 1).main.html}</main>`;
  };
  const skeleton = (html: string) =>
    [...parsed(html).querySelectorAll('*')].map(
      (it) => `${it.tagName} ${it.getAttribute('class') ?? ''}${it.getAttribute('src') ?? ''}`,
    );
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'<>&"\'/=a -!`') }),
    fc.constantFrom(
      '<img src=x onerror=alert(1)>',
      '"><script>alert(1)</script>',
      "' onfocus='alert(1)",
      '</bdi></main><form action=//evil>',
      '<!--',
      ']]><svg onload=alert(1)>',
      '{{7*7}}${7*7}',
    ),
  );

  it('have the same structure for any names and texts', () => {
    const plain = skeleton(created('x'));
    fc.assert(
      fc.property(hostile, (said) => {
        fc.pre(said.trim() !== '');
        expect(skeleton(created(said))).to.deep.equal(plain);
      }),
      { numRuns: 200 },
    );
  });

  it('isolate the text direction of names', () => {
    const html = created('evil\u202egpj.exe');
    expect(html)
      .to.include('<bdi>evilgpj.exe</bdi>')
      .and.not.to.match(/<bdi>[^<]*[\u202a-\u202e]/);
  });

  it('have one top-level heading, and unique ids', () => {
    const page = parsed(
      `<main>${sharePage({ ...view, uploaded: 2 }, sharedOf('x')).main.html}</main>`,
    );
    expect(all(page, 'h1')).to.have.length(1);
    const ids = all(page, '[id]').map((it) => it.getAttribute('id'));
    expect(new Set(ids).size).to.equal(ids.length);
    for (const label of all(page, 'label')) expect(ids).to.include(label.getAttribute('for'));
    for (const part of all(page, '[aria-labelledby]'))
      expect(ids).to.include(part.getAttribute('aria-labelledby'));
  });

  it('show sizes and times in readable form', () => {
    expect(
      [0, 1, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 1_234_567, 5e9, 2e15].map(sizeWords),
    ).to.deep.equal([
      ...['0 bytes', '1 byte', '999 bytes', '1.0 kB', '9.9 kB', '10 kB', '999 kB', '1.0 MB'],
      ...['1.2 MB', '5.0 GB', '2.0 PB'],
    ]);
    expect([1, 2, 89, 90, 900].map(waitWords)).to.deep.equal([
      ...['1 second', '2 seconds', '89 seconds', '2 minutes', '15 minutes'],
    ]);
  });
});

const sharedOf = (name: string): ShownShare => ({
  kind: 'folder',
  name,
  resource_name: name,
  role: 'contributor',
  unlocked: true,
  expires_at: null,
  items: [],
  total: 0,
});
