import { expect } from 'chai';
import fc from 'fast-check';
import { requireUnguessable } from '../../adapters/http/pipeline/idempotency.ts';
import { referencesIn } from '../../adapters/http/validation/object-references.ts';
import { routes } from '../../adapters/http/routes/index.ts';
import {
  chatId,
  closed,
  list,
  nullable,
  objectId,
  objectIdWhere,
  oneOf,
  text,
  themeId,
  uuid,
} from '../../adapters/http/schema.ts';
import { objectsBehind } from '../../core/conversations/index.ts';
import { backends, type Backend } from '../backends.ts';
import { anObject, aTheme, newId } from '../samples.ts';
import { openCoreFixture } from './core-fixture.ts';

/** Objects that a response may name, with their current state. */
const fates = ['visible', 'hidden', 'deleted'] as const;
type Fate = (typeof fates)[number];
const named = fc.array(
  fc.record({ kind: fc.constantFrom('objects', 'themes'), fate: fc.constantFrom(...fates) }),
  { maxLength: 6 },
);

for (const [name, open] of backends)
  describe(`${name}: the ids in a stored response`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('give the same result for hidden and for deleted objects', async () => {
      const { core, caller } = await openCoreFixture(backend, `references-${name}-${process.pid}`);
      const inWorld = async (
        parts: readonly { readonly kind: string; readonly fate: Fate }[],
      ): Promise<{ readonly unlocked: boolean; readonly locked: boolean }> => {
        const references = { objects: [] as string[], themes: [] as string[], chats: [] };
        await backend.uow.write(caller.scope, async (stores) => {
          for (const { kind, fate } of parts) {
            const id = newId();
            const isHidden = fate === 'hidden';
            references[kind === 'themes' ? 'themes' : 'objects'].push(id);
            if (fate === 'deleted') continue;
            if (kind === 'themes') await stores.themes.save(aTheme({ id, isHidden }));
            else await stores.objects.save(anObject({ id, isHidden }));
          }
        });
        const { token } = await core.hiddenZone.setPin(caller, { pin: '1234', oldPin: '1234' });
        return {
          locked: await core.hiddenZone.seesAll(caller, references),
          unlocked: await core.hiddenZone.seesAll({ ...caller, hiddenToken: token }, references),
        };
      };
      await fc.assert(
        fc.asyncProperty(named, async (parts) => {
          const erased = parts.map((part) => ({
            ...part,
            fate: part.fate === 'hidden' ? ('deleted' as const) : part.fate,
          }));
          const [one, other] = [await inWorld(parts), await inWorld(erased)];
          expect(one).to.deep.equal(other);
          expect(one.locked).to.equal(parts.every(({ fate }) => fate === 'visible'));
          expect(one.unlocked).to.equal(true);
        }),
        { numRuns: 15 },
      );
    });
  });

describe('are collected according to the response schema', () => {
  const schema = closed({
    id: objectId(),
    session: uuid(),
    chat: chatId(),
    title: text(),
    theme: nullable(themeId()),
    citations: nullable(list(closed({ object_id: objectId(), snippet: text() }))),
    kind: oneOf('file', 'folder'),
    resource_id: objectIdWhere('kind', 'file'),
  });
  const reply = (kind: 'file' | 'folder', title: string) => ({
    id: 'o1',
    session: 's1',
    chat: 'c1',
    title,
    theme: 't1',
    citations: [
      { object_id: 'o2', snippet: title },
      { object_id: 'o3', snippet: '' },
    ],
    kind,
    resource_id: 'r1',
  });

  it('are those of marked fields, and never those in texts', () =>
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string()), (title) => {
        const find = referencesIn(schema);
        const themes = ['t1'];
        expect(find(reply('file', title))).to.deep.equal({
          objects: ['o1', 'o2', 'o3', 'r1'],
          themes,
          chats: ['c1'],
        });
        expect(find(reply('folder', title))).to.deep.equal({
          objects: ['o1', 'o2', 'o3'],
          themes,
          chats: ['c1'],
        });
        const bare = { ...reply('folder', title), theme: null, citations: null };
        expect(find(bare)).to.deep.equal({ objects: ['o1'], themes: [], chats: ['c1'] });
      }),
    ));

  it('include objects of the steps of an agent, which the response does not show', () => {
    const steps = [{ tool: 'read_object', object_ids: ['o1', 'o2'] }, { tool: 'get_agenda' }];
    const coverage = { searched: 1, unread: 1, objects: { searched: ['o3'], unread: ['o4'] } };
    const uncounted = { searched: 900, unread: 0 };
    expect(
      objectsBehind([
        { steps, coverage: null },
        { steps: null, coverage },
        { steps: null, coverage: uncounted },
      ]),
    ).to.deep.equal(['o1', 'o2', '', 'o3', 'o4']);
    const keyed = routes.filter((route) => 'alsoNames' in route).map(({ path }) => path);
    const reported = ['/v1/ask', '/v1/chats/:chat_id/turns', '/v1/agent/chat'];
    expect(keyed).to.have.members(reported);
  });

  it('are empty if no field is marked', () => {
    expect(referencesIn(undefined)('x')).to.deep.equal({
      objects: [],
      themes: [],
      chats: [],
    });
    expect(referencesIn(closed({ id: uuid() }))({ id: 'x' })).to.deep.equal({
      objects: [],
      themes: [],
      chats: [],
    });
  });
});

describe('operations with idempotency keys', () => {
  const keyed = routes.filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey);
  type Node = Readonly<Record<string, unknown>>;
  const unmarked = (schema: unknown, at: string): readonly string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const isId =
      /\.(object_id|theme_id|chat_id|session_id|resource_id)$/.test(at) &&
      'refersTo' in schema === false;
    const isType = 'type' in schema || 'anyOf' in schema;
    const forms = (schema as Node)['anyOf'];
    if (isId && isType) return Array.isArray(forms) ? unmarked(forms[0], at) : [at];
    return Object.entries(schema).flatMap(([name, inner]) => unmarked(inner, `${at}.${name}`));
  };

  it('mark the ids of objects, themes and chats in their paths and responses', () => {
    expect(keyed).to.have.length.greaterThan(20);
    for (const { method, path, params, reply } of keyed) {
      const found = [...unmarked(params, 'path'), ...unmarked(reply, 'reply')];
      expect(found, `${method} ${path}`).to.deep.equal([]);
    }
    expect(unmarked(closed({ object_id: uuid() }), 'reply')).to.have.length(1);
  });

  it('exclude those with a PIN, and protect other secrets by a keyed hash', () => {
    for (const route of routes) requireUnguessable(route);
    const pin = routes.find(({ path, method }) => path === '/v1/hidden-pin' && method === 'post');
    expect(pin).to.not.have.property('creates');
    if (!pin) throw new Error('There is no such route.');
    expect(() =>
      requireUnguessable({ ...pin, acceptsIdempotencyKey: true } as typeof pin),
    ).to.throw('can not be guessed');
  });
});
