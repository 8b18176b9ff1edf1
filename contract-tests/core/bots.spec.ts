import { expect } from 'chai';
import fc from 'fast-check';
import { REMIND_TASK, SYNC_TASK, UPDATES_TASK } from '../../core/bots/index.ts';
import type { Bot } from '../../ports/bots.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { MessengerError, type MessengerPerson } from '../../ports/messenger.ts';
import type { Task } from '../../ports/tasks.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

const TOKEN = '77:AAF-a-token';
const CHAT = -100n;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const person = (id: number): MessengerPerson => ({
  userId: BigInt(id),
  displayName: `P ${id}`,
  username: '',
  isBot: false,
});

const openMemory = backends.find(([name]) => name === 'memory')?.[1];

/** A registered bot in a separate fixture, with its tasks, run one at a time. */
async function opened(over: { backend?: Backend; publicUrl?: () => string } = {}) {
  const backend = over.backend ?? (await openMemory?.());
  if (!backend) throw new Error('There is no memory backend in this run.');
  const world = await openCoreFixture(
    backend,
    undefined,
    over.publicUrl ? { publicUrl: over.publicUrl } : {},
  );
  const { platform, core, caller } = world;
  const { scope } = caller;
  platform.account(TOKEN);
  platform.group(CHAT, 'Harbour');
  const { bot } = await core.bots.registerBot(caller, { platform: 'telegram', token: TOKEN });
  const find = () => backend.uow.read(scope, ({ bots }) => bots.find(bot.id)) as Promise<Bot>;
  const change = (edit: (bot: Bot) => Bot) =>
    backend.uow.write(scope, async ({ bots }) => bots.save(edit((await bots.find(bot.id)) as Bot)));
  const taskOf = async (kind: string): Promise<Task | undefined> =>
    (await backend.uow.read(scope, ({ tasks }) => tasks.findFor(bot.id, kind)))[0];
  /** Runs the task as soon as it is due, and returns the delay until its next run. */
  const turn = async (kind = UPDATES_TASK): Promise<number | undefined> => {
    const task = await taskOf(kind);
    if (!task) return undefined;
    world.now = Math.max(world.now, task.dueAt, task.leaseUntil ?? 0);
    let ended = false;
    const run = core.background
      .runTask(task.id)
      .catch(() => undefined)
      .finally(() => (ended = true));
    while (!ended) {
      await new Promise((resolve) => setImmediate(resolve));
      if (platform.waits(TOKEN)) platform.timePasses();
    }
    await run;
    const after = await taskOf(kind);
    return after && after.dueAt - world.now;
  };
  const chats = async () =>
    (await core.bots.listBotChats(caller, bot.id, { limit: 100, offset: 0 })).items;
  const requested = (call: string) => platform.asked.filter((each) => each.call === call);
  const reported = async () =>
    (
      await core.notifications.listNotifications(caller, {
        unreadOnly: false,
        limit: 100,
        offset: 0,
      })
    ).items.map(({ kind, body }) => ({ kind, body }));
  return {
    ...world,
    world,
    backend,
    scope,
    bot,
    find,
    change,
    taskOf,
    turn,
    chats,
    asked: requested,
    told: reported,
  };
}

