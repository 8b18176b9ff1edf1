import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { profiles, startService, type Service } from './harness.ts';

const SECRET = 'sk-Zq9_never-to-be-seen-4711';
const HIDDEN = [SECRET, btoa(SECRET), Buffer.from(SECRET).toString('base64url'), 'never-to-be'];
const EMPTY = {
  configured: false,
  enabled: false,
  status: 'not_configured',
  checked_at: '',
  last_error: '',
  last_error_code: null,
  last_error_fact: '',
  secret_hint: '',
  config: {},
  migration: {},
};
const IDLE = {
  status: 'idle',
  direction: 'out',
  total: 0,
  moved: 0,
  failed: 0,
  remaining: 0,
  started_at: '',
  finished_at: '',
  error: '',
  error_code: null,
  error_fact: '',
};

for (const profile of profiles)
  describe(`${profile}: integrations`, function () {
    this.timeout(120_000);
    let service: Service;
    let model: ModelService;
    /** Reachable, and not allowed in the team profile. */
    let canary: ModelService;
    before(async () => {
      model = await openModelService();
      canary = await openModelService();
      service = await startService(profile, {
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
        LOG_LEVEL: 'info',
      });
    });
    after(async () => {
      await service.dispose();
      await model.close();
      await canary.close();
    });
    beforeEach(() => {
      model.plays({ pieces: ['ready'] });
      model.asked.length = 0;
    });

    /** An owner without integrations. */
    const owner = async () => {
      const { token } = await service.newOwner();
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await service.call(method, `/v1/integrations${path}`, {
          token,
          ...(body !== undefined && { body }),
        });
        for (const hidden of HIDDEN) expect(answer.text).not.to.include(hidden);
        return answer;
      };
      const connect = (over: object = {}, more: object = { secret: SECRET }) =>
        call('PUT', '/llm', {
          config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', ...over },
          ...more,
        });
      return { token, call, connect };
    };

    it('are two cards always', async () => {
      const { call } = await owner();
      expect((await call('GET', '')).json).to.deep.equal({
        items: [
          { kind: 'llm', ...EMPTY },
          { kind: 's3', ...EMPTY, migration: IDLE },
        ],
        total: 2,
      });
      expect((await call('GET', '/llm')).json).to.deep.equal({ kind: 'llm', ...EMPTY });
      const bucket = (await call('GET', '/s3')).json;
      expect(bucket).to.deep.equal({ kind: 's3', ...EMPTY, migration: IDLE });
    });

    it('of a model are made, shown, checked, switched off and on, and forgotten', async () => {
      const { call, connect } = await owner();
      const settings = { temperature: 0.25, context_tokens: 8192, embedding_model: 'words' };
      const created = await connect({ ...settings, unknown: 1 });
      expect(created.status, created.text).to.equal(200);
      const { checked_at: checkedAt, ...card } = created.json;
      expect(checkedAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(card).to.deep.equal({
        kind: 'llm',
        configured: true,
        enabled: true,
        status: 'ok',
        last_error: '',
        last_error_code: null,
        last_error_fact: '',
        secret_hint: '4711',
        config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', ...settings },
        migration: {},
      });
      expect((await call('GET', '/llm')).json).to.deep.equal(created.json);
      expect((await call('GET', '')).json.items[0]).to.deep.equal(created.json);
      expect(model.asked[0]?.headers.authorization).to.equal(`Bearer ${SECRET}`);

      const off = await call('PATCH', '/llm', { enabled: false });
      expect(off.json).to.deep.equal({ ...created.json, enabled: false, status: 'disabled' });
      expect((await call('PATCH', '/llm', { enabled: true })).json).to.deep.equal(created.json);
      expect(model.asked).to.have.length(1);
      expect((await call('POST', '/llm/check')).json).to.include({ status: 'ok' });
      expect(model.asked).to.have.length(2);

      // A key is often pasted with blanks or a line break.
      expect((await connect({}, { secret: ` ${SECRET}\r\n` })).json.secret_hint).to.equal('4711');
      expect(model.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${SECRET}`);

      expect((await call('DELETE', '/llm')).json).to.deep.equal({ deleted: true });
      expect((await call('GET', '/llm')).json).to.deep.equal({ kind: 'llm', ...EMPTY });
      expect((await call('DELETE', '/llm')).status).to.equal(404);
      expect((await connect({}, {})).json.secret_hint).to.equal('');
      expect(model.asked.at(-1)?.headers).not.to.have.property('authorization');
    });

    it('that fail their check return 200 with a reason, without text of the server', async () => {
      const { call, connect } = await owner();
      for (const [play, reported] of [
        [{ refused: 401 }, /key \(status 401\)/],
        [{ refused: 500 }, /\(status 500\)/],
        [{ pieces: [], then: 'cut' }, /cannot be read|cut off/],
      ] as const) {
        model.plays(play);
        const { status, json } = await connect();
        expect([status, json.status, json.enabled]).to.deep.equal([200, 'error', true]);
        expect(json.last_error).to.match(reported);
      }
      model.plays((response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${SECRET}`);
      });
      expect((await call('POST', '/llm/check')).json.last_error).to.match(/is not a model/);
      model.plays({ pieces: ['ready'] });
      expect((await call('POST', '/llm/check')).json).to.include({ status: 'ok', last_error: '' });
    });

    it('notify their owner when a model stops responding', async () => {
      const { token, call, connect } = await owner();
      await connect();
      model.plays({ refused: 503 });
      await call('POST', '/llm/check');
      const { json, text } = await service.call('GET', '/v1/notifications', { token });
      expect(json.items).to.have.length(1);
      expect(json.items[0]).to.deep.include({
        kind: 'integration.failed',
        payload: { kind: 'llm', error_code: 'server_error', error_fact: '503' },
      });
      for (const hidden of HIDDEN) expect(text).not.to.include(hidden);
    });

    it('send a stored secret to no other address', async () => {
      const { connect } = await owner();
      await connect();
      const other = await openModelService();
      const moved = await connect({ base_url: `${other.origin}/v1` }, {});
      expect(moved.json.secret_hint).to.equal('');
      await connect({}, {});
      for (const { headers } of [...other.asked, ...model.asked.slice(1)])
        expect(headers).not.to.have.property('authorization');
      expect(model.asked).to.have.length(2);
      await other.close();
    });

    it('lead to private addresses in the profile of one machine only', async () => {
      const { connect } = await owner();
      const alone = profile === 'standalone';
      for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', 'localhost']) {
        const { json } = await connect({ base_url: `http://${host}:${canary.port}/v1` });
        expect(json.status, host).to.equal(alone ? 'ok' : 'error');
        if (!alone) expect(json.last_error).to.match(/does not connect to/);
      }
      for (const host of ['0', '169.254.169.254', '[64:ff9b::7f00:1]', '[::127.0.0.1]', '０']) {
        const { json } = await connect({ base_url: `http://${host}:${canary.port}/v1` });
        expect(json.status, host).to.equal('error');
        expect(json.last_error).to.match(/does not connect to/);
      }
      expect(canary.visits()).to.equal(alone ? 5 : 0);
    });

    it('are rejected field by field, and a response never repeats a secret', async () => {
      const { call } = await owner();
      const config = { base_url: `${model.origin}/v1`, model: 'm' };
      for (const [body, loc, type] of [
        [{ secret: SECRET }, ['body', 'config'], 'missing'],
        [{ config: 'x', secret: SECRET }, ['body', 'config'], 'model_attributes_type'],
        [{ config: { model: 'm' }, secret: SECRET }, ['body', 'config', 'base_url'], 'missing'],
        [{ config: { base_url: config.base_url } }, ['body', 'config', 'model'], 'missing'],
        [{ config: { ...config, model: '' } }, ['body', 'config', 'model'], 'string_too_short'],
        [
          { config: { ...config, model: 'm'.repeat(201) } },
          ['body', 'config', 'model'],
          'string_too_long',
        ],
        [
          { config: { ...config, temperature: 2.1 } },
          ['body', 'config', 'temperature'],
          'less_than_equal',
        ],
        [
          { config: { ...config, context_tokens: 511 } },
          ['body', 'config', 'context_tokens'],
          'greater_than_equal',
        ],
        [
          { config: { ...config, context_tokens: 2_000_001 } },
          ['body', 'config', 'context_tokens'],
          'less_than_equal',
        ],
        [
          { config: { ...config, embedding_model: 5 } },
          ['body', 'config', 'embedding_model'],
          'string_type',
        ],
        [{ config, secret: `${SECRET}\n${SECRET}` }, ['body', 'secret'], 'string_pattern_mismatch'],
        [{ config, secret: `${SECRET} ключ` }, ['body', 'secret'], 'string_pattern_mismatch'],
        [{ config, secret: SECRET.repeat(200) }, ['body', 'secret'], 'string_too_long'],
        [{ config, secret: [SECRET] }, ['body', 'secret'], 'string_type'],
        ...['file:///etc/passwd', 'data:text/plain,x', 'gopher://h/'].map(
          (base_url) =>
            [
              { config: { ...config, base_url } },
              ['body', 'config', 'base_url'],
              'url_scheme',
            ] as const,
        ),
        [
          { config: { ...config, base_url: 'models' } },
          ['body', 'config', 'base_url'],
          'url_parsing',
        ],
        ...[
          `http://user:${SECRET}@h/v1`,
          `http://${SECRET}@h/`,
          `http://h/v1?key=${SECRET}`,
          `http://h/v1#${SECRET}`,
        ].map(
          (base_url) =>
            [
              { config: { ...config, base_url } },
              ['body', 'config', 'base_url'],
              'value_error',
            ] as const,
        ),
      ] as const) {
        const answer = await call('PUT', '/llm', body);
        expect(answer.status, JSON.stringify(body)).to.equal(422);
        expect(answer.json.detail[0], answer.text).to.deep.include({ loc, type });
      }
      expect(model.asked).to.deep.equal([]);
      expect((await call('GET', '/llm')).json.configured).to.equal(false);
    });

    it('that do not exist: 404 for an unknown kind, 409 for a kind that is not connected', async () => {
      const { call } = await owner();
      const config = { base_url: `${model.origin}/v1`, model: 'm' };
      for (const [method, path, body] of [
        ['GET', '/other', undefined],
        ['PUT', '/other', { config }],
        ['PATCH', '/other', { enabled: true }],
        ['DELETE', '/other', undefined],
        ['POST', '/other/check', undefined],
        ['GET', '/LLM', undefined],
        ['GET', '/constructor', undefined],
        ['DELETE', '/llm', undefined],
        ['DELETE', '/s3', undefined],
      ] as const) {
        const { status, json } = await call(method, path, body);
        expect([status, json.code], `${method} ${path}`).to.deep.equal([404, 'not_found']);
      }
      for (const kind of ['llm', 's3'])
        for (const [method, path, body] of [
          ['PATCH', `/${kind}`, { enabled: true }],
          ['POST', `/${kind}/check`, undefined],
        ] as const) {
          const { status, json } = await call(method, path, body);
          expect([status, json.code], `${method} ${path}`).to.deep.equal([409, 'not_configured']);
        }
      const wrong = await call('POST', '/llm');
      expect([wrong.status, wrong.headers.get('allow')]).to.deep.equal([
        405,
        'PUT, GET, HEAD, PATCH, DELETE',
      ]);
    });

    it('are re-encrypted when the key is changed', async () => {
      const { token, connect } = await owner();
      await connect();
      await service.stop();
      const file = join(service.dataDir, 'secret.key');
      const old = (await readFile(file, 'utf8')).trim();
      await rm(file);
      const first = await service.cli('secrets', 'rotate', '--from', old);
      expect(first).to.deep.include({ current: 0, lost: 0 });
      expect(first.rotated).to.be.at.least(1);
      const again = await service.cli('secrets', 'rotate', '--from', old);
      expect(again).to.deep.equal({ rotated: 0, current: first.rotated, lost: 0 });
      service = await service.restart();
      const path = '/v1/integrations/llm/check';
      expect((await service.call('POST', path, { token })).json.status).to.equal('ok');
      expect(model.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${SECRET}`);
    });

    it('survive a restart, and leave their secret in no log, no export and no file', async () => {
      const { token, connect } = await owner();
      await connect();
      model.plays({ refused: 401 });
      await connect();
      const exported = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const bytes = Buffer.from(await exported.arrayBuffer()).toString('latin1');
      const log = service.logged();
      service = await service.restart();
      model.plays({ pieces: ['ready'] });
      const path = '/v1/integrations/llm/check';
      expect((await service.call('POST', path, { token })).json.status).to.equal('ok');
      expect(model.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${SECRET}`);
      const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
      const contents = await Promise.all(
        files
          .filter((entry) => entry.isFile())
          .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
      );
      for (const text of [bytes, log, service.logged(), ...contents])
        for (const hidden of HIDDEN) expect(text.includes(hidden)).to.equal(false);
    });
  });
