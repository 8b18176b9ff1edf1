import { NO_CLIENT } from '../no-client.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { OfficeAnswer } from '../../core/office/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { DownloadError, type OfficeEngine } from '../../ports/office.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const HOUR_MS = 3_600_000;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

/** A document server whose files and failures the spec controls. Its tokens are their claims. */
function imaginedEngine() {
  const files = new Map<string, string | Error>();
  const engine: OfficeEngine = {
    reach: () => Promise.resolve({ ok: true, detail: 'It answers.' }),
    agree: () => Promise.resolve({ ok: true, detail: 'It agrees.' }),
    fetches: () => Promise.resolve({ result: 'unknown', converted: undefined }),
    sign: (claims) => Promise.resolve(tokenOf(claims)),
    verify: (token) => {
      const [, said = ''] = /^x\.([\w-]+)\.y$/.exec(token) ?? [];
      return Promise.resolve(
        said === ''
          ? undefined
          : (JSON.parse(Buffer.from(said, 'base64url').toString()) as object as Record<
              string,
              unknown
            >),
      );
    },
    async *download(url) {
      const file = await Promise.resolve(files.get(url));
      if (file === undefined) throw new DownloadError('It is not there.');
      if (file instanceof Error) throw file;
      yield Buffer.from(file);
    },
    close: () => Promise.resolve(),
  };
  return { engine, files };
}

const tokenOf = (claims: object): string =>
  `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

/** An open document of one user. */
interface Editor {
  readonly key: string;
  readonly mode: string;
  readonly filePass: string;
  readonly callbackPass: string;
}

interface Bench {
  readonly world: CoreFixture;
  readonly id: string;
  readonly engine: OfficeEngine;
  readonly files: Map<string, string | Error>;
  open(caller?: CoreFixture['caller']): Promise<Editor>;
  /** Sends a new callback, unless `proof` repeats an earlier one. */
  tell(editor: Editor, status: number, content?: string, proof?: string): Promise<void>;
  elsewhere(content: string): Promise<void>;
  /** Contents and origins, oldest first. */
  history(): Promise<readonly (readonly [string, string])[]>;
  current(): Promise<string>;
  news(): Promise<readonly string[]>;
}

const FIRST = 'the first content';

async function openBench(
  backend: Backend,
  name: string,
  over: Parameters<typeof openCoreFixture>[2] = {},
): Promise<Bench> {
  const { engine, files } = imaginedEngine();
  const world = await openCoreFixture(backend, name, {
    office: { engine, serverUrl: 'http://office.test' },
    sniffer: {
      identify: (head, filename) => {
        const page = Buffer.from(head).toString().startsWith('<html');
        return Promise.resolve(
          page || !filename.endsWith('.docx')
            ? { kind: 'document', mime: 'text/html', format: 'html' }
            : { kind: 'document', mime: 'application/docx', format: 'docx' },
        );
      },
    },
    ...over,
  });
  const { core, caller } = world;
  const [added] = await core.objects.addFiles(caller, [await world.file('plan.docx', FIRST)], {});
  const id = added?.object.id ?? '';
  await world.runPendingTasks();
  let said = 0;
  const read = async (version?: number): Promise<string> => {
    const content = await core.objects.readContent(caller, id, version);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content.open()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const last = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
  return {
    world,
    id,
    engine,
    files,
    open: async (who = caller) => {
      const answer: OfficeAnswer = await core.office.officeConfig(who, id, {
        device: 'desktop',
        language: 'en',
      });
      if (!answer.enabled) throw new Error(answer.reason);
      const { document, editorConfig } = answer.config;
      return {
        key: document.key,
        mode: editorConfig.mode,
        filePass: last(document.url),
        callbackPass: last(editorConfig.callbackUrl),
      };
    },
    tell: async (editor, status, content, proof = String(++said)) => {
      const url = content === undefined ? undefined : `http://office.test/${content}`;
      if (content !== undefined && !files.has(url ?? '')) files.set(url ?? '', content);
      const body = { key: editor.key, status, ...(url !== undefined && { url }), proof };
      await core.office.handleCallback(
        core.office.openCapability(editor.callbackPass, 'callback'),
        {
          body: { ...body, token: tokenOf(body) },
        },
      );
    },
    elsewhere: async (content) => {
      const { object } = await core.objects.getObject(caller, id);
      await core.objects.saveFile(caller, id, {
        file: await world.file('plan.docx', content),
        baseVersion: object.version,
      });
    },
    history: async () => {
      const { items } = await core.objects.listVersions(caller, id, { limit: 100, offset: 0 });
      const contents: (readonly [string, string])[] = [];
      for (const { version, origin } of items.toReversed())
        contents.push([await read(version), origin]);
      return contents;
    },
    current: () => read(),
    news: async () => {
      const { items } = await core.notifications.listNotifications(caller, {
        unreadOnly: false,
        limit: 200,
        offset: 0,
      });
      return items.filter(({ title }) => title.includes('Your edit of')).map(({ title }) => title);
    },
  };
}