describe('a bot', () => {
  it('backs off from an unavailable platform, and resumes without delay once it is back', async () => {
    const { platform, turn, taskOf } = await opened();
    platform.fails('away');
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 8; i++) waits.push(await turn());
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1_000));
    platform.fails(null);
    // A platform without updates that does not wait is not polled for a moment.
    expect(await turn()).to.equal(1_000);
    expect((await taskOf(UPDATES_TASK))?.payload).to.deep.equal({});
  });

  it('retries after the delay that the platform requested', async () => {
    const { platform, turn } = await opened();
    platform.fails(new MessengerError('too_many', 'Later.', { retryAfter: 37 }));
    expect(await turn()).to.equal(37_000);
  });

  it('removes a foreign webhook once, and waits if that does not help', async () => {
    const { platform, turn, asked: requested, chats } = await opened();
    await platform.setWebhook(TOKEN, { address: 'https://elsewhere.test/', secret: 'x' });
    expect(await turn()).to.equal(1_000);
    expect(requested('deleteWebhook')).to.have.length(1);
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    expect(await chats()).to.have.length(1);
    platform.fails(new MessengerError('conflict', 'Another process polls.'));
    expect([await turn(), await turn(), await turn()]).to.deep.equal([1_000, 15_000, 15_000]);
    expect(requested('deleteWebhook')).to.have.length(2);
  });

  it('notifies its owner once of a rejected token, and resumes immediately with another', async () => {
    const opening = await opened();
    const { platform, turn, told: reported, core, caller, find } = opening;
    const account = await platform.identify(TOKEN);
    platform.revoke(TOKEN);
    const refusedTurn = async () => {
      const task = await opening.taskOf(UPDATES_TASK);
      opening.world.now = Math.max(opening.world.now, task?.dueAt ?? 0);
      await core.background.runTask(task?.id ?? '');
      return ((await opening.taskOf(UPDATES_TASK))?.dueAt ?? 0) - opening.world.now;
    };
    expect(await refusedTurn()).to.equal(HOUR);
    expect(await refusedTurn()).to.equal(HOUR);
    expect((await reported()).map(({ kind }) => kind)).to.deep.equal(['bot.refused']);
    platform.account(TOKEN, account);
    const again = await core.bots.registerBot(caller, { platform: 'telegram', token: TOKEN });
    expect(again.bot.linkCode).to.equal((await find()).linkCode);
    expect(await opening.taskOf(UPDATES_TASK)).to.include({ dueAt: opening.world.now });
    expect(await turn()).to.equal(1_000);
    platform.revoke(TOKEN);
    await refusedTurn();
    expect((await reported()).map(({ kind }) => kind)).to.deep.equal([
      'bot.refused',
      'bot.refused',
    ]);
  });

  it('reports that its token was sealed with another key, and sends no request', async () => {
    const { change, turn, told: reported, asked: requested, core, caller, bot } = await opened();
    await change((found) => ({ ...found, sealedToken: 'sealed elsewhere' }));
    const before = requested('updates').length;
    expect(await turn()).to.equal(HOUR);
    expect(await turn()).to.equal(HOUR);
    const [one, ...more] = await reported();
    expect(one?.body).to.match(/another key/);
    expect(more).to.deep.equal([]);
    expect(requested('updates')).to.have.length(before);
    const sync = core.bots.syncBotChat(caller, bot.id, CHAT);
    expect(((await sync.catch((e: unknown) => e)) as { code: string }).code).to.equal('not_found');
    await core.bots.removeBot(caller, bot.id);
  });

  it('requests all updates after a quiet week, whose numbers may be lower', async () => {
    const { platform, turn, asked: requested, chats, world } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    platform.says(CHAT, person(1));
    await turn();
    expect(requested('updates').at(-1)?.['after']).not.to.equal(null);
    world.now += 8 * DAY;
    platform.tells(
      TOKEN,
      { type: 'joined', group: { chatId: CHAT, title: 'H' }, people: [person(2)] },
      3n,
    );
    await turn();
    expect((await chats())[0]?.knownCount).to.equal(2);
  });

  it('continues after its task has crashed every worker', async () => {
    const { backend, scope, bot, taskOf, turn, platform, chats, world, core } = await opened();
    const before = await taskOf(UPDATES_TASK);
    await backend.uow.write(scope, ({ tasks }) =>
      tasks.save({ ...(before as Task), attempts: 12 }),
    );
    await core.background.runTask(before?.id ?? '');
    const after = await taskOf(UPDATES_TASK);
    expect(after?.id).not.to.equal(before?.id);
    expect((after?.dueAt ?? 0) - world.now).to.equal(60_000);
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    expect(await chats()).to.have.length(1);
    await core.bots.removeBot(world.caller, bot.id);
    for (const kind of [UPDATES_TASK, SYNC_TASK]) expect(await taskOf(kind)).to.equal(undefined);
  });

  it('uses a webhook if possible, updates it when the URL changes, and polls otherwise', async () => {
    const place = { url: 'https://one.test' };
    const { platform, turn, bot, find, chats } = await opened({ publicUrl: () => place.url });
    const address = (base: string) => `${base}/v1/bots/${bot.id}/webhook`;
    const first = platform.webhook(TOKEN);
    expect(first?.address).to.equal(address('https://one.test'));
    expect(await turn()).to.equal(15_000);
    expect(platform.webhook(TOKEN)).to.deep.equal(first);
    place.url = 'https://two.test';
    expect(await turn()).to.equal(15_000);
    const second = platform.webhook(TOKEN);
    expect(second?.address).to.equal(address('https://two.test'));
    expect(second?.secret).not.to.equal(first?.secret);
    expect(JSON.stringify((await find()).webhook)).not.to.include(second?.secret);
    place.url = 'http://plain.test';
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    expect(platform.webhook(TOKEN)).to.equal(null);
    expect((await find()).webhook).to.equal(null);
    expect(await chats()).to.have.length(1);
  });

  it('is registered while the platform rejects the webhook, which is set later', async () => {
    const { platform, core, caller, backend, scope } = await opened({
      publicUrl: () => 'https://one.test',
    });
    platform.account('other');
    platform.setWebhook = () => Promise.reject(new UnavailableError('messenger', 'away'));
    const { bot } = await core.bots.registerBot(caller, { platform: 'telegram', token: 'other' });
    expect(platform.webhook('other')).to.equal(null);
    Reflect.deleteProperty(platform, 'setWebhook');
    const [task] = await backend.uow.read(scope, ({ tasks }) =>
      tasks.findFor(bot.id, UPDATES_TASK),
    );
    await core.background.runTask(task?.id ?? '');
    expect(platform.webhook('other')?.address).to.include(bot.id);
  });

  it('is limited to twenty per owner', async () => {
    const { platform, core, caller } = await opened();
    for (let i = 2; i <= 21; i++) platform.account(`token ${i}`);
    const register = (i: number) =>
      core.bots.registerBot(caller, { platform: 'telegram', token: `token ${i}` });
    for (let i = 2; i <= 20; i++) await register(i);
    const refused = await register(21).catch((error: unknown) => error);
    expect((refused as { code: string }).code).to.equal('too_many_bots');
  });

  it('loses no update and processes none twice, wherever its worker crashes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (fates) => {
        const dies = [...fates];
        const sound = await openMemory?.();
        if (!sound) throw new Error('There is no memory backend in this run.');
        let on = false;
        const write: UnitOfWork['write'] = (scope, work) =>
          sound.uow.write(scope, async (stores) => {
            const done = await work(stores);
            // Every update was processed, and none recorded as processed.
            if (on && dies.pop()) throw new UnavailableError('database', 'The process died.');
            return done;
          });
        const uow = { read: sound.uow.read.bind(sound.uow), write } as UnitOfWork;
        const { platform, chats, turn } = await opened({ backend: { ...sound, uow } });
        platform.placesBot(TOKEN, CHAT, 'member');
        for (let i = 0; i < 230; i++) platform.joins(CHAT, person(i + 1));
        for (let i = 0; i < 230; i += 2) platform.leaves(CHAT, person(i + 1));
        on = true;
        for (let turns = 0; turns < 60 && (await chats())[0]?.knownCount !== 115; turns++)
          await turn();
        on = false;
        expect((await chats())[0]?.knownCount).to.equal(115);
      }),
      { numRuns: 12 },
    ));
});

