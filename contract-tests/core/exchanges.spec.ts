import { expect } from 'chai';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { openAgentWorld } from './agent-fixture.ts';

/** Counts how often each transaction that writes saves a chat session. */
function counting(uow: UnitOfWork, saves: number[]): UnitOfWork {
  const write: UnitOfWork['write'] = async (scope, work, size) => {
    let saved = 0;
    const result = await uow.write(
      scope,
      (stores: Stores) => work(watched(stores, () => (saved += 1))),
      size,
    );
    if (saved > 0) saves.push(saved);
    return result;
  };
  return { read: uow.read.bind(uow), write };
}

const watched = (stores: Stores, saved: () => void): Stores =>
  intercepting(stores, 'chats', (chats) =>
    intercepting(chats, 'save', (save) => (session) => (saved(), save.call(chats, session))),
  );

function intercepting<T extends object, K extends keyof T>(
  target: T,
  name: K,
  replace: (member: T[K]) => T[K],
): T {
  return new Proxy(target, {
    get: (it, key) => {
      const member: unknown = Reflect.get(it, key, it);
      if (key === name) return replace(member as T[K]);
      return typeof member === 'function' ? (member.bind(it) as unknown) : member;
    },
  });
}

for (const [name, open] of backends)
  describe(`an exchange on ${name}`, () => {
    let backend: Backend;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());

    it('saves its session once in each transaction', async () => {
      const saves: number[] = [];
      const uow = counting(backend.uow, saves);
      const world = await openAgentWorld({ ...backend, uow }, `exchange-${name}-${process.pid}`);
      const { core, caller } = world;
      const transactions = () => saves.splice(0);

      world.replies('Good morning.');
      const { turn } = await world.chat('Hello there');
      expect(turn?.reply.content).to.equal('Good morning.');
      expect(transactions()).to.deep.equal([1, 1]);

      const byModel = await core.conversations.ask(caller, { question: 'What is the rent?' });
      await core.conversations.addTurn(caller, byModel.session?.id ?? '', {
        content: 'And heating?',
      });
      expect(byModel.engine).to.include('lamp-7b');
      expect(transactions()).to.deep.equal([1, 1, 1, 1]);

      await core.integrations.toggleIntegration(caller, 'llm', false);
      const { engine, session } = await core.conversations.ask(caller, { question: 'The rent?' });
      expect(engine).to.equal('extractive');
      expect(transactions()).to.deep.equal([1]);
      const { messages } = await core.conversations.getChat(caller, session?.id ?? '');
      expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant']);
    });
  });
