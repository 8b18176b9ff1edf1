import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { profiles, startService, type Service } from './harness.ts';

const KEY = 'sk-of-the-operator-0815';

for (const profile of profiles)
  describe(`${profile}: the model of the operator`, function () {
    this.timeout(120_000);
    let service: Service;
    let model: ModelService;
    let folder: string;
    before(async () => {
      model = await openModelService();
      folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const limits = { requests_per_minute: 6000, enrichments: 0, storage_bytes: null };
      const roles = { few: { ...limits, questions: 5 }, unlimited: { ...limits, questions: null } };
      await writeFile(join(folder, 'roles.json'), JSON.stringify(roles));
      service = await startService(profile, {
        LLM_URL: `${model.origin}/v1`,
        LLM_MODEL: 'house-70b',
        LLM_KEY: KEY,
        ANSWER_SECONDS: '5',
        ROLES_FILE: join(folder, 'roles.json'),
      });
    });
    after(async () => {
      await service.dispose();
      await model.close();
      await rm(folder, { recursive: true });
    });
    beforeEach(() => {
      model.plays({ pieces: ['It is so.'] });
      model.asked.length = 0;
    });

    const owner = async (role = 'few') => {
      const { token } = await service.newOwner(role);
      const post = (path: string, body: object) => service.call('POST', path, { token, body });
      await post('/v1/objects/notes', { content: 'The keeper of the lighthouse is Ada.' });
      return {
        token,
        post,
        ask: () => post('/v1/ask', { question: 'Who is the keeper?' }),
        used: async () =>
          (await service.call('GET', '/v1/usage', { token })).json.items.find(
            ({ metric }: { metric: string }) => metric === 'questions',
          ),
        asked: async () => (await service.call('GET', '/v1/recent-queries', { token })).json.total,
      };
    };

    it('answers owners without a model, in every profile at any address', async () => {
      const { ask, used } = await owner('unlimited');
      const { status, json, text } = await ask();
      expect(status, text).to.equal(200);
      expect(json.engine).to.equal('house-70b');
      expect(model.asked[0]?.headers.authorization).to.equal(`Bearer ${KEY}`);
      expect(text).not.to.include(KEY);
      expect(await used()).to.include({ used: 1, limit: null, remaining: null });
    });

    it('counts questions exactly, also under concurrency', async () => {
      const { ask, used, asked: requested } = await owner();
      const answers = await Promise.all(Array.from({ length: 12 }, ask));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).to.have.length(5);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, json } of refused)
        expect([status, json.code]).to.deep.equal([402, 'plan_limit']);
      expect(await used()).to.include({ used: 5, limit: 5, remaining: 0 });
      // A rejected message was not sent to the model, and is in no history.
      expect(await requested()).to.equal(5);
      expect(model.asked).to.have.length(5);
    });

    it('counts them across sessions, but not failed ones', async () => {
      const { ask, post, used, asked: requested } = await owner();
      const { json: chat } = await post('/v1/chats', {});
      const turn = () => post(`/v1/chats/${chat.id}/turns`, { content: 'Who is the keeper?' });
      expect((await turn()).status).to.equal(200);
      model.plays({ refused: 500 });
      expect((await turn()).status).to.equal(502);
      expect((await ask()).status).to.equal(502);
      expect(await used()).to.include({ used: 1 });
      expect(await requested()).to.equal(3);
    });

    it('is neither used nor counted for an answer of the built-in engine, also at the limit', async () => {
      const { token, ask, post, used } = await owner();
      await Promise.all(Array.from({ length: 5 }, ask));
      expect((await ask()).json.code).to.equal('plan_limit');
      model.asked.length = 0;
      const body = { question: 'Who is the keeper?', engine: 'extractive' };
      const { status, json, text } = await post('/v1/ask', body);
      expect([status, json.engine], text).to.deep.equal([200, 'extractive']);
      const bound = await service.call('POST', '/v1/tokens', {
        token,
        body: { name: 'reader', access: 'read' },
      });
      const read = await service.call('POST', '/v1/ask', { token: bound.json.token, body });
      expect(read.json).to.include({ engine: 'extractive', session_id: null });
      expect(model.asked).to.have.length(0);
      expect(await used()).to.include({ used: 5 });
    });

    it('is neither used nor counted if an owner has a model', async () => {
      const { token, ask, used } = await owner();
      const own = await openModelService();
      own.plays({ pieces: ['My own words.'] });
      const config = { base_url: `${own.origin}/v1`, model: 'own-1b' };
      const card = await service.call('PUT', '/v1/integrations/llm', { token, body: { config } });
      if (profile === 'team') {
        // Where owners may not go, it does not become another model without a word.
        expect(card.json.status).to.equal('error');
        expect((await ask()).json.code).to.equal('upstream_failed');
        expect(model.asked).to.have.length(0);
      } else {
        for (let i = 0; i < 6; i++) expect((await ask()).json.engine).to.equal('own-1b');
        expect(own.asked.at(-1)?.headers).not.to.have.property('authorization');
      }
      expect(await used()).to.include({ used: 0 });
      await own.close();
    });
  });
