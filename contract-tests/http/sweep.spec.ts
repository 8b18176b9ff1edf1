import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { RequiredScope } from '../../core/identity/index.ts';
import { routes } from '../../adapters/http/routes/index.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import { writeAsOwner } from './bound-token.ts';
import { anAgentUndo, anImportRun } from '../samples.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';
import { tusCallOf, tusClient } from './uploads-client.ts';

const owned = routes.filter((route) => route.access === 'owner');
/** Whether a token with `access: read` may do it. */
const isReadable = (scope: RequiredScope): boolean =>
  typeof scope === 'string'
    ? scope === 'any' || scope === 'read'
    : !('all' in scope) && scope.includes('read');
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const filled = (path: string, id = MISSING) =>
  path
    .replace(':bot_id/chats/:chat_id', ':bot_id/chats/-5')
    .replace(':version', '1')
    .replace(':op', 'rotate')
    .replace(':original_start', '2026-01-06T09%3A00%3A00Z')
    .replaceAll(/:\w+/g, id);

/** Required parameters of some lists. */
const QUERIES: Readonly<Record<string, string>> = {
  search: '?q=lanterns',
  getAgenda: '?from=2026-01-01&to=2026-02-01',
  textPlaces: '?char_start=0&char_end=1',
};

const SERIES = {
  title: 'S',
  starts_at: '2026-01-05T09:00:00Z',
  ends_at: '2026-01-05T10:00:00Z',
  rrule: 'FREQ=DAILY',
};

/** A body that passes validation, for the operations that need one. */
const BODIES: Readonly<Record<string, object>> = {
  editObject: { filename: 'x.txt' },
  moveObject: { collection_id: null },
  categorizeObject: { categories: [] },
  changeObjects: { ids: [MISSING], action: 'trash' },
  answerSuggestion: { accept: true },
  saveContent: { content: 'x', base_version: 1 },
  correctText: { text: 'x', base_version: 1 },
  editTheme: { name: 'x' },
  editView: { name: 'x' },
  editCollection: { name: 'x' },
  editChat: { title: 'x' },
  createAgent: { slug: 'x', name: 'x', persona: 'x' },
  editAgent: { name: 'x' },
  addTurn: { content: 'x' },
  agentChat: { message: 'x' },
  editEvent: { title: 'x' },
  editShare: { name: 'x' },
  editBotChat: { proactive_allowed: true },
  changeOccurrence: { title: 'x' },
  editImage: { angle: 90 },
  renamePasskey: { name: 'x' },
  splitEvent: { from: '2026-01-06T09:00:00Z' },
};

/** Without the last use, which requests change. */
const tokenCards = ({ items }: { readonly items: readonly object[] }) =>
  items.map((card) => ({ ...card, last_used_at: null, last_used_network: null }));

