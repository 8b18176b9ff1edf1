import { expect } from 'chai';
import { profiles, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types app";
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

for (const profile of profiles)
  describe(`${profile}: the files of the app`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      service.call('GET', path, { token: null, headers });
    const assets = async () =>
      [...(await read('/app')).text.matchAll(/(?:href|src)="(\/app\/assets\/[^"]+)"/g)].map(
        ([, path = '']) => path,
      );

    it('sends the shell for every path of the app', async () => {
      for (const path of ['/app', '/app/', '/app/library', '/app/object/x/edit']) {
        const { status, headers, text } = await read(path);
        expect(status, path).to.equal(200);
        expect(headers.get('content-type'), path).to.equal('text/html; charset=utf-8');
        expect(headers.get('cache-control'), path).to.equal('no-cache');
        expect(headers.get('content-security-policy'), path).to.equal(POLICY);
        expect(text, path)
          .to.match(/^<!doctype html>/)
          .and.not.include('%ROOT%');
      }
    });

    it('names in the shell what the app requests first', async () => {
      const linked = async (path: string, language: string) => {
        const { headers } = await read(path, { 'accept-language': language });
        expect(headers.get('vary'), path).to.match(/accept-language/i);
        return [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel=(\w+)/g)].map(
          ([, address = '', relation]) => `${relation} ${address.replace(/-\w{8}\.js$/, '')}`,
        );
      };
      const everywhere = ['preload /v1/me', 'preload /v1/settings'];
      const list = 'preload /v1/objects?order=newest&limit=100&offset=0';
      const texts = (language: string) => `modulepreload /app/assets/${language}`;
      expect(await linked('/app/library', 'en')).to.deep.equal([...everywhere, list, texts('en')]);
      // The service worker stores this one for all addresses.
      for (const path of [
        '/app/',
        '/app/library?kind=pdf',
        '/app/trash',
        '/app/trash?/app/library',
      ])
        expect(await linked(path, 'ru-RU,en;q=0.5'), path).to.deep.equal([
          ...everywhere,
          texts('ru'),
        ]);
      for (const language of ['pt-BR', '', '*', 'constructor', '__proto__', 'en;q=x', ',;='])
        expect(await linked('/app/trash', language), language).to.have.length(3);
      for (const language of ['pt-BR', '*', ''])
        expect(await linked('/app/trash', language), language).to.include(texts('en'));
    });

    it('has no inline script and no inline style in the shell', async () => {
      const { text } = await read('/app');
      expect(text).not.to.match(/<style|style=|<script(?![^>]*src=)| on\w+=/i);
    });

    it('sends the files of the shell with a name that changes with their content', async () => {
      const paths = await assets();
      expect(paths.length).to.be.above(3);
      for (const path of paths) {
        const { status, headers } = await read(path);
        expect(status, path).to.equal(200);
        expect(headers.get('cache-control'), path).to.equal('public, max-age=31536000, immutable');
        expect(path).to.match(/-[0-9A-Za-z]{8,}\.\w+$/);
        const etag = headers.get('etag') ?? '';
        expect((await read(path, { 'if-none-match': etag })).status, path).to.equal(304);
      }
    });

    it('responds 404 to a file that is not part of the build', async () => {
      for (const path of ['/app/assets/main-00000000.js', '/app/assets/'])
        expect((await read(path)).status, path).to.equal(404);
      for (const path of ['/app/files.json', '/app/LICENSES.txt'])
        expect((await read(path)).headers.get('content-type')).to.equal('text/html; charset=utf-8');
    });

    it('sends the service worker and the manifest at addresses that stay', async () => {
      const worker = await read('/app/service-worker.js');
      expect(worker.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(worker.headers.get('cache-control')).to.equal('no-cache');
      const manifest = await read('/app/manifest.webmanifest');
      expect(manifest.headers.get('content-type')).to.equal(
        'application/manifest+json; charset=utf-8',
      );
      expect(manifest.json).to.include({ name: 'Owner Workspace', start_url: './library' });
      for (const { src } of manifest.json.icons as { src: string }[])
        expect((await read(`/app/${src}`)).status, src).to.equal(200);
    });

    it('responds 405 to a request that is not a read', async () => {
      for (const path of ['/app', '/app/library', '/app/service-worker.js']) {
        const { status, headers } = await service.call('DELETE', path, { token: null });
        expect([status, headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD']);
      }
    });

    it('sends a browser from / to the app, and answers programs as before', async () => {
      const browser = await fetch(`${service.base}/`, { headers: PAGE, redirect: 'manual' });
      expect([browser.status, browser.headers.get('location')]).to.deep.equal([303, '/app/']);
      expect(browser.headers.get('vary')).to.match(/accept/i);
      const program = await read('/', { accept: 'application/json' });
      expect([program.status, program.json.code]).to.deep.equal([404, 'not_found']);
      expect((await read('/')).status).to.equal(404);
    });

    it('sends a body of the same length without and with HEAD, compressed where accepted', async () => {
      const scripts = (await assets()).filter((path) => path.endsWith('.js'));
      const sizes = await Promise.all(scripts.map(async (path) => (await read(path)).text.length));
      // Small ones are sent as they are.
      const script = scripts[sizes.indexOf(Math.max(...sizes))] ?? '';
      for (const coding of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': coding };
        const get = await fetch(service.base + script, { headers });
        const head = await fetch(service.base + script, { headers, method: 'HEAD' });
        expect(get.headers.get('content-encoding')).to.equal(coding === 'identity' ? null : coding);
        expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
        expect(await get.text()).to.have.length.above(100);
      }
    });

    it('lets the PDF worker alone compile WebAssembly', async () => {
      const sources = await Promise.all(
        (await assets()).map(async (path) => (await read(path)).text),
      );
      const [worker] = /\/assets\/pdf-worker-\w+\.mjs/.exec(sources.join('\n')) ?? [];
      if (worker === undefined) return;
      const { headers } = await read(`/app${worker}`);
      expect(headers.get('content-security-policy')).to.include("'wasm-unsafe-eval'");
    });
  });
