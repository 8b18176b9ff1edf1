import { expect } from 'chai';
import { openModelService, type ModelService, type Play } from '../fake-model-server.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const SECRET = 'sk-Zq9_never-to-be-seen-4711';
const INVOICE =
  'Lumen Optics GmbH\nINVOICE\nInvoice no. 17\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $40.00\nAmount due $40.00\n';
const BUILT_IN_NAME = '2024-03-12 Invoice Lumen Optics GmbH.txt';
const REPLY = {
  title: 'Lenses for the workshop',
  description: 'A bill for lenses.',
  summary: 'Lumen Optics bills Ann Lee for lenses.',
  keywords: ['lenses', 'workshop'],
  doc_type: 'letter',
  language: 'en',
  entities: { people: ['Ann Lee', 'Somebody Else'], organizations: ['Lumen Optics GmbH'] },
};
const says = (over: object = {}): Play => ({
  pieces: ['<think>Hm.</think>', ...JSON.stringify({ ...REPLY, ...over }).split(/(?<=,)/)],
});

for (const profile of profiles)
  describe(`${profile}: enrichment by a model`, function () {
    this.timeout(120_000);
    let service: Service;
    let own: ModelService;
    let house: ModelService;
    const tenant = `model enrichment ${profile}`;
    before(async () => {
      own = await openModelService();
      house = await openModelService();
      service = await startService(profile, {
        OUTBOUND_ALLOW: `127.0.0.1:${own.port}`,
        LLM_URL: `${house.origin}/v1`,
        LLM_MODEL: 'house-9b',
        LLM_KEY: SECRET,
        ANSWER_SECONDS: '2',
        LOG_LEVEL: 'info',
      });
      await service.cli('tenant', 'create', tenant);
    });
    after(async () => {
      await service.dispose();
      await own.close();
      await house.close();
    });
    beforeEach(() => {
      for (const model of [own, house]) {
        model.plays(says());
        model.refuses(0, { status: 429 });
        model.asked.length = 0;
      }
    });

    const owner = async (role?: string) => {
      const { token } = await service.newOwner(role, tenant);
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await service.call(method, `/v1${path}`, {
          token,
          ...(body !== undefined && { body }),
        });
        expect(answer.text).not.to.include('never-to-be');
        return answer;
      };
      const connect = async (over: object = {}) => {
        own.plays({ pieces: ['ready'] });
        const config = { base_url: `${own.origin}/v1`, model: 'lamp-7b', ...over };
        const { json } = await call('PUT', '/integrations/llm', { config, secret: SECRET });
        expect(json).to.include({ status: 'ok' });
        own.asked.length = 0;
        own.plays(says());
      };
      const upload = async (name: string, text: string, fields = {}): Promise<string> => {
        const { json } = await service.uploadAll([[name, text]], fields, { token });
        return json.items[0].id;
      };
      const settled = (id: string) => service.settled(id, { token });
      const put = async (name = 'scan.txt', text = INVOICE, fields = {}) =>
        settled(await upload(name, text, fields));
      const reported = async (): Promise<string[]> =>
        (await call('GET', '/notifications')).json.items.map((each: { kind: string }) => each.kind);
      const used = async () =>
        (await call('GET', '/usage')).json.items.find(
          ({ metric }: { metric: string }) => metric === 'enrichments',
        );
      return { token, call, connect, upload, settled, put, told: reported, used };
    };

    it('is shown by the object, in the list and by the suggested name', async () => {
      const { call, connect, put, told: reported, used } = await owner();
      await connect();
      const detail = await put();
      expect(detail).to.include({
        filename: 'scan.txt',
        suggested_name: '2024-03-12 Letter Lumen Optics GmbH.txt',
        error: null,
      });
      expect(detail.enrichment).to.deep.include({
        ...REPLY,
        model: 'lamp-7b',
        entities: {
          ...Object.fromEntries(
            ['dates', 'amounts', 'emails', 'urls', 'phones'].map((kind) => [kind, []]),
          ),
          people: ['Ann Lee'],
          organizations: ['Lumen Optics GmbH'],
        },
      });
      const { json } = await call('GET', '/objects?doc_type=letter');
      expect(json.items[0]).to.include({
        id: detail.id,
        title: REPLY.title,
        summary: REPLY.summary,
      });
      expect(await reported()).to.deep.equal(['object.ready']);
      expect(await used()).to.include({ used: 0 });
      expect(house.asked).to.deep.equal([]);
      expect(own.asked).to.have.length(1);
      const [{ body, headers }] = own.asked as [(typeof own.asked)[0]];
      expect(headers.authorization).to.equal(`Bearer ${SECRET}`);
      expect(body).to.deep.include({ model: 'lamp-7b', response_format: { type: 'json_object' } });
      expect(body.messages.at(-1).content).to.include('scan.txt').and.to.include('Invoice no. 17');
    });

    it('does not delay reading: the text is searchable meanwhile', async () => {
      const { call, connect, upload, settled } = await owner();
      await connect();
      let go = (): void => undefined;
      own.plays((response) => {
        go = () => void response.end('{}');
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      });
      const id = await upload('scan.txt', INVOICE);
      await eventually(
        async () => own.asked.length,
        (requested) => requested === 1,
      );
      const { json } = await call('GET', '/search?q=lenses');
      expect(json.items[0].object).to.include({ id, status: 'processing', doc_type: 'invoice' });
      expect((await call('GET', `/objects/${id}`)).json.enrichment).to.include({
        model: 'builtin',
      });
      own.plays(says());
      go();
      expect((await settled(id)).enrichment).to.include({ model: 'lamp-7b' });
    });

    it('falls back to the built-in findings if the model fails, and the owner is notified once', async () => {
      const { call, connect, upload, settled, put, told: reported } = await owner();
      await connect();
      own.plays({ refused: 401 });
      const ids = [await upload('a.txt', INVOICE), await upload('b.txt', INVOICE)];
      for (const id of ids) {
        const detail = await settled(id);
        expect(detail).to.include({ suggested_name: BUILT_IN_NAME, status: 'ready', error: null });
        expect(detail.enrichment).to.include({ model: 'builtin', doc_type: 'invoice' });
      }
      expect((await reported()).sort()).to.deep.equal([
        'integration.failed',
        'object.ready',
        'object.ready',
      ]);
      const { json } = await call('GET', '/integrations/llm');
      expect(json).to.include({ status: 'error' });
      expect(json.last_error).to.match(/key \(status 401\)/);
      own.plays(says());
      expect((await put('c.txt')).enrichment).to.include({ model: 'lamp-7b' });
      expect((await call('GET', '/integrations/llm')).json).to.include({
        status: 'ok',
        last_error: '',
      });
    });

    const waitingOf = async ({ call }: Awaited<ReturnType<typeof owner>>) => {
      const [settings, card] = [await call('GET', '/settings'), await call('GET', '/integrations')];
      return [settings.json.waiting_documents, card.json.items[0].waiting_documents];
    };
    const madeBy = async ({ call }: Awaited<ReturnType<typeof owner>>, id: string) =>
      (await call('GET', `/objects/${id}`)).json.enrichment.model;

    for (const [habit, refusal] of [
      ['names the seconds', { status: 429, headers: { 'retry-after': '1' } }],
      [
        'names a date',
        {
          status: 429,
          headers: {
            date: 'Tue, 05 Mar 2024 08:00:00 GMT',
            'retry-after': 'Tue, 05 Mar 2024 08:00:02 GMT',
          },
        },
      ],
      [
        'is loading',
        {
          status: 503,
          body: '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
        },
      ],
      ['is overloaded', { status: 529 }],
      ['is behind a proxy', { status: 502, headers: { 'content-type': 'text/html' } }],
    ] as const)
      it(`comes later if the model is busy and ${habit}`, async () => {
        const someone = await owner();
        await someone.connect();
        own.refuses(2, refusal);
        const ids: string[] = [];
        for (const name of ['a.txt', 'b.txt', 'c.txt'])
          ids.push(await someone.upload(name, `${INVOICE}${name}`));
        for (const id of ids)
          expect(await someone.settled(id)).to.include({ status: 'ready', error: null });
        for (const id of ids)
          await eventually(
            () => madeBy(someone, id),
            (model) => model === 'lamp-7b',
            60_000,
          );
        expect(await waitingOf(someone)).to.deep.equal([undefined, undefined]);
        expect(own.asked).to.have.length(5);
        expect(new Set(await someone.told())).to.deep.equal(new Set(['object.ready']));
        expect((await someone.call('GET', '/integrations/llm')).json.status).to.equal('ok');
      });

    // Its address is allowed by default, and nothing in it depends on the profile.
    if (profile === 'standalone')
      it('comes later if the model restarts', async () => {
        const someone = await owner();
        let restarting = await openModelService();
        const { port } = restarting;
        const config = { base_url: `${restarting.origin}/v1`, model: 'lamp-8b' };
        try {
          const { json } = await someone.call('PUT', '/integrations/llm', { config });
          expect(json.status).to.equal('ok');
          await restarting.close();
          const id = await someone.upload('a.txt', INVOICE);
          expect((await someone.settled(id)).enrichment).to.include({ model: 'builtin' });
          expect(await waitingOf(someone)).to.deep.equal([1, 1]);
          restarting = await openModelService(port);
          restarting.plays(says());
          await eventually(
            () => madeBy(someone, id),
            (model) => model === 'lamp-8b',
            60_000,
          );
        } finally {
          await restarting.close();
        }
      });

    it('waits for a busy model, which one document tries, and is counted without hidden ones', async () => {
      const someone = await owner();
      const { call, connect, upload, settled } = someone;
      await connect();
      own.refuses(1_000, { status: 429, headers: { 'retry-after': '3600' } });
      const ids: string[] = [];
      for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt'])
        ids.push(await upload(name, `${INVOICE}${name}`));
      for (const id of ids) expect((await settled(id)).enrichment).to.include({ model: 'builtin' });
      expect((await call('GET', '/search?q=lenses')).json.total).to.equal(4);
      // Two requests may have been sent together.
      expect(own.asked.length).to.be.within(1, 2);
      expect(await waitingOf(someone)).to.deep.equal([4, 4]);
      await settled(await upload('hidden.txt', INVOICE, { is_hidden: 'true' }));
      expect(await waitingOf(someone)).to.deep.equal([4, 4]);
      await call('PATCH', `/objects/${ids[0]}`, { is_hidden: true });
      await call('PATCH', `/objects/${ids[1]}`, { filename: 'of the owner.txt' });
      await call('DELETE', `/objects/${ids[2]}`);
      expect(await waitingOf(someone)).to.deep.equal([2, 2]);
      const asked = own.asked.length;
      const failed = (await someone.told()).filter((kind) => kind === 'integration.failed');
      expect(failed).to.have.length(1);
      own.refuses(0, { status: 429 });
      expect((await call('POST', '/integrations/llm/check')).json.status).to.equal('ok');
      for (const id of [ids[1], ids[3]] as string[])
        await eventually(
          () => madeBy(someone, id),
          (model) => model === 'lamp-7b',
        );
      expect((await call('GET', `/objects/${ids[1]}`)).json).to.include({
        filename: 'of the owner.txt',
        suggested_name: null,
      });
      expect(await waitingOf(someone)).to.deep.equal([undefined, undefined]);
      // The check and two documents; nothing that is hidden or in the trash.
      expect(own.asked).to.have.length(asked + 3);
    });

    it("of the operator's busy model comes later and is counted then", async () => {
      const someone = await owner('pro');
      house.refuses(1, { status: 429, headers: { 'retry-after': '2' } });
      const { id, enrichment } = await someone.put();
      expect(enrichment).to.include({ model: 'builtin' });
      expect(await someone.used()).to.include({ used: 0 });
      await eventually(
        () => madeBy(someone, id),
        (model) => model === 'house-9b',
      );
      expect(await someone.used()).to.include({ used: 1 });
    });

    it('is limited to ANSWER_SECONDS', async () => {
      const { connect, put } = await owner();
      await connect();
      own.plays({ pieces: ['{'], then: 'silence' });
      expect((await put()).enrichment).to.include({ model: 'builtin' });
      await eventually(
        async () => own.busy(),
        (busy) => busy === 0,
        2_000,
      );
      expect(own.busy()).to.equal(0);
    });

    it('is never requested for hidden objects', async () => {
      const { call, connect, upload, settled } = await owner();
      await connect();
      const id = await upload('hidden.txt', 'Whisper of lenses.', { is_hidden: 'true' });
      expect((await settled(id)).enrichment).to.include({ model: 'builtin' });
      await call('PUT', `/objects/${id}/text`, { text: 'Another whisper.', base_version: 1 });
      await call('POST', `/objects/${id}/enrich`);
      expect((await settled(id)).enrichment).to.include({ model: 'builtin' });
      expect([own.asked, house.asked]).to.deep.equal([[], []]);
    });

    it('is updated after a correction in the background, and repeated on demand by a new model', async () => {
      const { call, connect, put, settled } = await owner();
      const { id } = await put();
      await connect();
      const enriched = await call('POST', `/objects/${id}/enrich`);
      expect(enriched.json).to.include({ status: 'accepted' });
      expect((await settled(id)).enrichment).to.include({ model: 'lamp-7b', doc_type: 'letter' });
      own.plays(says({ title: 'Of the correction', doc_type: 'report' }));
      const body = { text: 'Nothing but lamps.', base_version: 1 };
      expect((await call('PUT', `/objects/${id}/text`, body)).status).to.equal(200);
      const detail = await eventually(
        async () => (await call('GET', `/objects/${id}`)).json,
        ({ enrichment, status }) => {
          expect(status).to.equal('ready');
          return enrichment.model === 'lamp-7b';
        },
      );
      expect(detail.enrichment).to.include({ title: 'Of the correction', doc_type: 'report' });
    });

    it("uses the operator's model by default, counted, up to the limit of the role", async () => {
      const { call, put, used } = await owner('pro');
      expect((await put()).enrichment).to.include({ model: 'house-9b' });
      expect(house.asked[0]?.headers.authorization).to.equal(`Bearer ${SECRET}`);
      expect(await used()).to.deep.equal({
        metric: 'enrichments',
        used: 1,
        limit: 5_000,
        remaining: 4_999,
      });
      house.plays({ refused: 500 });
      const failed = await put('b.txt');
      expect(failed.enrichment).to.include({ model: 'builtin' });
      expect(await used()).to.include({ used: 1 });
      expect((await call('GET', '/integrations/llm')).json.status).to.equal('not_configured');
    });

    // Half a minute, and nothing in it depends on the profile.
    if (profile === 'standalone')
      it('is released when the service stops, and done by the next process', async () => {
        let other = await startService(profile, { LLM_URL: house.origin, LLM_MODEL: 'house-9b' });
        try {
          house.plays({ pieces: [], then: 'silence' });
          const { json } = await other.upload('scan.txt', INVOICE);
          await eventually(
            async () => house.asked.length,
            (requested) => requested === 1,
          );
          house.plays(says());
          other = await other.restart();
          const { enrichment } = await other.settled(json.items[0].id);
          expect(enrichment).to.include({ model: 'house-9b' });
          const usage = await other.call('GET', '/v1/usage');
          expect(usage.json.items[1]).to.include({ metric: 'enrichments', used: 1 });
        } finally {
          await other.dispose();
        }
      });

    it('is monitored by the health check, without a prompt', async () => {
      const llm = async () => {
        const { json } = await service.call('GET', '/health/deep');
        return json.checks.find(({ name }: { name: string }) => name === 'llm');
      };
      const visits = house.visits();
      expect(await llm()).to.include({ status: 'ok', detail: 'It answers.' });
      // Cached for all callers within ten seconds.
      await Promise.all([llm(), llm()]);
      expect(house.visits()).to.equal(visits + 1);
      expect(house.asked.filter(({ path }) => path.includes('completions'))).to.deep.equal([]);
      expect(service.logged()).not.to.include('never-to-be');
    });
  });