/** A simple reference model of the expected result. */
class Expectation {
  version = 1;
  trashed = false;
  news = 0;
  readonly history: [string, string][] = [[FIRST, 'upload']];
  readonly sessions = new Map<
    string,
    { opened: number; version: number; open: boolean; handled: Set<string>; told: Set<string> }
  >();

  get current(): string {
    return this.history.at(-1)![0];
  }

  keyNow(): string | undefined {
    return [...this.sessions].find(([, s]) => s.open && s.opened === this.version)?.[0];
  }

  open(key: string): void {
    if (this.sessions.has(key)) return;
    const { version } = this;
    this.sessions.set(key, {
      opened: version,
      version,
      open: true,
      handled: new Set(),
      told: new Set(),
    });
  }

  put(content: string, origin: string): void {
    this.history.push([content, origin]);
    this.version++;
  }

  tell(key: string, status: number, content: string, proof: string): void {
    const session = this.sessions.get(key)!;
    if (status === 4) session.open = false;
    if (status === 3 || status === 7) {
      if (!session.handled.has(proof)) this.#notify(session, 'failed');
      session.handled.add(proof);
    }
    if (status !== 2 && status !== 6) return;
    const what = `${proof} ${content}`;
    const { open } = session;
    if (status === 2) session.open = false;
    if (session.handled.has(what)) return;
    session.handled.add(what);
    if (open && session.version === this.version && !this.trashed) {
      session.told.delete('failed');
      if (content !== this.current) this.put(content, 'office');
      session.version = this.version;
      return;
    }
    const there = this.history.filter(([each]) => each === content);
    if (there.some(([, origin]) => origin === 'office')) return;
    if (there.length === 0) {
      const [stays, from] = [this.current, this.version];
      this.put(content, 'office');
      this.put(stays, 'restore');
      for (const each of this.sessions.values())
        if (each.open && each.version === from) each.version = this.version;
    }
    this.#notify(session, 'conflict');
  }

  #notify(session: { told: Set<string> }, what: string): void {
    if (!session.told.has(what)) this.news++;
    session.told.add(what);
  }
}

type Step =
  | { readonly do: 'open' }
  | { readonly do: 'trash' }
  | { readonly do: 'elsewhere'; readonly content: string }
  | { readonly do: 'tell'; readonly who: number; readonly status: number; readonly content: string }
  | { readonly do: 'repeat'; readonly which: number };

const contents = fc.constantFrom('a', 'b', 'c', 'd', 'e', FIRST);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Step>({ do: 'open' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'trash' }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('elsewhere' as const), content: contents }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('tell' as const),
        who: fc.nat(),
        status: fc.constantFrom(1, 2, 3, 4, 6, 6, 6, 7),
        content: contents,
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat() }) },
  ),
  { minLength: 1, maxLength: 25 },
);

const RUNS: Readonly<Record<string, number>> = { memory: 150, sqlite: 10, postgres: 6 };