describe('the sync of a bot', () => {
  it('queries a group ten seconds after it was seen, and then daily', async () => {
    const { platform, turn, world, chats, asked: requested } = await opened();
    expect(await turn(SYNC_TASK)).to.equal(DAY);
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    const metAt = world.now;
    const [met] = await chats();
    expect(met).to.include({ memberCount: 0, syncedAt: null });
    expect(await turn(SYNC_TASK)).to.equal(DAY);
    expect(world.now).to.equal(metAt + 10_000);
    expect((await chats())[0]).to.include({ memberCount: 1, syncedAt: world.now });
    await turn(SYNC_TASK);
    expect(requested('fetchGroup')).to.have.length(2);
  });

  it('waits as long as the platform requests, and skips an undisclosed group', async () => {
    const { platform, turn, chats } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.tells(TOKEN, { type: 'message', group: { chatId: -5n, title: 'Gone' }, from: null });
    await turn();
    platform.fails(new MessengerError('too_many', 'Later.', { retryAfter: 90 }));
    expect(await turn(SYNC_TASK)).to.equal(90_000);
    platform.fails('away');
    expect([await turn(SYNC_TASK), await turn(SYNC_TASK)]).to.deep.equal([1_000, 2_000]);
    platform.fails(null);
    expect(await turn(SYNC_TASK)).to.equal(DAY);
    const synced = Object.fromEntries((await chats()).map((c) => [c.title, c.syncedAt !== null]));
    expect(synced).to.deep.equal({ Harbour: true, Gone: false });
  });

  it('follows a migrated group, and preserves its data', async () => {
    const { platform, turn, core, caller, bot, chats } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.joins(CHAT, person(1));
    await turn();
    platform.moves(CHAT, -999n);
    const card = await core.bots.syncBotChat(caller, bot.id, CHAT);
    expect(card).to.include({ chatId: -999n, knownCount: 1, memberCount: 2 });
    await turn();
    expect((await chats()).map(({ chatId }) => chatId)).to.deep.equal([-999n]);
  });

  it('repeats a query whose reply may be outdated, and stops after a maximum', async () => {
    const { platform, turn, world, core, caller, bot, chats, asked: requested } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.stands(CHAT, person(1), 'administrator');
    await turn();
    const disclose = platform.fetchGroup.bind(platform);
    let busy = 1;
    platform.fetchGroup = async (token, chatId) => {
      const reported = await disclose(token, chatId);
      // While the reply is in transit, and reported before it arrives.
      if (busy-- > 0) {
        platform.stands(CHAT, person(1), busy % 2 ? 'administrator' : 'member');
        await turn();
      }
      return reported;
    };
    await core.bots.syncBotChat(caller, bot.id, CHAT);
    const { members } = await core.bots.getBotChat(caller, bot.id, CHAT);
    expect(members.map(({ role }) => role)).to.deep.equal(['member']);
    expect(requested('fetchGroup')).to.have.length(2);
    busy = 10;
    const never = await core.bots.syncBotChat(caller, bot.id, CHAT).catch((e: unknown) => e);
    expect((never as { code: string }).code).to.equal('unavailable');
    expect(requested('fetchGroup')).to.have.length(5);
    // A group that keeps changing is queried again soon, not tomorrow.
    await turn(SYNC_TASK);
    busy = 9;
    expect(await turn(SYNC_TASK)).to.equal(60_000);
    busy = 0;
    expect(await turn(SYNC_TASK)).to.equal(DAY);
    expect((await chats())[0]).to.include({ memberCount: 2, syncedAt: world.now });
  });

  it('preserves known facts of a group of which the platform discloses less', async () => {
    const { platform, turn, core, caller, bot } = await opened();
    const members = [[person(1), 'creator']] as const;
    platform.group(CHAT, 'Harbour', { description: 'Of ships', members, others: 5 });
    platform.placesBot(TOKEN, CHAT, 'member');
    await turn();
    await core.bots.syncBotChat(caller, bot.id, CHAT);
    const disclosed = { title: '', description: null, memberCount: null, administrators: null };
    platform.fetchGroup = () => Promise.resolve(disclosed);
    await core.bots.syncBotChat(caller, bot.id, CHAT);
    const { chat, members: known } = await core.bots.getBotChat(caller, bot.id, CHAT);
    expect(chat).to.include({ title: 'Harbour', description: 'Of ships', memberCount: 7 });
    expect(known.map(({ role }) => role)).to.deep.equal(['creator']);
  });

  it('removes the role of administrators who are no longer listed, and adds those who never wrote', async () => {
    const { platform, turn, core, caller, bot } = await opened();
    platform.group(CHAT, 'Harbour', { members: [[person(1), 'creator']], others: 5 });
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.tells(TOKEN, {
      type: 'standing',
      group: { chatId: CHAT, title: 'Harbour' },
      person: person(2),
      role: 'administrator',
    });
    await turn();
    await core.bots.syncBotChat(caller, bot.id, CHAT);
    const { chat, members } = await core.bots.getBotChat(caller, bot.id, CHAT);
    expect(chat).to.include({ memberCount: 7, knownCount: 2 });
    expect(
      members.map(({ userId, role, source, lastSeenAt }) => [userId, role, source, lastSeenAt]),
    ).to.deep.equal([
      [1n, 'creator', 'admin_list', null],
      [2n, 'member', 'member_update', null],
    ]);
    platform.says(CHAT, person(1));
    await turn();
    const later = await core.bots.getBotChat(caller, bot.id, CHAT);
    expect(later.members[0]).to.include({ source: 'message', role: 'creator' });
  });
});

