import { expect } from 'chai';
import { chunk, openModelService, streaming, type ModelService } from '../fake-model-server.ts';
import { openStream, type Stream } from './sse-client.ts';
import {
  eventually,
  profiles,
  startService,
  type Answer,
  type Call,
  type Service,
} from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
type ToolCalls = readonly (readonly [tool: string, given: object])[];

for (const profile of profiles)
  describe(`${profile}: undo of steps of the agent`, function () {
    this.timeout(120_000);
    let service: Service;
    let model: ModelService;
    let tenant: string;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, { OUTBOUND_ALLOW: `127.0.0.1:${model.port}` });
      tenant = (await service.call('GET', '/v1/me')).json.tenant.name;
    });
    after(async () => {
      await service.dispose();
      await model.close();
    });

    /** The model makes these calls once, then answers. Requests that are not of the agent get an empty answer. */
    const plays = (
      calls: ToolCalls | (() => Promise<ToolCalls>),
      answers: 'then' | 'never' = 'then',
    ) => {
      let requests = 0;
      model.plays((response, question) => {
        response.writeHead(200, streaming);
        const isAgent = /^You are the agent/.test(question.body.messages[0].content);
        if (isAgent && ++requests > 1 && answers === 'never') return;
        if (!isAgent || requests > 1) return void response.end(chunk({ content: 'Done.' }, 'stop'));
        void Promise.resolve(typeof calls === 'function' ? calls() : calls).then((made) => {
          for (const [index, [name, given]] of made.entries()) {
            const call = { name, arguments: JSON.stringify(given) };
            const created = { index, id: `c${index}`, type: 'function', function: call };
            response.write(chunk({ tool_calls: [created] }));
          }
          response.end(chunk({}, 'tool_calls'));
        });
      });
    };
    const owner = async () => {
      model.plays({ pieces: ['ready'] });
      const { token } = await service.newOwner('unlimited', tenant);
      const call = (
        method: string,
        path: string,
        body?: object,
        over: Call = {},
      ): Promise<Answer> => service.call(method, path, { token, ...over, ...(body && { body }) });
      await call('PUT', '/v1/integrations/llm', {
        config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', context_tokens: 32_000 },
      });
      await call('POST', '/v1/agents/custom', {
        slug: 'all',
        name: 'All',
        persona: 'You tidy up.',
        toolsets: ['objects', 'notes', 'calendar', 'organize'],
      });
      const note = async (title: string): Promise<string> => {
        const { json } = await call('POST', '/v1/objects/notes', { content: 'lantern', title });
        await service.settled(json.id, { token });
        return json.id;
      };
      const run = async (calls: Parameters<typeof plays>[0]): Promise<Stream> => {
        plays(calls);
        const authorization = `Bearer ${token}`;
        const stream = await openStream(
          service,
          '/v1/agent/chat',
          { message: 'Do it', role: 'all' },
          {
            accept: '*/*',
            authorization,
          },
        );
        await stream.ended;
        return stream;
      };
      const undo = (id: string, over: Call = {}) =>
        call('POST', `/v1/agent/steps/${id}/undo`, undefined, over);
      const redo = (id: string, over: Call = {}) =>
        call('POST', `/v1/agent/steps/${id}/redo`, undefined, over);
      return { token, call, note, run, undo, redo };
    };
    const steps = ({ events }: Stream) =>
      events.filter(({ event }) => event === 'step').map(({ data }) => data);
    const sessionOf = ({ events }: Stream): string => events[0]!.data.session_id;

    it('restores a name and a folder, and trashes a note, step by step', async () => {
      const { call, note, run, undo, redo } = await owner();
      let folder = '';
      const id = await note('Lantern');
      const before = (await call('GET', `/v1/objects/${id}`)).json;
      const stream = await run(async () => {
        // Made during the run: the name of a folder in the prompt would taint it.
        folder = (await call('POST', '/v1/collections', { name: 'Papers' })).json.id;
        return [
          ['search_objects', { query: 'nothing like this' }],
          ['rename_object', { object_id: id, filename: 'Lamp.md' }],
          ['move_object', { object_id: id, collection_id: folder }],
          ['create_note', { content: 'Buy oil', title: 'Oil' }],
          [
            'create_event',
            {
              title: 'Dentist',
              starts_at: '2030-02-01T09:00:00Z',
              ends_at: '2030-02-01T10:00:00Z',
            },
          ],
        ];
      });
      const [searched, ...changed] = steps(stream);
      expect(searched).not.to.have.property('undo');
      const undos = changed.map((step) => step.undo as string);
      expect(undos).to.have.length(4);
      expect(searched).not.to.have.property('change');
      expect(changed.map((step) => step.change)).to.deep.equal([
        { kind: 'name', before: 'Lantern.md', after: 'Lamp.md' },
        { kind: 'folder', name: 'Lamp.md', before: null, after: 'Papers' },
        { kind: 'note', name: 'Oil.md', folder: null },
        {
          kind: 'event',
          name: 'Dentist',
          starts_at: '2030-02-01T09:00:00.000Z',
          ends_at: '2030-02-01T10:00:00.000Z',
          all_day: false,
        },
      ]);
      for (const each of undos) expect(each).to.match(/^[0-9a-f-]{36}$/);
      const session = `/v1/chats/${sessionOf(stream)}`;
      const shown = async () => (await call('GET', session)).json.messages[1].steps;
      expect(await shown()).to.deep.equal(steps(stream));
      const oil = stream.events
        .at(-1)!
        .data.objects.find(({ filename }: { filename: string }) => filename === 'Oil.md').object_id;

      const outcomes: Answer['json'][] = [];
      for (const each of undos.toReversed()) {
        const { status, json } = await undo(each);
        expect(status, JSON.stringify(json)).to.equal(200);
        outcomes.push(json);
      }
      expect(outcomes.map(({ undone }) => undone)).to.deep.equal([true, true, true, true]);
      expect(outcomes.map(({ object_ids }) => object_ids)).to.deep.equal([[], [oil], [id], [id]]);
      expect(outcomes[0].event_ids).to.have.length(1);
      const after = (await call('GET', `/v1/objects/${id}`)).json;
      expect(after).to.deep.equal({ ...before, updated_at: after.updated_at });
      expect((await call('GET', `/v1/objects/${oil}`)).json.deleted_at).not.to.equal(null);
      expect((await call('GET', '/v1/calendar/events')).json.total).to.equal(0);
      const now = await shown();
      expect(now.map((step: object) => 'undo' in step)).to.deep.equal(Array(5).fill(false));
      expect(now.map(({ undone }: { undone?: boolean }) => undone === true)).to.deep.equal([
        false,
        true,
        true,
        true,
        true,
      ]);
      expect(now.map((step: { redo?: string }) => step.redo)).to.deep.equal([undefined, ...undos]);

      const repeated: Answer['json'][] = [];
      for (const each of undos) {
        const { status, json } = await redo(each);
        expect(status, JSON.stringify(json)).to.equal(200);
        repeated.push(json);
      }
      expect(repeated).to.deep.equal(
        outcomes.toReversed().map((outcome) => ({ ...outcome, undone: false })),
      );
      const redone = (await call('GET', `/v1/objects/${id}`)).json;
      expect(redone).to.include({ filename: 'Lamp.md', collection_id: folder });
      expect((await call('GET', `/v1/objects/${oil}`)).json.deleted_at).to.equal(null);
      const events = (await call('GET', '/v1/calendar/events')).json.items;
      expect(
        events.map((event: { id: string; title: string }) => [event.id, event.title]),
      ).to.deep.equal([[outcomes[0].event_ids[0], 'Dentist']]);
      expect(await shown()).to.deep.equal(steps(stream));
      for (const each of undos.toReversed()) expect((await undo(each)).status).to.equal(200);
      expect(await shown()).to.deep.equal(now);
    });

    it('can be redone once, by its owner with the scope of the tool, unless it was changed since', async () => {
      const { note, run, undo, redo, call } = await owner();
      const id = await note('Lantern');
      const [{ undo: step }] = steps(
        await run([['rename_object', { object_id: id, filename: 'Lamp.md' }]]),
      );
      const missing = (await redo(MISSING)).text;
      const early = await redo(step);
      expect([early.status, early.text]).to.deep.equal([404, missing]);
      await undo(step);
      const other = await owner();
      expect((await other.redo(step)).status).to.equal(404);
      const { json } = await call('POST', '/v1/tokens', { name: 'asks', scopes: ['ask'] });
      expect((await redo(step, { token: json.token })).json.code).to.equal('forbidden');
      await call('PATCH', `/v1/objects/${id}`, { filename: 'Mine.md' });
      const changed = await redo(step);
      expect([changed.status, changed.json.code]).to.deep.equal([409, 'changed_since']);
      await call('PATCH', `/v1/objects/${id}`, { filename: 'Lantern.md' });
      await call('DELETE', `/v1/objects/${id}`);
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      const open = { headers: { 'x-hidden-token': pin.json.token } };
      await call('POST', `/v1/objects/${id}/restore`, undefined, open);
      await call('PATCH', `/v1/objects/${id}`, { is_hidden: true }, open);
      const locked = await redo(step);
      expect([locked.status, locked.text]).to.deep.equal([404, missing]);
    });

    it('is once, unless the request is repeated with its key, and survives the end of the process', async () => {
      const { note, run, undo, call } = await owner();
      const id = await note('Lantern');
      const stream = await run([['rename_object', { object_id: id, filename: 'Lamp.md' }]]);
      const [{ undo: step }] = steps(stream);
      service = await service.restart('SIGKILL');
      const key = { headers: { 'idempotency-key': 'once' } };
      const first = await undo(step, key);
      expect(first.status, first.text).to.equal(200);
      const again = await undo(step, key);
      expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([
        first.text,
        'true',
      ]);
      const used = await undo(step);
      expect([used.status, used.text]).to.deep.equal([404, (await undo(MISSING)).text]);
      expect((await call('GET', `/v1/objects/${id}`)).json.filename).to.equal('Lantern.md');
    });

    it('is possible with the id of the stream after the process was killed in the middle of the run', async () => {
      const { token, note, undo, call } = await owner();
      const id = await note('Lantern');
      plays([['rename_object', { object_id: id, filename: 'Lamp.md' }]], 'never');
      const stream = await openStream(
        service,
        '/v1/agent/chat',
        { message: 'Do it', role: 'all' },
        { accept: '*/*', authorization: `Bearer ${token}` },
      );
      const [step] = await eventually(
        () => Promise.resolve(steps(stream)),
        ({ length }) => length === 1,
      );
      service = await service.restart('SIGKILL');
      const object = async () => (await call('GET', `/v1/objects/${id}`)).json.filename;
      expect(await object()).to.equal('Lamp.md');
      const session = (await call('GET', `/v1/chats/${sessionOf(stream)}`)).json;
      expect(session.messages.map(({ role }: { role: string }) => role)).to.deep.equal(['user']);
      expect((await undo(step.undo)).status).to.equal(200);
      expect(await object()).to.equal('Lantern.md');
    });

    it('rejects what was changed since, other owners, and tokens without the scope', async () => {
      const { note, run, undo, call } = await owner();
      const id = await note('Lantern');
      const [{ undo: step }] = steps(
        await run([['rename_object', { object_id: id, filename: 'Lamp.md' }]]),
      );
      const other = await owner();
      expect((await other.undo(step)).status).to.equal(404);
      const { json } = await call('POST', '/v1/tokens', { name: 'asks', scopes: ['ask'] });
      const refused = await undo(step, { token: json.token });
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'forbidden']);
      expect(refused.json.detail).to.include('`write`');
      await call('PATCH', `/v1/objects/${id}`, { filename: 'Mine.md' });
      const changed = await undo(step);
      expect([changed.status, changed.json.code]).to.deep.equal([409, 'changed_since']);
      expect((await call('GET', `/v1/objects/${id}`)).json.filename).to.equal('Mine.md');
    });

    it('is 404 while the hidden zone conceals the object', async () => {
      const { note, run, undo, call } = await owner();
      const id = await note('Lantern');
      const [{ undo: step }] = steps(
        await run([['rename_object', { object_id: id, filename: 'Lamp.md' }]]),
      );
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      const open = { headers: { 'x-hidden-token': pin.json.token } };
      await call('PATCH', `/v1/objects/${id}`, { is_hidden: true }, open);
      const [locked, missing] = [await undo(step), await undo(MISSING)];
      expect([locked.status, locked.text]).to.deep.equal([404, missing.text]);
      const key = { 'idempotency-key': 'hidden' };
      const opened = { headers: { ...open.headers, ...key } };
      const first = await undo(step, opened);
      expect(first.status, first.text).to.equal(200);
      expect((await undo(step, opened)).text).to.equal(first.text);
      const replayed = await undo(step, { headers: key });
      expect(replayed.status).not.to.equal(200);
      expect(replayed.text).not.to.include(id);
      expect((await call('GET', `/v1/objects/${id}`, undefined, open)).json.filename).to.equal(
        'Lantern.md',
      );
    });
  });
