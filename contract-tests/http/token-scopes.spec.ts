import { expect } from 'chai';
import { routes } from '../../adapters/http/routes/index.ts';
import type { RequiredScope } from '../../core/identity/index.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../ports/identity.ts';
import { filesOf } from '../core/transfer-fixture.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { readContract, type Contract, type Operation } from '../fuzz/contract.ts';
import { bodyBytes, targetOf, type Draft } from '../fuzz/draft.ts';
import { Pool } from '../fuzz/pool.ts';
import { Random } from '../fuzz/random.ts';
import { validRequest } from '../fuzz/requests.ts';
import { KNOWN } from '../fuzz/world.ts';
import { profiles, startService, type Answer, type Service } from './harness.ts';
import { openStream } from './sse-client.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const owned = routes.filter((route) => route.access === 'owner');
/** Random requests of an operation until one is valid. */
const MAX_DRAFTS = 60;

/** Values that work for further fields. No server listens at the address. */
const MORE_KNOWN = {
  from: ['2026-01-01'],
  to: ['2026-02-01'],
  url: ['http://127.0.0.1:1/'],
  password: ['lanterns of a quiet harbour'],
};

/** A token and its rights. */
interface Limited {
  readonly title: string;
  readonly scopes: readonly TokenScope[];
  readonly mayStoreHistory: boolean;
  readonly token: string;
}

/** The scopes that a 403 has to name, by the table of routes; undefined if the operation is allowed. */
function expectedScopes(
  { scopes }: Pick<Limited, 'scopes'>,
  required: RequiredScope,
): readonly TokenScope[] | undefined {
  if (required === 'any') return undefined;
  if (required !== 'unrestricted' && typeof required === 'string')
    return scopes.includes(required) ? undefined : [required];
  if (required === 'unrestricted' || 'all' in required) {
    const all = required === 'unrestricted' ? TOKEN_SCOPES : required.all;
    const missing = all.filter((each) => !scopes.includes(each));
    return missing.length === 0 ? undefined : missing;
  }
  return required.some((each) => scopes.includes(each)) ? undefined : required;
}

const scopesNamed = ({ json }: Answer): readonly string[] =>
  /needs/.test(json?.detail)
    ? [...String(json.detail).matchAll(/`(\w+)`/g)].map(([, it]) => it!)
    : [];

