import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  ChildProcessExtractor,
  type ChildProcessExtractorOptions,
} from '../adapters/extract/extractor.ts';
import { confinedCommand } from '../adapters/extract/process/confinement.ts';
import { contentSniffer } from '../adapters/extract/sniffer.ts';
import { PlainTextExtractor } from '../adapters/memory/extractor.ts';
import { UnavailableError } from '../ports/errors.ts';
import type { Extraction, ExtractionRequest } from '../ports/text-extraction.ts';
import { HOSTILE } from './samples/hostile/make.ts';
import { wordBody, wordParts, zipOf } from './samples/hostile/zip.ts';
import { contentSnifferContract } from './suites/content-sniffer.ts';
import { requestFor, sample, textExtractorContract } from './suites/text-extractor.ts';

/** Living child processes of this process. One that has just ended is removed two event-loop ticks later. */
const processes = async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
};

describe('magic numbers and names: ContentSniffer', () => contentSnifferContract(contentSniffer));

describe('child processes: TextExtractor', () =>
  textExtractorContract(async () => ({
    extractor: new ChildProcessExtractor({ timeLimitMs: 15_000, memoryLimitMiB: 512 }),
    reads: 'documents',
    timeLimitMs: 45_000,
    processes,
  })));

describe('memory: TextExtractor', () =>
  textExtractorContract(async () => ({
    extractor: new PlainTextExtractor(),
    reads: 'characters',
    timeLimitMs: 15_000,
    processes,
  })));

