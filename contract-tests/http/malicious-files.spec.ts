import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HOSTILE } from '../samples/hostile/make.ts';
import { profiles, startService, type Service } from './harness.ts';

/** One of each way to do harm; the others are tried on the reader itself, and how fast answers are is a bench. */
const CHOSEN = [
  'bomb.xlsx',
  'crowd.odt',
  'shaft.rtf',
  'shaft.html',
  'shaft.eml',
  'laughs.pptx',
  'loop.doc',
  'loop.pdf',
  'bomb.pdf',
  'half.epub',
];
/** A loop that a file holds up is held up for as long as it is read. */
const HEALTH_DEADLINE_MS = 5_000;

const formats = join(import.meta.dirname, '../samples/formats');

describe('files of every format, and hostile ones, in a served process', function () {
  this.timeout(90_000);
  let service: Service;
  before(async () => {
    service = await startService(profiles[0] ?? 'standalone');
  });
  after(() => service.dispose());

  const uploaded = async (name: string, bytes: Uint8Array) => {
    const { json } = await service.upload(name, bytes);
    return service.settled(json.items[0].id);
  };

  it('a workbook, a presentation, a book, a letter and a mail are found by their text', async () => {
    for (const [name, kind, words] of [
      ['plan.xlsx', 'spreadsheet', 'Müllabfuhr'],
      ['well.pptx', 'presentation', 'Tauchpumpe'],
      ['shores.epub', 'document', 'мастерская'],
      ['wordpad-ru.rtf', 'document', 'проржавела'],
      ['letter-ru.eml', 'email', 'Оплатить'],
    ] as const) {
      const object = await uploaded(name, readFileSync(join(formats, name)));
      expect(object, name).to.include({ kind, status: 'ready', needs_manual: false });
      const { json } = await service.call('GET', `/v1/search?q=${encodeURIComponent(words)}`);
      expect(json.items[0]?.object.id, name).to.equal(object.id);
    }
  });

  it('a hostile file ends as failed or needs attention; the service stays responsive and reads the next', async () => {
    let over = false;
    const healthy = (async () => {
      for (; !over; await new Promise((resolve) => setTimeout(resolve, 50))) {
        const signal = AbortSignal.timeout(HEALTH_DEADLINE_MS);
        expect((await fetch(`${service.base}/health`, { signal })).status).to.equal(200);
      }
    })();
    try {
      for (const { filename, make } of HOSTILE.filter(({ filename: f }) => CHOSEN.includes(f))) {
        const object = await uploaded(filename, make());
        if (object.status === 'ready') expect(object.needs_manual, filename).to.equal(true);
        else expect(object.error, filename).to.match(/^[A-Z].+\.$/);
      }
    } finally {
      over = true;
    }
    await healthy;
    const next = await uploaded('plan.ods', readFileSync(join(formats, 'plan.ods')));
    expect(next).to.include({ status: 'ready', needs_manual: false });
  });
});