describe('a reminder by a bot', () => {
  async function linked() {
    const world = await opened();
    const { platform, core, caller, bot, turn, world: clock } = world;
    platform.writes(TOKEN, person(5), `/start ${bot.linkCode}`);
    await turn();
    await core.settings.putSettings(caller, { calendarRemindersMessenger: true });
    const remind = async () => {
      const at = clock.now + 60_000;
      await core.calendar.createEvent(caller, {
        title: 'High tide',
        startsAt: { local: at, offsetMinutes: 0 },
        endsAt: { local: at + HOUR, offsetMinutes: 0 },
        tz: 'UTC',
        reminders: [0],
      });
      clock.now = at;
      await core.background.sendDueReminders();
    };
    return { ...world, remind };
  }

  it("is sent to the owner's chat once, in addition to the notification", async () => {
    const { remind, turn, platform, told: reported } = await linked();
    await remind();
    await turn(REMIND_TASK);
    expect(platform.sent).to.deep.equal([
      { token: TOKEN, chatId: 5n, text: 'High tide\n2026-01-01 at 00:01 (UTC)' },
    ]);
    expect(await turn(REMIND_TASK)).to.equal(undefined);
    expect((await reported()).map(({ kind }) => kind)).to.deep.equal(['calendar.reminder']);
  });

  it('is retried for an hour, and then dropped', async () => {
    const { remind, turn, platform, world, taskOf } = await linked();
    await remind();
    const from = world.now;
    platform.fails('away');
    for (let turns = 0; turns < 200 && (await taskOf(REMIND_TASK)); turns++)
      await turn(REMIND_TASK);
    expect(await taskOf(REMIND_TASK)).to.equal(undefined);
    expect(world.now - from).to.be.within(HOUR, HOUR + 61_000);
    expect(platform.sent).to.deep.equal([]);
  });

  it('unlinks a chat to which the bot may not write, and is not sent without a linked chat', async () => {
    const { remind, turn, platform, find, taskOf } = await linked();
    await remind();
    platform.fails(new MessengerError('forbidden', 'Blocked.'));
    await turn(REMIND_TASK);
    expect((await find()).ownerChatId).to.equal(null);
    platform.fails(null);
    await remind();
    expect(await taskOf(REMIND_TASK)).to.equal(undefined);
    expect(platform.sent).to.deep.equal([]);
  });

  it('is sent by the newest linked bot only', async () => {
    const { remind, platform, core, caller, world, scope, backend } = await linked();
    world.now += 1_000;
    platform.account('newer');
    platform.account('newest');
    const { bot } = await core.bots.registerBot(caller, { platform: 'telegram', token: 'newer' });
    await core.bots.registerBot(caller, { platform: 'telegram', token: 'newest' });
    await backend.uow.write(scope, async ({ bots }) => {
      await bots.save({ ...((await bots.find(bot.id)) as Bot), ownerChatId: 6n });
    });
    platform.writes('newer', person(6), 'hello');
    await remind();
    const tasks = await backend.uow.read(scope, ({ tasks: all }) =>
      all.findFor(bot.id, REMIND_TASK),
    );
    await core.background.runTask(tasks[0]?.id ?? '');
    expect(platform.sent.map(({ token, chatId }) => [token, chatId])).to.deep.equal([
      ['newer', 6n],
    ]);
  });
});