describe('the extractor of child processes', () => {
  const opened: ChildProcessExtractor[] = [];
  const open = (options: ChildProcessExtractorOptions = {}) => {
    const extractor = new ChildProcessExtractor({ timeLimitMs: 60_000, ...options });
    opened.push(extractor);
    return extractor;
  };
  afterEach(() => Promise.all(opened.splice(0).map((extractor) => extractor.close())));

  const plain = new ChildProcessExtractor({ timeLimitMs: 60_000 });
  after(() => plain.close());

  const text = (content: string) => requestFor('a.txt', 'text', Buffer.from(content));
  const said = (extraction: Extraction) =>
    extraction.outcome === 'text' ? extraction.text : extraction.reason;
  const rejection = (work: Promise<unknown>) =>
    work.then(
      (value) => expect.fail(`It answered ${JSON.stringify(value).slice(0, 200)}`),
      (error: unknown) => error,
    );

  it('reads text in pre-Unicode charsets and in UTF-16', async () => {
    const expected = sample('protocol-ru.txt').toString('utf8');
    for (const name of ['protocol-ru.cp1251.txt', 'protocol-ru.utf16.txt']) {
      const extraction = await plain.extract(requestFor(name, 'text', sample(name)));
      expect(said(extraction).replaceAll('\r\n', '\n'), name).to.equal(expected);
    }
  });

  it('joins hyphenated words, and preserves hyphens that belong to a word', async () => {
    const letter = await plain.extract(requestFor('a.pdf', 'pdf', sample('letter.pdf')));
    const report = await plain.extract(requestFor('b.pdf', 'pdf', sample('lighthouse.pdf')));
    expect(said(letter)).to.include('quotation').and.not.to.include('quota-');
    expect(said(report)).to.include('hundred and sixty-five nights');
  });

  it('puts paragraphs, items, rows and notes of a docx on separate lines, without marks like [1]', async () => {
    const request = requestFor('a.docx', 'document', sample('lighthouse.docx'));
    const content = said(await plain.extract(request));
    expect(content).to.include('\n\n- The cistern now holds 9 400 litres.\n- The roof was');
    expect(content).to.include('\n1. The accounts were examined by Ruth Adeyemi.\n2. ');
    expect(content).to.include('\nGallery railing\tPort Ellis Foundry\t£41,900\n');
    expect(content).to.include('The original drawing hangs in the stairwell');
    expect(content).not.to.match(/\[\d\]/);
  });

  it('reads the headers and footers of a docx once each, after its text', async () => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const margin = (part: string, inner: string) => ({
      name: `word/${part}.xml`,
      content: Buffer.from(`<?xml version="1.0"?><w:hdr ${w}>${inner}</w:hdr>`),
    });
    const letterhead =
      '<w:p><w:r><w:t>Hedge &amp; Sons</w:t><w:tab/><w:t xml:space="preserve">Quay 4</w:t></w:r></w:p>';
    const bytes = zipOf([
      ...wordParts(wordBody('<w:p><w:r><w:t>Dear neighbour</w:t></w:r></w:p>')),
      margin('header1', letterhead),
      margin('header2', letterhead),
      margin(
        'footer1',
        '<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>Reg. 1042</w:t></w:r></w:p>',
      ),
    ]);
    const content = said(await plain.extract(requestFor('a.docx', 'document', bytes)));
    expect(content).to.equal('Dear neighbour\n\nHedge & Sons Quay 4\n\nReg. 1042');
  });

  it('reads the title of a docx from its properties', async () => {
    const core =
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Hedges &amp; Ditches</dc:title></cp:coreProperties>';
    const bytes = zipOf([
      ...wordParts(wordBody('<w:p><w:r><w:t>Dear neighbour</w:t></w:r></w:p>')),
      { name: 'docProps/core.xml', content: core },
    ]);
    const extraction = await plain.extract(requestFor('a.docx', 'document', bytes));
    expect(extraction).to.include({ title: 'Hedges & Ditches', text: 'Dear neighbour' });
  });

  it('removes navigation from a page, and nothing else', async () => {
    const content = said(
      await plain.extract(requestFor('a.html', 'document', sample('orchard.html'))),
    );
    expect(content).not.to.include('Contact').and.not.to.include('document.title');
    expect(content).to.include('Catshead\t3\tNovember');
  });

  it('includes captions, sidebars and footers of an article, and excludes invisible text', async () => {
    const article =
      '<p>The harbour was dredged in spring, and the ferry came back in June.</p>'.repeat(40);
    const page = `<!doctype html><html><head><title>Harbour</title></head><body>
      <nav><a href="/">Start</a></nav>
      <article><h1>Harbour</h1>${article}<img src="a.png" alt="Chart of the dredged channel"><img src="b.png" alt=""></article>
      <aside><h2>Office hours</h2><p>Tuesdays from nine to noon.</p></aside>
      <section class="comments"><p>Olive: the buoy at Stag Rock is gone.</p></section>
      <button>How do I reach the warden?</button>
      <div hidden>a draft</div><p style="display: none">a second draft</p><script>let third = 'draft';</script>
      <footer>Harbour trust, registered number 1042</footer></body></html>`;
    const content = said(await plain.extract(requestFor('a.html', 'document', Buffer.from(page))));
    for (const seen of [
      'the ferry came back in June.',
      '\nChart of the dredged channel\n',
      'Office hours\n\nTuesdays from nine to noon.',
      'Olive: the buoy at Stag Rock is gone.',
      'How do I reach the warden?',
      'registered number 1042',
    ])
      expect(content).to.include(seen);
    expect(content).not.to.include('draft').and.not.to.include('Start');
  });

  it('truncates a text at its limit, in code points, without reading the rest of the file', async () => {
    let requested = 0;
    const request: ExtractionRequest = {
      ...text(''),
      size: 2 ** 40,
      async *open() {
        for (; ; requested++) yield Buffer.from('𝄞'.repeat(100));
      },
    };
    const extraction = await open({ maxTextLength: 150 }).extract(request);
    expect(said(extraction)).to.equal('𝄞'.repeat(150));
    expect(requested).to.be.at.most(3);
    expect(extraction).to.have.deep.property('pages', [{ page: 1, charStart: 0, charEnd: 150 }]);
  });

  it('rejects a document that is too large without opening it', async () => {
    const request: ExtractionRequest = {
      ...requestFor('a.pdf', 'pdf', new Uint8Array(0)),
      size: 3_000_000,
      open: () => expect.fail('It was opened.'),
    };
    const extraction = await open({ maxFileBytes: 2 * 1024 * 1024 }).extract(request);
    expect(extraction).to.deep.equal({
      outcome: 'failed',
      reason: 'The file is larger than the limit of 2 MB.',
    });
  });

  it('reports a time or memory limit as such', async () => {
    const extractor = open({ timeLimitMs: 1_500, memoryLimitMiB: 400 });
    const endings: string[] = [];
    for (const name of ['endless.pdf', 'bomb.pdf']) {
      const hostile = HOSTILE.find(({ filename }) => filename === name)!;
      endings.push(said(await extractor.extract(requestFor(name, 'pdf', hostile.make()))));
    }
    expect(endings[0]).to.equal('Reading the file took longer than 1.5 seconds.');
    // If memory is not reported, the time limit is reached first.
    expect(endings[1]).to.match(/more memory than allowed|longer than 1\.5 seconds/);
  });

  it('reads files concurrently up to the limit, and rejects jobs beyond the queue limit', async () => {
    const extractor = open({ concurrency: 2, maxWaiting: 1 });
    const before = await processes();
    const [a, b, c] = ['a', 'b', 'c'].map((content) => extractor.extract(text(content)));
    const error = await rejection(extractor.extract(text('d')));
    expect(error).to.be.instanceOf(UnavailableError);
    expect((await Promise.all([a!, b!, c!])).map(said)).to.deep.equal(['a', 'b', 'c']);
    expect((await processes()) - before).to.equal(2);
  });

  it('ends an idle process after a while', async () => {
    const extractor = open({ idleMs: 50 });
    const before = await processes();
    await extractor.extract(text('a'));
    expect(await processes()).to.equal(before + 1);
    while ((await processes()) > before) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said(await extractor.extract(text('b')))).to.equal('b');
  });

  it('aborts when bytes stop arriving, and does not blame the file', async () => {
    const extractor = open({ transferLimitMs: 1_500 });
    const stalled: ExtractionRequest = {
      ...text('hello'),
      async *open() {
        yield Buffer.from('he');
        await new Promise(() => undefined);
      },
    };
    expect(await rejection(extractor.extract(stalled))).to.be.instanceOf(UnavailableError);
    expect(said(await extractor.extract(text('next')))).to.equal('next');
  });

  it('rejects running and waiting jobs when it is closed', async () => {
    const extractor = open();
    const endless = HOSTILE.find(({ filename }) => filename === 'endless.pdf')!;
    const reading = rejection(extractor.extract(requestFor('a.pdf', 'pdf', endless.make())));
    const waiting = rejection(extractor.extract(text('a')));
    await extractor.close();
    expect(await waiting).to.be.instanceOf(UnavailableError);
    expect(await reading).to.be.instanceOf(UnavailableError);
  });

  it('restricts its process to its own code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ow-probe-'));
    const secret = join(folder, 'secret');
    await writeFile(secret, 'secret');
    const { file, args, env } = confinedCommand({
      entry: join(import.meta.dirname, 'samples/hostile/probe.ts'),
      code: [join(import.meta.dirname, '../adapters/extract')],
      packages: ['unpdf'],
      heapMiB: 64,
      cpuSeconds: 30,
    });
    const run = promisify(execFile);
    const { stdout } = await run(file, [...args, secret, folder], { env });
    await rm(folder, { recursive: true });
    expect(JSON.parse(stdout)).to.deep.equal([]);
  });

  if (process.platform === 'linux')
    it('has its processes die with it, in any case', async () => {
      const module = new URL('../adapters/extract/process/reader-process.ts', import.meta.url).href;
      const script = `
      const { ReaderProcess } = await import(${JSON.stringify(module)});
      const reader = new ReaderProcess({ timeLimitMs: 5000, transferLimitMs: 5000, memoryLimitMiB: 256, maxReplyBytes: 9999 });
      const bytes = (async function* () { yield Buffer.from('hello'); })();
      await reader.read({ reader: 'text', format: 'txt', size: 5, maxTextLength: 99 }, bytes);
      console.log(reader.pid);`;
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
      const child = `/proc/${Number(pid)}`;
      // Should the parent die while the child is busy, the system ends the child.
      const limits = await readFile(`${child}/limits`, 'utf8');
      expect(limits).to.match(/Max cpu time\s+25\s/);
      parent.kill('SIGKILL');
      while (existsSync(child)) await new Promise((resolve) => setTimeout(resolve, 20));
    });
});