for (const [name, open] of backends)
  describe(`${name}: office`, function () {
    this.timeout(120_000);
    let backend: Backend;
    let bench: Bench;
    let benches = 0;
    const named = () => `office-${name}-${process.pid}-${++benches}`;
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(async () => {
      bench = await openBench(backend, named());
    });

    it('loses no acknowledged save and overwrites no concurrent change, for any order and repetition of callbacks', () =>
      fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const { world, id, ...of } = await openBench(backend, named());
          const { core, caller } = world;
          const expected = new Expectation();
          const editors: Editor[] = [];
          const said: (readonly [Editor, number, string, string])[] = [];
          const tell = async (editor: Editor, status: number, content: string, proof: string) => {
            await of.tell(editor, status, content, proof);
            expected.tell(editor.key, status, content, proof);
          };
          for (const [at, step] of all.entries()) {
            if (step.do === 'open') {
              const editor = await of.open();
              const known = expected.keyNow();
              if (known === undefined)
                expect([...expected.sessions.keys()]).not.to.include(editor.key);
              else expect(editor.key).to.equal(known);
              expect(editor.mode).to.equal(expected.trashed ? 'view' : 'edit');
              if (expected.trashed) continue;
              expected.open(editor.key);
              editors.push(editor);
            } else if (step.do === 'trash') {
              if (expected.trashed) await core.objects.restoreObject(caller, id);
              else await core.objects.deleteObject(caller, id, false);
              expected.trashed = !expected.trashed;
            } else if (step.do === 'elsewhere') {
              if (expected.trashed) continue;
              await of.elsewhere(step.content);
              expected.put(step.content, 'upload');
            } else if (step.do === 'tell') {
              const editor = editors[step.who % Math.max(1, editors.length)];
              if (!editor) continue;
              said.push([editor, step.status, step.content, `said ${at}`]);
              await tell(...said.at(-1)!);
            } else {
              const again = said[step.which % Math.max(1, said.length)];
              if (again) await tell(...again);
            }
            expect(await of.history()).to.deep.equal(expected.history);
            expect(await of.current()).to.equal(expected.current);
            expect(await of.news()).to.have.length(expected.news);
          }
          const stored = (await of.history()).map(([content]) => content);
          for (const [, status, content] of said)
            if (status === 2 || status === 6) expect(stored).to.include(content);
          await world.runPendingTasks();
          const { object } = await core.objects.getObject(caller, id);
          expect(object.status).to.equal('ready');
        }),
        { numRuns: RUNS[name] ?? 10 },
      ));

    const readAs = (text: string): Extraction => ({
      outcome: 'text',
      source: 'extracted',
      text,
      title: '',
      language: 'en',
      pages: [],
    });
    for (const when of ['before it is read', 'while it is read', 'after it was read'])
      it(`stores a conflict version, and the current content is processed nevertheless: ${when}`, async () => {
        const { world, id } = bench;
        const editor = await bench.open();
        await bench.elsewhere('changed elsewhere');
        let late: Promise<void> | undefined;
        const comesLate = () => (late ??= bench.tell(editor, 6, 'late'));
        world.extractions.set('plan.docx', async () => {
          await comesLate();
          return readAs('words of what was changed elsewhere');
        });
        if (when === 'before it is read') await comesLate();
        if (when === 'after it was read') {
          world.extractions.set('plan.docx', () => readAs('words of what was changed elsewhere'));
          await world.runPendingTasks();
          await comesLate();
        }
        await world.runPendingTasks();
        const { object, enrichment } = await world.core.objects.getObject(world.caller, id);
        expect(object).to.include({ version: 4, status: 'ready', textState: 'available' });
        expect(enrichment?.version).to.equal(4);
        const text = await world.core.processing.getText(world.caller, id);
        expect(text).to.include({ version: 4, text: 'words of what was changed elsewhere' });
      });

    it('accepts an editor of the current version while another one came too late', async () => {
      const early = await bench.open();
      await bench.elsewhere('changed elsewhere');
      const editor = await bench.open();
      await bench.tell(early, 2, 'late');
      await bench.tell(editor, 6, 'in time');
      await bench.tell(editor, 2, 'to the end');
      expect(await bench.history()).to.deep.equal([
        [FIRST, 'upload'],
        ['changed elsewhere', 'upload'],
        ['late', 'office'],
        ['changed elsewhere', 'restore'],
        ['in time', 'office'],
        ['to the end', 'office'],
      ]);
      expect(await bench.news()).to.have.length(1);
    });

    it('preserves a correction of the current text', async () => {
      const { world, id } = bench;
      const { core, caller } = world;
      const editor = await bench.open();
      await bench.elsewhere('changed elsewhere');
      await world.runPendingTasks();
      await core.processing.correctText(caller, id, { text: 'corrected by hand', baseVersion: 2 });
      await bench.tell(editor, 2, 'late');
      await world.runPendingTasks();
      expect((await core.processing.getText(caller, id)).text).to.equal('corrected by hand');
    });

    it('discards downloads that it does not store', async () => {
      const held = async () => {
        const ids: string[] = [];
        for await (const { blobId } of bench.world.blobs.list()) ids.push(blobId);
        return ids.length;
      };
      const editor = await bench.open();
      await bench.tell(editor, 6, 'once', 'a proof');
      const before = await held();
      await bench.tell(editor, 6, 'once', 'a proof');
      await bench.tell(editor, 6, 'once');
      expect(await codeOf(bench.tell(editor, 6, '<html>an error'))).to.equal('unsupported_type');
      expect(await held()).to.equal(before);
    });

    it('limits capabilities in time: reading to an hour, callbacks to a week', async () => {
      const { world } = bench;
      const { office } = world.core;
      const editor = await bench.open();
      const opens = (pass: string, door: 'file' | 'callback') =>
        codeOf(Promise.resolve().then(() => office.openCapability(pass, door)));
      expect(await opens(editor.filePass, 'file')).to.equal('ok');
      expect(await opens(editor.filePass, 'callback')).to.equal('not_found');
      expect(await opens(editor.callbackPass, 'file')).to.equal('not_found');
      world.now += HOUR_MS;
      expect(await opens(editor.filePass, 'file')).to.equal('not_found');
      expect(await opens(editor.callbackPass, 'callback')).to.equal('ok');
      world.now += 7 * 24 * HOUR_MS - HOUR_MS;
      expect(await opens(editor.callbackPass, 'callback')).to.equal('not_found');
    });

    it('accepts no other sealed value of the installation as a capability', async () => {
      const { world } = bench;
      const sealed = world.core.idempotency.sealResponse(
        JSON.stringify({ pass: { opens: 'file' } }),
      );
      expect(
        await codeOf(
          Promise.resolve().then(() => world.core.office.openCapability(sealed, 'file')),
        ),
      ).to.equal('not_found');
    });

    it('stores a conflict version after the opening bearer token was revoked', async () => {
      const { world } = bench;
      const { core, caller } = world;
      const { token, bearer } = await core.identity.createToken(caller, {
        name: 'lent',
        access: 'full',
      });
      const editor = await bench.open(await core.identity.authenticate({ bearer }, NO_CLIENT));
      await core.identity.revokeToken(caller, token.id);
      await bench.tell(editor, 2, 'by somebody');
      expect(await bench.current()).to.equal(FIRST);
      expect(await bench.history()).to.deep.equal([
        [FIRST, 'upload'],
        ['by somebody', 'office'],
        [FIRST, 'restore'],
      ]);
      expect(await bench.news()).to.have.length(1);
      const pass = core.office.openCapability(editor.filePass, 'file');
      expect(await codeOf(core.office.readForEngine(pass))).to.equal('not_found');
    });

    it('rejects a save that exceeds the quota, and notifies the owner', async () => {
      const limits = { requestsPerMinute: 60, questions: null, enrichments: null };
      const small = await openBench(backend, named(), {
        roles: { unlimited: { ...limits, storageBytes: 30 } },
      });
      const editor = await small.open();
      const long = 'much more than there is room for';
      for (let time = 0; time < 2; time++)
        expect(await codeOf(small.tell(editor, 6, long))).to.equal('plan_limit');
      expect(await small.history()).to.deep.equal([[FIRST, 'upload']]);
      expect(await small.news()).to.have.length(1);
      await small.tell(editor, 6, 'short');
      expect(await small.current()).to.equal('short');
    });

    it('sends the document server nothing that it could not save', async () => {
      const { files } = bench;
      const editor = await bench.open();
      files.set('http://office.test/away', new DownloadError('It is away.'));
      files.set('http://office.test/closing', new UnavailableError('office', 'It closes.'));
      files.set('http://office.test/elsewhere', new DownloadError('Not here.'));
      files.set('http://office.test/huge', 'x'.repeat(1_000_001));
      expect(await codeOf(bench.tell(editor, 2, 'huge'))).to.equal('upstream_failed');
      expect(await codeOf(bench.tell(editor, 2, 'away'))).to.equal('upstream_failed');
      expect(await codeOf(bench.tell(editor, 2, 'elsewhere'))).to.equal('upstream_failed');
      const error = await bench.tell(editor, 2, 'closing').catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(UnavailableError);
      // Not closed by any of them.
      await bench.tell(editor, 2, 'there again');
      expect(await bench.current()).to.equal('there again');
    });

    it('notifies the owner once if the storage is not available for an edit', async () => {
      const { files } = bench;
      const editor = await bench.open();
      const full = new UnavailableError('storage', 'The file storage is not available.');
      for (const name of ['one', 'two']) {
        files.set(`http://office.test/${name}`, full);
        const error = await bench.tell(editor, 6, name).catch((reason: unknown) => reason);
        expect(error).to.equal(full);
      }
      expect(await bench.news()).to.have.length(1);
      await bench.tell(editor, 2, 'there again');
      expect(await bench.current()).to.equal('there again');
    });

    it('removes sessions after the last possible callback, and rejects later ones', async () => {
      const { world, id } = bench;
      const editor = await bench.open();
      world.now += 6 * 24 * HOUR_MS;
      await bench.elsewhere('elsewhere');
      await bench.open();
      const known = (key: string) =>
        backend.uow.read(world.caller.scope, (s) => s.officeSessions.find(id, key));
      expect((await known(editor.key))?.state).to.equal('open');
      world.now += 3 * 24 * HOUR_MS;
      await bench.open();
      expect(await known(editor.key)).to.equal(undefined);
    });

    it('is deleted with its object', async () => {
      const { world, id } = bench;
      const editor = await bench.open();
      await world.core.objects.deleteObject(world.caller, id, true);
      const left = await backend.uow.read(world.caller.scope, (s) =>
        s.officeSessions.find(id, editor.key),
      );
      expect(left).to.equal(undefined);
      expect(await codeOf(bench.tell(editor, 2, 'late'))).to.equal('not_found');
    });

    it('serves a caller that is bound to folders as long as the document is in them', async () => {
      const { world, id } = bench;
      const { library, objects, office } = world.core;
      const { collection } = await library.createCollection(world.caller, { name: 'Plans' });
      const scope = { ...world.caller.scope, folderIds: [collection.id] };
      const bound = { ...world.caller, scope };
      expect(await codeOf(bench.open(bound))).to.equal('not_found');
      await objects.moveObject(world.caller, id, collection.id);
      const editor = await bench.open(bound);
      const fetched = () => office.readForEngine(office.openCapability(editor.filePass, 'file'));
      expect((await fetched()).filename).to.equal('plan.docx');
      await bench.tell(editor, 6, 'edited by a bound caller');
      expect(await bench.current()).to.equal('edited by a bound caller');
      await objects.moveObject(world.caller, id, null);
      expect(await codeOf(fetched())).to.equal('not_found');
      expect(await codeOf(bench.tell(editor, 2, 'too late'))).to.equal('not_found');
      expect(await bench.current()).to.equal('edited by a bound caller');
    });
  });