for (const profile of profiles)
  describe(`${profile}: tokens with scopes`, function () {
    this.timeout(120_000);
    let service: Service;
    let platform: MessengerService;
    let contract: Contract;
    before(async () => {
      platform = await openMessengerService();
      service = await startService(profile, {
        TRUST_PROXY: '1',
        MESSENGER_API_URL: platform.origin,
      });
      contract = readContract((await service.call('GET', '/v1/openapi.json')).json);
    });
    after(async () => {
      await service.dispose();
      await platform.close();
    });

    const post = (path: string, body: object, token = service.token, headers = {}) =>
      service.call('POST', path, { token, body, headers });
    const issue = async (body: object, token = service.token): Promise<Answer['json']> => {
      const answer = await post('/v1/tokens', { name: 'scoped', ...body }, token);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };

    describe('an operation', () => {
      const limited: Limited[] = [];
      before(async () => {
        const { token: owner } = await service.newOwner();
        const add = async (title: string, body: object, scopes: readonly TokenScope[]) => {
          const { token } = await issue(body, owner);
          limited.push({ title, scopes, mayStoreHistory: !('access' in body), token });
        };
        await add('read access', { access: 'read' }, ['read', 'ask']);
        for (const scope of TOKEN_SCOPES) {
          await add(scope, { scopes: [scope] }, [scope]);
          const others = TOKEN_SCOPES.filter((each) => each !== scope);
          await add(`all but ${scope}`, { scopes: others }, others);
        }
      });

      const send = async (draft: Draft, token: string): Promise<Answer> => {
        const headers = draft.headers.filter(([name]) => !/^(host|authorization)$/i.test(name));
        const bytes = bodyBytes(draft);
        return service.call(draft.method, targetOf(draft), {
          token,
          headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
          ...(draft.body.kind !== 'none' && { raw: new Uint8Array(bytes) }),
        });
      };

      /** A request that passes validation: it is 403 for a token that may not do it. */
      const validDraft = async (operation: Operation, refused: Limited): Promise<Draft> => {
        let last: Answer | undefined;
        for (let nth = 0; nth < MAX_DRAFTS; nth++) {
          const random = new Random('token scopes', operation.id, nth);
          const pool = new Pool(new Map(), []);
          const known = { ...KNOWN, ...MORE_KNOWN };
          const sender = { token: refused.token, host: 'x', address: '10.1.1.1' };
          const draft = validRequest({ contract, pool, random, known }, operation, sender);
          last = await send(draft, refused.token);
          if (last.status !== 422) return draft;
        }
        throw new Error(`No valid request of ${operation.id} was found: ${last?.text}`);
      };

      for (const { name, scope, storesHistory } of owned)
        it(`${name} is allowed for ${JSON.stringify(scope)} only`, async () => {
          const operation = contract.operations.find(({ id }) => id === name);
          if (!operation || scope === undefined) throw new Error(`${name} is not documented.`);
          const isRefused = (it: Limited) =>
            expectedScopes(it, scope) !== undefined || (storesHistory && !it.mayStoreHistory);
          const refused = limited.filter(isRefused);
          const [first = limited[0]!] = refused;
          const draft = await validDraft(operation, first);
          await Promise.all(
            limited.map(async (each) => {
              const answer = await send(draft, each.token);
              const { status, json, text } = answer;
              const expected = expectedScopes(each, scope);
              if (!refused.includes(each)) {
                expect(status, text).not.to.equal(401);
                expect(scopesNamed(answer), `${each.title}: ${text}`).to.deep.equal([]);
                return;
              }
              // No response to HEAD has a body.
              if (draft.method === 'HEAD') return void expect(status).to.equal(403);
              expect([status, json?.code], `${each.title}: ${text}`).to.deep.equal([
                403,
                'forbidden',
              ]);
              if (expected) expect(scopesNamed(answer), each.title).to.deep.equal([...expected]);
              else expect(json.detail).to.include('store conversations');
            }),
          );
        });

      it('documents its scopes as roles of the requirement', async () => {
        const { paths } = (await service.call('GET', '/v1/openapi.json')).json;
        for (const { path, method, name, scope } of owned) {
          const { security, description = '' } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method];
          const roles = security.flatMap((each: object) => ('bearer' in each ? [each.bearer] : []));
          const expected =
            scope === 'any' || scope === undefined
              ? [[]]
              : scope === 'unrestricted'
                ? [[...TOKEN_SCOPES]]
                : typeof scope === 'string'
                  ? [[scope]]
                  : 'all' in scope
                    ? [[...scope.all]]
                    : scope.map((each) => [each]);
          expect(roles, name).to.deep.equal(expected);
          if (scope !== 'unrestricted')
            for (const role of roles.flat()) expect(description, name).to.include(`\`${role}\``);
        }
      });
    });

    describe('a card', () => {
      it('shows scopes in order, folders, times and network, also of the token itself', async () => {
        const folder = (await post('/v1/collections', { name: 'Harbour' })).json.id;
        const { token, ...card } = await issue({
          scopes: ['account', 'read', 'ask'],
          collection_ids: [folder.replaceAll('-', '').toUpperCase()],
          expires_in_days: null,
        });
        expect(card).to.have.all.keys(
          ...['id', 'name', 'prefix', 'access', 'scopes', 'collection_ids'],
          ...['created_at', 'expires_at', 'last_used_at', 'last_used_network'],
        );
        expect(card).to.deep.include({
          access: 'read',
          scopes: ['read', 'ask', 'account'],
          collection_ids: [folder],
          expires_at: null,
          last_used_at: null,
          last_used_network: null,
        });
        expect(card.created_at).to.match(TIME);
        const listed = (await service.call('GET', '/v1/tokens')).json.items;
        expect(listed.find(({ id }: { id: string }) => id === card.id)).to.deep.equal(card);
        const me = (await service.call('GET', '/v1/me', { token })).json;
        expect(me.session).to.equal(null);
        const { last_used_at, last_used_network } = me.token;
        expect(me.token).to.deep.equal({ ...card, last_used_at, last_used_network });
      });

      it('says `full` only with every scope', async () => {
        for (const [body, access, scopes] of [
          [{}, 'full', TOKEN_SCOPES],
          [{ access: 'full' }, 'full', TOKEN_SCOPES],
          [{ access: 'read' }, 'read', ['read', 'ask']],
          [{ scopes: [...TOKEN_SCOPES].reverse() }, 'full', TOKEN_SCOPES],
          [{ scopes: TOKEN_SCOPES.slice(1) }, 'read', TOKEN_SCOPES.slice(1)],
          [{ scopes: ['write'], access: null }, 'read', ['write']],
        ] as const)
          expect(await issue(body), JSON.stringify(body)).to.deep.include({
            access,
            scopes: [...scopes],
            collection_ids: null,
          });
      });

      it('expires after 365 days unless the request says otherwise', async () => {
        for (const [body, days] of [
          [{}, 365],
          [{ expires_in_days: 7 }, 7],
          [{ expires_in_days: 3650 }, 3650],
        ] as const) {
          const { created_at, expires_at } = await issue(body);
          expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(days * DAY_MS);
        }
        expect((await issue({ expires_in_days: null })).expires_at).to.equal(null);
      });

      it('is not created from invalid scopes, folders and lifetimes', async () => {
        const total = async () => (await service.call('GET', '/v1/tokens')).json.total;
        const before = await total();
        const ids = Array.from({ length: 51 }, (_, n) => MISSING.slice(0, -2) + String(10 + n));
        for (const [body, type, ...loc] of [
          [{ scopes: [] }, 'too_short', 'scopes'],
          [{ scopes: ['read', 'read'] }, 'value_error', 'scopes'],
          [{ scopes: ['read', 'constructor'] }, 'literal_error', 'scopes', 1],
          [{ scopes: 'read' }, 'list_type', 'scopes'],
          [{ scopes: [...TOKEN_SCOPES, 'read'] }, 'too_long', 'scopes'],
          [{ scopes: ['read'], access: 'read' }, 'value_error', 'scopes'],
          [{ collection_ids: [] }, 'too_short', 'collection_ids'],
          [{ collection_ids: ids }, 'too_long', 'collection_ids'],
          [{ collection_ids: [MISSING, MISSING.toUpperCase()] }, 'value_error', 'collection_ids'],
          [{ collection_ids: ['x'] }, 'uuid_parsing', 'collection_ids', 0],
          [{ expires_in_days: 0 }, 'greater_than_equal', 'expires_in_days'],
          [{ expires_in_days: 'never' }, 'int_type', 'expires_in_days'],
        ] as const) {
          const { status, json } = await post('/v1/tokens', { name: 'x', ...body });
          expect([status, json.detail[0].type], JSON.stringify(body)).to.deep.equal([422, type]);
          expect(json.detail[0].loc).to.deep.equal(['body', ...loc]);
          expect(json.detail).to.have.length(1);
        }
        const { token: other } = await service.newOwner();
        const foreign = (await post('/v1/collections', { name: 'Theirs' }, other)).json.id;
        const answers = [];
        for (const id of [MISSING, foreign])
          answers.push(await post('/v1/tokens', { name: 'x', collection_ids: [id] }));
        expect(answers.map(({ status }) => status)).to.deep.equal([404, 404]);
        expect(answers[0]?.text).to.equal(answers[1]?.text);
        expect(await total()).to.equal(before);
      });

      it('may be bound to a folder of a hidden theme, which looks like any folder', async () => {
        const { token } = await service.newOwner();
        const open = (await post('/v1/hidden-pin', { pin: '1234' }, token)).json.token;
        const hidden = { 'x-hidden-token': open };
        const theme = await post('/v1/themes', { name: 'T', is_hidden: true }, token, hidden);
        const body = { name: 'F', theme_id: theme.json.id };
        const folder = (await post('/v1/collections', body, token, hidden)).json.id;
        const locked = await post('/v1/tokens', { name: 'x', collection_ids: [folder] }, token);
        const unlocked = await post(
          '/v1/tokens',
          { name: 'x', collection_ids: [folder] },
          token,
          hidden,
        );
        expect([locked.status, unlocked.status]).to.deep.equal([200, 200]);
      });
    });

    describe('a token without all rights', () => {
      it('passes on its own scopes only', async () => {
        const { token } = await issue({ scopes: ['account', 'read'] });
        const total = async () => (await service.call('GET', '/v1/tokens')).json.total;
        const before = await total();
        for (const [body, missing] of [
          [{}, 'write'],
          [{ access: 'full' }, 'write'],
          [{ access: 'read' }, 'ask'],
          [{ scopes: ['read', 'shares'] }, 'shares'],
        ] as const) {
          const { status, json } = await post('/v1/tokens', { name: 'x', ...body }, token);
          expect([status, json.code], JSON.stringify(body)).to.deep.equal([403, 'forbidden']);
          expect(json.detail).to.include(`\`${missing}\``);
        }
        expect(await total()).to.equal(before);
        expect((await issue({ scopes: ['read'] }, token)).scopes).to.deep.equal(['read']);
      });

      it('gets no token by repeating the request of another', async () => {
        const headers = { 'idempotency-key': 'one-token' };
        const body = { name: 'powerful' };
        const first = await post('/v1/tokens', body, service.token, headers);
        const { token } = await issue({ scopes: ['account'] });
        const repeated = await post('/v1/tokens', body, token, headers);
        expect([repeated.status, repeated.json.code]).to.deep.equal([
          409,
          'idempotency_key_reused',
        ]);
        const again = await post('/v1/tokens', body, service.token, headers);
        expect(again.json).to.deep.equal(first.json);
      });

      it('of a folder creates none', async () => {
        const make = async (name: string) => (await post('/v1/collections', { name })).json.id;
        const [mine, other] = [await make('Mine'), await make('Other')];
        const { token } = await issue({ collection_ids: [mine] });
        for (const ids of [undefined, [mine], [other], [MISSING]]) {
          const body = { name: 'x', ...(ids && { collection_ids: ids }) };
          const { status, json } = await post('/v1/tokens', body, token);
          expect([status, json.code]).to.deep.equal([403, 'forbidden']);
        }
      });
    });

    describe('a question of a token with read access', () => {
      let owner: string;
      let reader: string;
      const question = { question: 'Who is the keeper of the lighthouse?' };
      before(async () => {
        owner = (await service.newOwner()).token;
        reader = (await issue({ access: 'read' }, owner)).token;
        const content = 'The keeper of the lighthouse is Ada.';
        const { json } = await post('/v1/objects/notes', { content, title: 'Keeper' }, owner);
        await service.settled(json.id, { token: owner });
        await post('/v1/ask', { question: 'Who is Ada?' }, owner);
      });

      /** Everything that another request could see. */
      const state = async (): Promise<unknown> => {
        const lists = [];
        for (const path of [
          'chats',
          'recent-queries',
          'notifications',
          'usage',
          'objects',
          'settings',
        ])
          lists.push((await service.call('GET', `/v1/${path}`, { token: owner })).json);
        const headers = { authorization: `Bearer ${owner}` };
        const archive = await fetch(`${service.base}/v1/export`, { headers });
        const files = new Map(await filesOf(Buffer.from(await archive.arrayBuffer())));
        files.delete('manifest.json');
        return { lists, files: [...files].sort() };
      };

      it('is answered and leaves no trace', async () => {
        const before = await state();
        const key = { 'idempotency-key': 'a-question' };
        const { status, json, text } = await post('/v1/ask', question, reader, key);
        expect(status, text).to.equal(200);
        expect(json).to.deep.include({ session_id: null, message_id: null, engine: 'extractive' });
        expect(json.answer).to.include('Ada');
        expect(json.citations).to.have.length(1);
        expect(json.coverage).to.deep.equal({ searched: 1, unread: 0 });
        const again = await post('/v1/ask', question, reader, key);
        expect(again.headers.get('idempotent-replayed')).to.equal(null);
        expect(await state()).to.deep.equal(before);
        // The key was not used up.
        const other = await post('/v1/ask', { question: 'Ada?' }, owner, key);
        expect(other.status, other.text).to.equal(200);
        expect(other.headers.get('idempotent-replayed')).to.equal(null);
      });

      it('is streamed without a session', async () => {
        const before = await state();
        const headers = { authorization: `Bearer ${reader}` };
        const stream = await openStream(service, '/v1/ask', question, headers);
        await stream.ended;
        expect(stream.events[0]).to.deep.equal({ event: 'session', data: { session_id: null } });
        const done = stream.events.at(-1);
        expect(done?.event).to.equal('done');
        expect(done?.data).to.deep.include({ session_id: null, message_id: null });
        const deltas = stream.events.filter(({ event }) => event === 'delta');
        expect(deltas.map(({ data }) => data.text).join('')).to.equal(done?.data.answer);
        expect(await state()).to.deep.equal(before);
      });

      it('continues no session', async () => {
        const { items } = (await service.call('GET', '/v1/chats', { token: owner })).json;
        const before = await state();
        for (const id of [items[0].id, MISSING]) {
          const body = { ...question, session_id: id };
          const { status, json } = await post('/v1/ask', body, reader);
          expect([status, json.code]).to.deep.equal([403, 'forbidden']);
        }
        expect((await post('/v1/ask', { question: ' ' }, reader)).json.code).to.equal('empty_text');
        expect(await state()).to.deep.equal(before);
      });

      it('is stored if the token has the scope `ask` of its own', async () => {
        const { token } = await issue({ scopes: ['ask'] }, owner);
        const { json } = await post('/v1/ask', question, token);
        const chat = await service.call('GET', `/v1/chats/${json.session_id}`, { token });
        expect(chat.json.messages).to.have.length(2);
      });
    });
  });
