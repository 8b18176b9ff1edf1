import { expect } from 'chai';
import { backends } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

for (const [name, open] of backends)
  describe(`chats on ${name}`, () => {
    it('are named after the whole question, on one line', async () => {
      const backend = await open();
      try {
        const { core, caller } = await openCoreFixture(backend);
        const titleOf = async (question: string) =>
          (await core.conversations.ask(caller, { question })).session?.title ?? '';
        expect(await titleOf('  How much is\nthe\tdeposit?  ')).to.equal(
          'How much is the deposit?',
        );
        const long = await titleOf(`What\nis ${'very '.repeat(40)}long?`);
        expect(long).to.match(/^What is very .* very…$/);
        expect(long.length).to.be.at.most(81);
      } finally {
        await backend.close();
      }
    });

    it('treat an empty list of ids as no restriction, in questions and messages', async () => {
      const backend = await open();
      try {
        const world = await openCoreFixture(backend);
        const { core, caller } = world;
        await core.objects.addNote(caller, {
          content: 'The monthly rent of the flat is 900 euros.',
        });
        await world.runPendingTasks();
        const question = 'How much is the monthly rent?';
        const requested = await core.conversations.ask(caller, { question, objectIds: [] });
        expect(requested.reply.content).to.include('900 euros');
        const { reply } = await core.conversations.addTurn(caller, requested.session?.id ?? '', {
          content: question,
          objectIds: [],
          attachments: [],
        });
        expect(reply.content).to.equal(requested.reply.content);
      } finally {
        await backend.close();
      }
    });
  });
