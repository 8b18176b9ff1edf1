import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import { findLanguage, languageCodes } from '../adapters/extract/ocr/languages.ts';
import { pageTextOf } from '../adapters/extract/ocr/page-text.ts';
import { ChildProcessOcr, type RecogniserOptions } from '../adapters/extract/ocr-engine.ts';
import { pdfOfPages, scanOf } from './samples/scans.ts';
import { requestFor } from './suites/text-extractor.ts';
import { ocrEngineContract } from './suites/ocr-engine.ts';

const processes = async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
};

const data = ['eng', 'rus'].flatMap((code) => {
  const found = findLanguage(code, process.env['TESSDATA_PREFIX']);
  if (!found) process.stdout.write(`  left out: recognition of ${code}, no data here\n`);
  return found ?? [];
});

const extractor = new ChildProcessExtractor();
const opened: ChildProcessOcr[] = [];
const open = (options: RecogniserOptions = {}) => {
  const ocr = new ChildProcessOcr(data, extractor, options);
  opened.push(ocr);
  return ocr;
};
after(() => Promise.all([extractor, ...opened].map((each) => each.close())));

describe('child processes: OcrEngine', () =>
  ocrEngineContract(async () => ({
    ocr: open(),
    timeLimitMs: 60_000,
    processes,
  })));

describe('the reader of a file reports that OCR is needed', () => {
  it('for images and pages without text, and for nothing else', async () => {
    const line = 'Printed.';
    const pages = async (...all: Parameters<typeof pdfOfPages>[0]) => pdfOfPages(all);
    for (const [request, left] of [
      [requestFor('a.png', 'image', Buffer.from('x')), true],
      [requestFor('a.svg', 'image', Buffer.from('x')), undefined],
      [requestFor('a.zip', 'archive', Buffer.from('x')), undefined],
      [requestFor('scan.pdf', 'pdf', await pages('blank')), true],
      [requestFor('mixed.pdf', 'pdf', await pages({ line }, 'blank')), true],
      [requestFor('printed.pdf', 'pdf', await pages({ line }, { line })), undefined],
    ] as const) {
      const ended = await extractor.extract(request);
      if (ended.outcome === 'failed') throw new Error(ended.reason);
      expect(ended.scanned, request.filename).to.equal(left);
    }
  });
});

describe('OCR in child processes', function () {
  this.timeout(120_000);

  it('leaves pages beyond its limits without text in the page map', async () => {
    const jpg = await (await scanOf('letter.pdf', 2, 150)).jpeg().toBuffer();
    const pdf = await pdfOfPages([{ jpg }, { jpg }, { line: 'Printed.' }, { jpg }]);
    const request = requestFor('many.pdf', 'pdf', pdf);
    const ended = await open({ maxPages: 1 }).recognise(request);
    if (ended.outcome !== 'text') throw new Error(ended.reason);
    const lengths = ended.pages.map(({ charStart, charEnd }) => charEnd - charStart > 0);
    expect(lengths).to.deep.equal([true, false, true, false]);
    const late = await open({ totalLimitMs: 0 }).recognise(request);
    expect(late).to.include({ outcome: 'text', source: 'extracted' });
  });

  it('reports a file that exceeded the time limits, and continues with the next', async () => {
    const scan = await (await scanOf('letter.pdf')).png().toBuffer();
    const hasty = open({ timeLimitMs: 400 });
    const ended = await hasty.recognise(requestFor('scan.png', 'image', scan));
    expect(ended).to.include({ outcome: 'failed' });
  });

  it('reads nothing without configured languages', async () => {
    const none = new ChildProcessOcr([], extractor);
    opened.push(none);
    const ended = await none.recognise(requestFor('a.png', 'image', Buffer.from('x')));
    expect(ended).to.include({ outcome: 'none', expected: true });
  });
});

describe('the text of a page', () => {
  const row = (paragraph: number, line: number, left: number, confidence: number, word: string) =>
    [
      '5',
      '1',
      '1',
      paragraph,
      line,
      '1',
      left,
      '10',
      word.length * 10,
      '12',
      confidence,
      word,
    ].join('\t');

  it('contains words with high confidence; an image yields none', () => {
    const sure = [row(1, 1, 0, 95, 'Dear'), row(1, 1, 60, 93, 'Reader,')];
    expect(pageTextOf(sure.join('\n'))).to.equal('Dear Reader,');
    expect(pageTextOf([...sure, row(1, 1, 140, 12, 'i¥|;')].join('\n'))).to.equal('Dear Reader,');
    expect(
      pageTextOf([...sure, row(2, 1, 0, 40, 'wv'), row(2, 1, 40, 44, 'lll')].join('\n')),
    ).to.equal('Dear Reader,');
    expect(pageTextOf([row(1, 1, 0, 50, 'oe'), row(2, 1, 0, 62, 'ee')].join('\n'))).to.equal('');
    expect(pageTextOf([row(1, 1, 0, 95, '|'), row(1, 1, 20, 95, '—')].join('\n'))).to.equal('');
    expect(pageTextOf('')).to.equal('');
  });

  it('has complete paragraphs, joined words, and Chinese without spaces', () => {
    const lines = [
      row(1, 1, 0, 95, 'The'),
      row(1, 1, 40, 95, 'long'),
      row(1, 1, 90, 95, 'quota-'),
      row(1, 2, 0, 95, 'tion'),
      row(1, 2, 50, 95, 'came.'),
      row(2, 1, 0, 95, '收到'),
      row(2, 1, 30, 95, '发票'),
    ];
    expect(pageTextOf(lines.join('\n'))).to.equal('The long quotation came.\n\n收到发票');
  });
});

describe('the language data', () => {
  it('is configured by a list, without duplicates', () => {
    expect(languageCodes('')).to.deep.equal([]);
    expect(languageCodes(' eng+rus, eng deu ')).to.deep.equal(['eng', 'rus', 'deu']);
  });

  it('is found in the configured folder first, then in a package, compressed or not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ow-tessdata-'));
    try {
      await writeFile(join(folder, 'xyz.traineddata'), '');
      await writeFile(join(folder, 'chi_abc.traineddata.gz'), '');
      expect(findLanguage('xyz', folder)?.file).to.equal(join(folder, 'xyz.traineddata'));
      expect(findLanguage('chi_abc', folder)?.code).to.equal('chi_abc');
      expect(findLanguage('xyz', undefined)).to.equal(undefined);
      expect(findLanguage('eng', undefined)?.file).to.match(/eng\.traineddata(\.gz)?$/);
      for (const code of ['', '../xyz', 'XYZ', 'x', 'eng/../eng', 'xyz.'])
        expect(findLanguage(code, folder), code).to.equal(undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