for (const profile of profiles)
  describe(`${profile}: every route`, function () {
    this.timeout(120_000);
    let service: Service;
    let platform: MessengerService;
    before(async () => {
      platform = await openMessengerService();
      platform.group(-5n, 'Harbour');
      service = await startService(profile, {
        TRUST_PROXY: '1',
        MESSENGER_API_URL: platform.origin,
      });
    });
    after(async () => {
      await service.dispose();
      await platform.close();
    });

    /** A bot in a group. */
    const newBot = async (token: string, botToken: string): Promise<string> => {
      platform.account(botToken);
      const body = { platform: 'telegram', token: botToken };
      const { json } = await service.call('POST', '/v1/bots', { token, body });
      platform.placesBot(botToken, -5n, 'member');
      await eventually(
        () => service.call('GET', `/v1/bots/${json.id}/chats/-5`, { token }),
        ({ status }) => status === 200,
      );
      return json.id;
    };

    /** A new passkey of an owner, and a session that it has started. */
    const signInWithPasskey = async (token: string) => {
      const authenticator = new SoftwareAuthenticator(
        service.base.replace('127.0.0.1', 'localhost'),
      );
      const creation = await service.call('POST', '/v1/me/passkeys/options', { token });
      const body = { name: 'x', response: authenticator.create(creation.json) };
      const passkey = await service.call('POST', '/v1/me/passkeys', { token, body });
      const call = { token: null, headers: elsewhere() };
      const request = await service.call('POST', '/v1/sign-in/passkey/options', call);
      const response = authenticator.get(request.json);
      const path = '/v1/sign-in/passkey';
      const { json } = await service.call('POST', path, { ...call, body: { response } });
      return { passkey_id: passkey.json.id as string, session_id: json.session.id as string };
    };

    let client = 0;
    /** Failed sign-ins are counted by address, so each comes from another one. */
    const elsewhere = () => ({ 'x-forwarded-for': `10.1.${client >> 8}.${++client & 255}` });

    for (const { method, path } of owned)
      it(`401 without a good token: ${method} ${path}`, async () => {
        const good = service.token;
        for (const authorization of [
          undefined,
          'Bearer',
          'Bearer ',
          `Basic ${good}`,
          good,
          'Bearer x',
          `Bearer ${good.slice(0, -4)}____`,
        ]) {
          const answer = await service.call(method.toUpperCase(), `${filled(path)}?token=${good}`, {
            token: null,
            headers: { ...elsewhere(), ...(authorization !== undefined && { authorization }) },
          });
          expect(answer.status, String(authorization)).to.equal(401);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
          if (method === 'head') expect(answer.text).to.equal('');
          else
            expect(answer.json).to.deep.equal({
              detail: 'Not authenticated',
              code: 'unauthorized',
            });
        }
      });

    for (const { method, path } of routes.filter(({ access }) => access === 'platform'))
      it(`401 without the secret of a bot: ${method} ${path}`, async () => {
        for (const secret of [undefined, '', 'x', service.token]) {
          const answer = await service.call(method.toUpperCase(), filled(path), {
            token: secret === service.token ? secret : null,
            headers: {
              ...elsewhere(),
              ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
            },
            body: { update_id: 1 },
          });
          expect(answer.status).to.equal(401);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
          expect(answer.json).to.deep.equal({ detail: 'Not authenticated', code: 'unauthorized' });
        }
      });

    it('/health answers without a token, /health/deep with one, 503 while something is not connected', async () => {
      expect(await service.call('GET', '/health', { token: null })).to.deep.include({
        status: 200,
        json: { status: 'ok' },
      });
      const deep = await service.call('GET', '/health/deep');
      expect(deep.status).to.equal(503);
      expect(deep.json.checks.map((c: { name: string }) => c.name)).to.have.members(
        'database storage confinement queue counters search llm office messenger'.split(' '),
      );
      const failed = deep.json.checks.filter((c: { status: string }) => c.status === 'failed');
      expect(failed).to.deep.equal([]);
      // No number that includes tasks of other owners.
      const queue = deep.json.checks.find((c: { name: string }) => c.name === 'queue');
      expect(queue.detail).to.equal('The queue accepts tasks.');
    });

    it('405 with Allow for a method that a path does not know; HEAD wherever GET; 404 elsewhere', async () => {
      for (const { method, path } of routes) {
        const has = (known: string) => routes.some((it) => it.path === path && it.method === known);
        const unknown = has('options') ? 'PUT' : 'OPTIONS';
        const refused = await service.call(unknown, filled(path), { token: null });
        expect(refused.status, path).to.equal(405);
        expect(refused.headers.get('allow')).to.include(method.toUpperCase());
        if (method === 'get') {
          const [get, head] = [
            await service.call('GET', filled(path)),
            await service.call('HEAD', filled(path)),
          ];
          expect(head.status, path).to.equal(get.status);
          expect(head.text).to.equal('');
        }
      }
      for (const path of [
        '/',
        '/v1',
        '/v1/nothing',
        '/v1/objects/',
        '/V1/objects',
        '/v1/objects/%zz',
      ])
        expect((await service.call('GET', path)).status, path).to.equal(404);
    });

    it('403 for a read-only token on everything that changes something or concerns the account, but not for questions', async () => {
      const { json } = await service.call('POST', '/v1/tokens', {
        body: { name: 'r', access: 'read' },
      });
      for (const { method, path, name, scope } of owned) {
        const body = BODIES[name];
        const answer = await service.call(method.toUpperCase(), filled(path), {
          token: json.token,
          ...(body && { body }),
        });
        const mayRead = isReadable(scope);
        if (method === 'get' && mayRead)
          expect([200, 400, 404, 422, 503], path).to.include(answer.status);
        else if (name === 'ask') expect(answer.status).to.equal(422);
        else expect([403, 422], path).to.include(answer.status);
        if (answer.status === 403 && method !== 'head')
          expect(answer.json.code).to.equal('forbidden');
      }
    });

    it('404 for resources of another owner, the same as for missing ones, and nothing changes', async () => {
      const mate = await service.newOwner();
      const token = mate.token;
      const note = await service.call('POST', '/v1/objects/notes', {
        token,
        body: { content: 'mine alone' },
      });
      await service.settled(note.json.id, { token });
      const make = async (path: string, body: object): Promise<string> =>
        (await service.call('POST', path, { token, body })).json.id;
      const ids: Record<string, string> = {
        object_id: note.json.id,
        theme_id: await make('/v1/themes', { name: 'T' }),
        collection_id: await make('/v1/collections', { name: 'C' }),
        chat_id: await make('/v1/chats', { title: 'S' }),
        token_id: await make('/v1/tokens', { name: 'K' }),
        event_id: await make('/v1/calendar/events', SERIES),
        bot_id: await newBot(token, '771:AAF-foreign'),
        view_id: await make('/v1/views', { name: 'V', filters: {} }),
        upload_id: (await tusClient(service, token).begin(3)).split('/').at(-1) ?? '',
        share_id: await make('/v1/shares', { kind: 'file', resource_id: note.json.id }),
        ...(await signInWithPasskey(token)),
        notification_id: (await service.call('GET', '/v1/notifications', { token })).json.items[0]
          .id,
        task_id: (await service.call('POST', '/v1/objects/reorganize', { token, body: {} })).json
          .task_id,
      };
      const undo = anAgentUndo({ sessionId: ids['chat_id']!, expiresAt: Date.now() + 3_600_000 });
      await writeAsOwner(service, token, ({ agentUndos }) => agentUndos.save(undo));
      ids['undo_id'] = undo.id;
      const run = anImportRun({ createdAt: Date.now(), state: 'done' });
      await writeAsOwner(service, token, ({ importRuns }) => importRuns.save(run));
      ids['import_id'] = run.id;
      await eventually(
        () => service.call('GET', `/v1/objects/reorganize/${ids['task_id']}`, { token }),
        ({ json }) => json.done,
      );
      const victim = async () =>
        JSON.stringify([
          (await service.call('GET', `/v1/objects/${ids['object_id']}`, { token })).json,
          (await service.call('GET', '/v1/themes', { token })).json,
          (await service.call('GET', '/v1/collections', { token })).json,
          (await service.call('GET', '/v1/views', { token })).json,
          (await service.call('GET', '/v1/chats', { token })).json,
          tokenCards((await service.call('GET', '/v1/tokens', { token })).json),
          (await service.call('GET', '/v1/calendar/events', { token })).json,
          (await service.call('GET', `/v1/calendar/agenda${QUERIES['getAgenda']}`, { token })).json,
          (await service.call('GET', '/v1/notifications', { token })).json,
          (await service.call('GET', '/v1/shares', { token })).json,
          (await service.call('GET', '/v1/me/passkeys', { token })).json,
          (await service.call('GET', '/v1/sessions', { token })).json,
          (await service.call('GET', '/v1/bots', { token })).json,
          (await service.call('GET', '/v1/imports', { token })).json,
          (await service.call('GET', `/v1/bots/${ids['bot_id']}/chats/-5`, { token })).json,
        ]);
      const before = await victim();
      for (const route of owned.filter(({ path }) => /_id\b/.test(path))) {
        const { method, path, name } = route;
        const param = /:(\w+_id)/.exec(path)?.[1] ?? '';
        const send = async (id: string): Promise<Answer> => {
          const form = new FormData();
          form.append('file', new Blob(['x']), 'x.txt');
          form.append('base_version', '1');
          const body = BODIES[name];
          const sent =
            name === 'uploadContent' ? { raw: form } : body ? { body } : tusCallOf(route);
          return service.call(
            method.toUpperCase(),
            `${filled(path, id)}${QUERIES[name] ?? ''}`,
            sent,
          );
        };
        const [foreign, missing] = [await send(ids[param] ?? ''), await send(MISSING)];
        expect(foreign.status, `${method} ${path}`).to.equal(404);
        expect(foreign.text).to.equal(missing.text);
        expect([...foreign.headers.keys()]).to.deep.equal([...missing.headers.keys()]);
      }
      expect(await victim()).to.equal(before);
    });

    it('responds as described in its OpenAPI document', async () => {
      const document = (await service.call('GET', '/v1/openapi.json')).json;
      expect(document.openapi).to.match(/^3\.1/);
      const ajv = new Ajv2020({ strict: false, validateFormats: true });
      (addFormats as unknown as (a: Ajv2020) => void)(ajv);
      ajv.addSchema({ ...document, $id: 'document' });
      const up = await service.upload('a.txt', 'Lanterns are lit at dusk. The harbour sleeps.');
      const id: string = up.json.items[0].id;
      await service.settled(id);
      const chat = await service.call('POST', '/v1/ask', {
        body: { question: 'When are lanterns lit?' },
      });
      const folder = await service.call('POST', '/v1/collections', { body: { name: 'F' } });
      const run = await service.call('POST', '/v1/objects/reorganize', { body: { dry_run: true } });
      const series = await service.call('POST', '/v1/calendar/events', { body: SERIES });
      const share = await service.call('POST', '/v1/shares', {
        body: { kind: 'folder', resource_id: folder.json.id },
      });
      const ids: Record<string, string> = {
        bot_id: await newBot(service.token, '772:AAF-own'),
        share_id: share.json.id,
        task_id: run.json.task_id,
        event_id: series.json.id,
        object_id: id,
        chat_id: chat.json.session_id,
        collection_id: folder.json.id,
        slug: 'assistant',
      };
      for (const route of owned.filter(
        ({ method, reply }) => method === 'get' && 'json' in reply,
      )) {
        const path = route.path
          .replace(':bot_id/chats/:chat_id', ':bot_id/chats/-5')
          .replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? MISSING);
        const answer = await service.call('GET', `${path}${QUERIES[route.name] ?? ''}`);
        const pointer = route.path
          .replaceAll(/:(\w+)/g, '{$1}')
          .replaceAll('~', '~0')
          .replaceAll('/', '~1');
        const where = `document#/paths/${encodeURIComponent(pointer).replaceAll('%7E', '~')}/get/responses/${answer.status}/content/application~1json/schema`;
        const validate = ajv.getSchema(where);
        expect(validate, where).not.to.equal(undefined);
        expect(validate?.(answer.json), `${path}: ${ajv.errorsText(validate?.errors)}`).to.equal(
          true,
        );
      }
    });
  });
