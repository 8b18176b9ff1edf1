import { expect } from 'chai';
import { DIALECT_TYPES } from '../adapters/knex/schema/migration.ts';
import { conversationsStatements } from '../adapters/knex/schema/003/conversations.ts';
import type { ChatMessage } from '../ports/conversations.ts';
import { emptyBackends, type Backend } from './backends.ts';
import { aMessage, anObject, aSession, newId, newScope } from './samples.ts';

const PAGE = { limit: 99, offset: 0 };

for (const [name, open] of emptyBackends.filter(
  ([each]) => each === 'sqlite' || each === 'postgres',
))
  describe(`${name}: conversations of before they recorded their objects`, () => {
    let backend: Backend;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());

    /** The statements of the migration that change rows. */
    const recordObjects = async (): Promise<void> => {
      const types = DIALECT_TYPES[name as 'sqlite' | 'postgres'];
      for (const statement of conversationsStatements(types))
        if (!/^(alter|create)/.test(statement)) await backend.damage!.run(statement, []);
    };

    it('get the objects of their attachments, citations, answers and steps, and are concealed or not', async () => {
      const scope = newScope();
      const [hidden, plain] = [anObject({ isHidden: true }), anObject()];
      const gone = newId();
      const citation = (objectId: string) =>
        ({ index: 1, objectId, ord: 0, charStart: 0, charEnd: 1, snippet: 'x' }) as never;
      const parts: Readonly<Record<string, Partial<ChatMessage>>> = {
        attached: { attachments: [{ objectId: hidden.id, filename: 'a' }] },
        cited: { citations: [citation(plain.id), citation(hidden.id)] },
        mentioned: { objects: [{ objectId: hidden.id, filename: 'a' }] },
        used: { steps: [{ tool: 'x' }, { tool: 'y', object_ids: [gone, hidden.id] }] },
        plain: { citations: [citation(plain.id)], steps: [{ tool: 'z', object_ids: 'none' }] },
        deleted: { objects: [{ objectId: gone, filename: 'b' }] },
        empty: {},
      };
      const concealed = ['attached', 'cited', 'mentioned', 'used'];
      await backend.uow.write(scope, async ({ objects, chats }) => {
        for (const object of [hidden, plain]) await objects.save(object);
        for (const [title, part] of Object.entries(parts)) {
          const session = aSession({ title, pinned: title === 'cited' });
          await chats.save(session);
          await chats.addMessage(aMessage({ sessionId: session.id, ...part }));
        }
      });
      await recordObjects();
      await backend.uow.read(scope, async ({ chats }) => {
        const all = await chats.page({}, PAGE);
        expect(all.total).to.equal(Object.keys(parts).length);
        const visible = await chats.page({ visibleOnly: true }, PAGE);
        expect(visible.items.map(({ title }) => title)).to.have.members(
          Object.keys(parts).filter((title) => !concealed.includes(title)),
        );
        expect(visible.total).to.equal(visible.items.length);
        expect((await chats.page({ pinned: true, visibleOnly: true }, PAGE)).total).to.equal(0);
        for (const { id, title } of all.items) {
          expect(await chats.holdsHidden(id), title).to.equal(concealed.includes(title));
          const held = (await chats.objects(id, PAGE)).map(({ objectId }) => objectId);
          if (title === 'cited') expect(held).to.have.members([plain.id, hidden.id]);
          if (title === 'used') expect(held).to.have.members([gone, hidden.id]);
        }
        const cited = all.items.find(({ title }) => title === 'cited')!;
        const [message] = await chats.messages(cited.id, 9);
        expect(message!.citations[0]).to.include({ version: null, page: null });
      });
    });
  });
