import { expect } from 'chai';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const INVOICE =
  'Lumen Optics GmbH\nINVOICE\nInvoice no. 17\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $40.00\nAmount due $40.00\nQuestions: billing@lumen.example\n';
const MINUTES =
  '# Weekly sync, 14 May 2024\n\nAttendees: Ann Lee\n\nAgenda: the release\n\nAction items\n- Ann: send the plan\n';
const GOOD_NAME = '2024-03-12 Invoice Lumen Optics GmbH.txt';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FIELDS = 'description doc_type entities keywords language model summary title'.split(' ');

for (const profile of profiles)
  describe(`${profile}: enrichment`, function () {
    this.timeout(90_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const put = async (name: string, bytes: Uint8Array | string) => {
      const { json } = await service.upload(name, bytes);
      expect(json.items[0].enrichment).to.equal(null);
      return service.settled(json.items[0].id);
    };
    const listed = async (id: string): Promise<Answer['json']> => {
      const { json } = await service.call('GET', '/v1/objects?limit=100');
      return json.items.find((item: { id: string }) => item.id === id);
    };

    it('is returned in full by the object, and in short by the list', async () => {
      const detail = await put('scan1.txt', INVOICE);
      expect(Object.keys(detail.enrichment).sort()).to.deep.equal(FIELDS);
      expect(detail.enrichment).to.include({
        doc_type: 'invoice',
        language: 'en',
        model: 'builtin',
        title: 'INVOICE',
      });
      expect(detail.enrichment.entities).to.deep.include({
        dates: ['12 March 2024'],
        amounts: ['$40.00'],
        emails: ['billing@lumen.example'],
        organizations: ['Lumen Optics GmbH'],
      });
      const item = await listed(detail.id);
      expect(item).to.include({ doc_type: 'invoice', title: 'INVOICE', suggested_name: GOOD_NAME });
      expect(item).not.to.have.property('enrichment');
      const { json } = await service.call('GET', '/v1/objects?doc_type=invoice');
      expect(json.items.map((each: { id: string }) => each.id)).to.include(detail.id);
    });

    it('is returned by every operation that returns an object', async () => {
      const { id } = await put('scan2.txt', INVOICE);
      const path = `/v1/objects/${id}`;
      const shows = async (method: string, at: string, body?: unknown) => {
        const answer = await service.call(method, path + at, { body });
        expect(answer.status, `${method} ${at}`).to.equal(200);
        expect(answer.json.enrichment, `${method} ${at}`).to.include({ doc_type: 'invoice' });
      };
      await shows('PATCH', '', { is_hidden: false });
      await shows('PUT', '/collection', { collection_id: null });
      await shows('POST', '/suggestion', { accept: true });
      await service.call('DELETE', path);
      await shows('POST', '/restore');
      await shows('PUT', '/content', { content: MINUTES, base_version: 1 });
      expect((await service.settled(id)).enrichment).to.include({ doc_type: 'meeting_notes' });
      const restored = await service.call('POST', `${path}/versions/1/restore`);
      expect(restored.json.enrichment).to.include({ doc_type: 'meeting_notes' });
      expect((await service.settled(id)).enrichment).to.include({ doc_type: 'invoice' });
    });

    it('dates a meeting, and is updated after a correction', async () => {
      const { id, meeting_date } = await put('sync.md', MINUTES);
      expect(meeting_date).to.equal('2024-05-14T00:00:00.000Z');
      expect((await listed(id)).meeting_date).to.equal(meeting_date);
      const body = { text: INVOICE, base_version: 1 };
      await service.call('PUT', `/v1/objects/${id}/text`, { body });
      const { json } = await service.call('GET', `/v1/objects/${id}`);
      expect(json).to.include({ meeting_date: null, has_corrections: true });
      expect(json.enrichment).to.include({ doc_type: 'invoice' });
    });

    it('recognises a screenshot by its name', async () => {
      const { enrichment, needs_manual } = await put('Screenshot 2024-05-01.png', PIXEL);
      expect(enrichment).to.include({ doc_type: 'screenshot', summary: '', title: '' });
      expect(needs_manual).to.equal(true);
    });

    it('suggests a name that is accepted or dismissed once', async () => {
      const taken = await put('scan3.txt', INVOICE);
      expect(taken).to.include({ suggested_name: GOOD_NAME, filename: 'scan3.txt' });
      const answer = (id: string, body: unknown) =>
        service.call('POST', `/v1/objects/${id}/suggestion`, { body });
      expect((await answer(taken.id, {})).status).to.equal(422);
      expect((await answer(taken.id, { accept: 'yes' })).status).to.equal(422);
      expect((await answer(taken.id, { accept: true })).json).to.include({
        filename: GOOD_NAME,
        display_name: GOOD_NAME,
        original_name: 'scan3.txt',
        ai_name: GOOD_NAME,
        name_source: 'ai',
        name_locked: false,
        suggested_name: null,
        suggested_reason: null,
      });
      const again = await answer(taken.id, { accept: true });
      expect(again.status).to.equal(409);
      expect(again.json).to.include({ code: 'nothing_suggested' });
      const dropped = await put('scan4.txt', INVOICE);
      expect((await answer(dropped.id, { accept: false })).json).to.include({
        filename: 'scan4.txt',
        name_source: 'original',
        suggested_name: null,
      });
    });

    it('renames automatically, or not at all, according to the setting', async () => {
      const mode = (auto_rename_mode: string) =>
        service.call('PUT', '/v1/settings', { body: { auto_rename_mode } });
      await mode('auto');
      expect(await put('scan5.txt', INVOICE)).to.include({
        filename: GOOD_NAME,
        name_source: 'ai',
      });
      await mode('dont_rename');
      expect(await put('scan6.txt', INVOICE)).to.include({
        filename: 'scan6.txt',
        suggested_name: null,
      });
      await mode('suggest');
    });

    it('preserves a note title chosen by its owner', async () => {
      const body = { content: '# Another title\n\nSome words.', title: 'My own' };
      const { json } = await service.call('POST', '/v1/objects/notes', { body });
      const note = await service.settled(json.id);
      expect(note.enrichment).to.include({ title: 'My own', doc_type: 'note' });
      expect(note).to.include({ filename: 'My own.md', suggested_name: null });
      expect((await listed(json.id)).title).to.equal('My own');
    });

    it('of a hidden object is concealed while the zone is locked', async () => {
      const { token } = await service.newOwner();
      const { json } = await service.uploadAll(
        [['scan.txt', INVOICE]],
        { is_hidden: 'true' },
        { token },
      );
      const { id } = json.items[0];
      await service.settled(id, { token });
      const pin = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '4711' } });
      const call = (headers: Record<string, string>) =>
        service.call('POST', `/v1/objects/${id}/suggestion`, {
          token,
          headers,
          body: { accept: true },
        });
      const closed = await call({});
      expect(closed.status).to.equal(404);
      expect(closed.text).not.to.include('Lumen');
      const open = await call({ 'x-hidden-token': pin.json.token });
      expect(open.json).to.include({ filename: GOOD_NAME });
    });
  });
