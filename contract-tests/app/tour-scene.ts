import type { Served } from '../http/harness.ts';
import { scanOf } from '../samples/scans.ts';
import type { AppTab } from './app-fixture.ts';
import { TENANCY, writeNote } from './ask-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';
import { addFile, placeOf, sample } from './viewer-fixture.ts';

export const PIN = '48151623';

/** What the screens of the tour are about: ids of documents, folders and a place in a text. */
export interface Scene {
  readonly folder: string;
  readonly theme: string;
  readonly pdf: string;
  /** Of words in the PDF: `#t=8123-8240` */
  readonly place: string;
  readonly note: string;
  readonly table: string;
  readonly mail: string;
  readonly scan: string;
  readonly damaged: string;
  readonly trashed: string;
}

const MAIL = [
  'From: Marrow & Daughters <office@marrow.example>',
  'To: trustees@skerry.example',
  'Subject: Price for cleaning the lens bath',
  'Date: Mon, 9 Nov 2026 10:15:00 +0000',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Dear trustees,',
  '',
  'we can come in the second week of March, weather permitting. The price is EUR 1,240.00.',
].join('\r\n');

const invoice = (n: number): string =>
  `Lumen Optics GmbH\nINVOICE\nInvoice no. ${n}\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $${n}.00\nAmount due $${n}.00\n`;

/** Fills the workspace of an owner with a document of every kind, and a few in the trash and in the hidden zone. */
export async function setScene(service: Served, owner: Pick<AppTab, 'token'>): Promise<Scene> {
  const { token } = owner;
  const call = async (method: string, path: string, body?: object) =>
    (await service.call(method, path, { token, ...(body && { body }) })).json;
  const { folders, objects } = await fillWorkspace(service, owner);
  const themes = await call('GET', '/v1/themes');
  const pdf = await addFile(service, owner, 'Lighthouse.pdf', await sample('lighthouse.pdf'));
  const place = await placeOf(service, owner, pdf, /[A-Z][^.]{30,90}\./);
  const note = await writeNote(service, owner, 'Tenancy agreement, § 4 and § 5', TENANCY);
  await call('PUT', `/v1/objects/${note}/content`, {
    content: `${TENANCY}\n\n- [x] three keys\n- [ ] deposit\n`,
    base_version: 1,
  });
  await call('PUT', `/v1/objects/${note}/categories`, { categories: ['flat', 'keep'] });
  const table = await addFile(service, owner, 'Tides.csv', await sample('tides.csv'));
  const mail = await addFile(service, owner, 'Re: Price for cleaning the lens bath.eml', MAIL);
  const page = await (await scanOf('letter.pdf', 1, 100)).jpeg({ quality: 70 }).toBuffer();
  const scan = await addFile(service, owner, 'scan-0031.jpg', page);
  for (const n of [1, 2, 3]) await addFile(service, owner, `invoice-${n}.txt`, invoice(n));
  const trashed = await writeNote(service, owner, 'Old shopping list', 'Plums and flour.');
  await call('DELETE', `/v1/objects/${trashed}`);
  const hidden = await writeNote(service, owner, 'For Jonas, the speech', 'The tide would wait.');
  await call('POST', '/v1/hidden-pin', { pin: PIN });
  await call('POST', '/v1/objects/bulk', { action: 'hide', ids: [hidden] });
  await call('POST', '/v1/hidden-pin/lock');
  return {
    folder: folders.get('Recipes') ?? '',
    theme: themes.items[0].id,
    pdf,
    place: place.hash,
    note,
    table,
    mail,
    scan,
    damaged: objects[0] ?? '',
    trashed,
  };
}
