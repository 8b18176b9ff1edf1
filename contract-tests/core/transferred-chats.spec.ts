import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ChatMessage } from '../../ports/conversations.ts';
import { backends, type Backend } from '../backends.ts';
import { aMessage, aSession, newId } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';
import { archiveOf, exported, filesOf, imported, rowsOf } from './transfer-fixture.ts';

const CHATS = 'metadata/chats-000001.jsonl';
const PAGE = { limit: 9, offset: 0 };

describe('transferred conversations', () => {
  let backend: Backend;
  let from: CoreFixture;
  let into: CoreFixture;
  before(async () => {
    backend = await backends[0]![1]();
  });
  after(() => backend.close());
  beforeEach(async () => {
    [from, into] = [await openCoreFixture(backend), await openCoreFixture(backend)];
  });

  const note = async (at: CoreFixture, content: string, more: object = {}): Promise<string> => {
    const { object } = await at.core.objects.addNote(at.caller, { content, ...more });
    await at.runPendingTasks();
    return object.id;
  };
  const lock = async (at: CoreFixture): Promise<string> =>
    (await at.core.hiddenZone.setPin(at.caller, { pin: '1234' })).token;
  const chatsOf = async (at: CoreFixture) => (await rowsOf(backend, at)).chats;
  const listed = async ({ core, caller }: CoreFixture) =>
    (await core.conversations.listChats(caller, PAGE)).items.map(({ id }) => id);

  /** An archive with other lines of chats, and their new hash in the manifest. */
  async function changed(
    archive: Buffer,
    change: (record: Record<string, unknown>) => void,
  ): Promise<Buffer> {
    const files = await filesOf(archive);
    const lines = files.get(CHATS)!.trim().split('\n');
    const text = lines
      .map((line) => {
        const record = JSON.parse(line) as Record<string, Record<string, unknown>>;
        change(record['session'] ?? record['message']!);
        return `${JSON.stringify(record)}\n`;
      })
      .join('');
    const entry = {
      path: CHATS,
      size: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    };
    const listing = files
      .get('manifest.json')!
      .split('\n')
      .map((line) =>
        line.includes(`"${CHATS}"`)
          ? JSON.stringify(entry) + (line.endsWith(',') ? ',' : '')
          : line,
      );
    return archiveOf(new Map([...files, [CHATS, text], ['manifest.json', listing.join('\n')]]));
  }

  it('carry the details of answers, and their objects, read and deleted ones too', async () => {
    const secret = await note(from, 'the safe opens with 4711', { isHidden: true });
    await note(from, 'the harbour sleeps');
    const { conversations, objects } = from.core;
    const visible = await conversations.ask(from.caller, { question: 'harbour?' });
    const hidden = await conversations.ask(from.caller, {
      question: 'ceiling?',
      objectIds: [secret],
    });
    expect(hidden.reply.citations).to.deep.equal([]);
    await objects.deleteObject(from.caller, secret, true);
    const hiddenToken = await lock(from);
    const complete = await exported(from, { ...from.caller, hiddenToken });
    const lines = [...(await filesOf(await exported(from, from.caller))).values()].join();
    expect(lines).to.include(visible.session!.id);
    expect(lines).not.to.include(hidden.session!.id).and.not.include(secret);

    await imported(into, into.caller, complete);
    const source = await chatsOf(from);
    expect(source.flatMap((chat) => chat.objects)).to.deep.include({
      objectId: secret,
      isHidden: true,
    });
    expect(await chatsOf(into)).to.deep.equal(
      source.map((chat) => ({ ...chat, session: { ...chat.session, hasDocumentText: true } })),
    );
    await lock(into);
    expect(await listed(into)).to.deep.equal([visible.session!.id]);
  });

  it('count in a locked export what is visible now, and follow the ids of what they counted', async () => {
    const [plain, later] = [await note(from, 'the harbour sleeps'), await note(from, 'a pier')];
    const { reply } = await from.core.conversations.ask(from.caller, { question: 'harbour?' });
    expect(reply).to.have.nested.property('coverage.searched', 2);
    const hiddenToken = await lock(from);
    const open = { ...from.caller, hiddenToken };
    await from.core.objects.editObject(open, later, { isHidden: true });
    const coverageIn = async (at: CoreFixture) => {
      const [chat] = await chatsOf(at);
      return chat?.messages[1]?.coverage;
    };
    await imported(into, into.caller, await exported(from, from.caller));
    expect(await coverageIn(into)).to.deep.equal({
      searched: 1,
      unread: 0,
      objects: { searched: [plain], unread: [] },
    });

    // Its ids are taken there by other objects.
    const third = await openCoreFixture(backend);
    for (const id of [plain, later]) {
      const taken = await note(third, 'another');
      await backend.uow.write(third.caller.scope, async ({ objects }) =>
        objects.save({ ...(await objects.find(taken))!, id }),
      );
    }
    await imported(third, third.caller, await exported(from, open));
    const coverage = await coverageIn(third);
    const { objects } = await rowsOf(backend, third);
    expect(coverage?.searched).to.equal(2);
    expect(coverage?.objects?.searched).to.have.length(2).and.not.include(plain);
    expect(objects.map(({ object }) => object.id)).to.include.members([
      ...coverage!.objects!.searched,
    ]);
  });

  it('carry the role of messages of the agent', async () => {
    const agentRole = { slug: 'clerk', name: 'Clerk, until May' };
    const { session } = await from.core.conversations.createChat(from.caller, { kind: 'agent' });
    await backend.uow.write(from.caller.scope, async ({ chats }) => {
      for (const role of ['user', 'assistant'] as const)
        await chats.addMessage(aMessage({ sessionId: session.id, role, agentRole }));
    });
    await imported(into, into.caller, await exported(from, from.caller));
    const messages = (await chatsOf(into)).flatMap((chat) => chat.messages);
    const imports = { ...agentRole, isImported: true };
    expect(messages.map((message) => message.agentRole)).to.deep.equal([imports, imports]);
    // An owner's own archive changes nothing where the messages were typed.
    await imported(from, from.caller, await exported(from, from.caller));
    const typed = (await chatsOf(from)).flatMap((chat) => chat.messages);
    expect(typed.map((message) => message.agentRole)).to.deep.equal([agentRole, agentRole]);
    // A second transfer marks its messages too.
    const third = await openCoreFixture(backend);
    await imported(third, third.caller, await exported(into, into.caller));
    const again = (await chatsOf(third)).flatMap((chat) => chat.messages);
    expect(again.map((message) => message.agentRole)).to.deep.equal([imports, imports]);
  });

  it('of archives without details have none, and get their objects from their messages', async () => {
    const id = await note(from, 'the harbour sleeps');
    await from.core.conversations.ask(from.caller, { question: 'harbour?' });
    const archive = await changed(await exported(from, from.caller), (record) => {
      for (const key of ['objects', 'coverage', 'engine', 'confidence', 'incomplete', 'agent_role'])
        if (key !== 'objects' || 'message_ids' in record) delete record[key];
      for (const each of (record['citations'] ?? []) as Record<string, unknown>[]) {
        delete each['version'];
        delete each['page'];
      }
    });
    await imported(into, into.caller, archive);
    const [chat] = await chatsOf(into);
    const details = { coverage: null, engine: null, confidence: null, incomplete: null };
    const none = { ...details, agentRole: null };
    expect(chat?.messages[1]).to.deep.include(none);
    expect(chat?.messages[1]?.citations[0]).to.include({ version: null, page: null });
    expect(chat?.objects).to.deep.equal([{ objectId: id, isHidden: false }]);
  });

  it('are rejected with impossible details, and change nothing', async () => {
    await note(from, 'the harbour sleeps');
    await from.core.conversations.ask(from.caller, { question: 'harbour?' });
    const archive = await exported(from, from.caller);
    const isReply = (record: Record<string, unknown>) => record['role'] === 'assistant';
    for (const wrong of [
      { confidence: 1.5 },
      { confidence: 'high' },
      { incomplete: 'yes' },
      { engine: 7 },
      { agent_role: { slug: 'planner' } },
      { coverage: { searched: -1, unread: 0 } },
      { coverage: { searched: 1 } },
      { coverage: { searched: 1, unread: 0, objects: { searched: [], unread: [] } } },
      { coverage: { searched: 1, unread: 0, objects: { searched: ['x'], unread: [] } } },
      { coverage: { searched: 1, unread: 0, objects: { searched: [] } } },
    ]) {
      const bad = await changed(archive, (record) => {
        if (isReply(record)) Object.assign(record, wrong);
      });
      const error: unknown = await imported(into, into.caller, bad).catch((e: unknown) => e);
      expect(error, JSON.stringify(wrong)).to.include({ kind: 'invalid-argument' });
      expect((await rowsOf(backend, into)).objects).to.deep.equal([]);
    }
  });

  it('tell nothing into a locked zone: an id of a concealed session is like any other', async () => {
    const results: unknown[] = [];
    const session = aSession({ title: 'Mine' });
    const citation = (objectId: string): ChatMessage['citations'][number] => ({
      ...{ index: 1, objectId, ord: 0, charStart: 0, charEnd: 1, snippet: 't', docType: 'note' },
      ...{ filename: 'a', title: '', version: 1, page: 1 },
    });
    const hidden = newId();
    const message = aMessage({
      sessionId: session.id,
      role: 'assistant',
      citations: [citation(hidden)],
    });
    await backend.uow.write(from.caller.scope, async ({ chats }) => {
      await chats.save(session);
      await chats.addMessage(message);
      await chats.addObjects(session.id, [{ objectId: hidden, isHidden: false }]);
    });
    const archive = await exported(from, from.caller);
    for (const isThere of [true, false]) {
      const target = await openCoreFixture(backend);
      if (isThere)
        await backend.uow.write(target.caller.scope, async ({ chats }) => {
          await chats.save({ ...session, title: 'Theirs' });
          await chats.addMessage(message);
          await chats.addObjects(session.id, [{ objectId: newId(), isHidden: true }]);
        });
      const hiddenToken = await lock(target);
      const first = await imported(target, target.caller, archive);
      const again = await imported(target, target.caller, archive);
      const { items, total } = await target.core.conversations.listChats(target.caller, PAGE);
      results.push([first.tallies, first.newIds, again.tallies, again.newIds, total]);
      expect(items.map(({ title }) => title)).to.deep.equal(['Mine']);
      expect(items[0]?.id).not.to.equal(session.id);
      const unlocked = { ...target.caller, hiddenToken };
      if (isThere)
        expect((await target.core.conversations.getChat(unlocked, session.id)).session).to.include({
          title: 'Theirs',
        });
    }
    expect(results[0]).to.deep.equal(results[1]);
  });
});
