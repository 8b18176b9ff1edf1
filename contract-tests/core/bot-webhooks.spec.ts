import { expect } from 'chai';
import { UPDATES_TASK } from '../../core/bots/index.ts';
import { MessengerError, type MessengerPerson } from '../../ports/messenger.ts';
import { backends } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

const TOKEN = '78:AAF-a-token';
const CHAT = -100n;
const SECOND = 1_000;
const HOUR = 3_600_000;
const PORT =
  'The platform delivers updates to the ports 443, 80, 88 and 8443 only. PUBLIC_URL has another port.';
const CERTIFICATE = 'The platform does not trust the certificate of the server at PUBLIC_URL.';

const person = (id: number): MessengerPerson => ({
  userId: BigInt(id),
  displayName: `P ${id}`,
  username: '',
  isBot: false,
});

const openMemory = backends.find(([name]) => name === 'memory')?.[1];

/** A bot of a service with an https address, whose tasks run one at a time. */
async function opened({ refusal = null as string | null, url = 'https://one.test' } = {}) {
  const backend = await openMemory?.();
  if (!backend) throw new Error('There is no memory backend in this run.');
  const place = { url };
  const world = await openCoreFixture(backend, undefined, { publicUrl: () => place.url });
  const { platform, core, caller } = world;
  platform.account(TOKEN);
  platform.group(CHAT, 'Harbour');
  platform.webhookRefusal = refusal;
  const registered = await core.bots.registerBot(caller, { platform: 'telegram', token: TOKEN });
  const { id } = registered.bot;
  const task = async () =>
    (await backend.uow.read(caller.scope, ({ tasks }) => tasks.findFor(id, UPDATES_TASK)))[0];
  /** Runs the task when it is due, and returns the delay until its next run. */
  const turn = async (): Promise<number> => {
    const due = await task();
    world.now = Math.max(world.now, due?.dueAt ?? 0);
    let isEnded = false;
    const run = core.background.runTask(due?.id ?? '').finally(() => (isEnded = true));
    while (!isEnded) {
      await new Promise((resolve) => setImmediate(resolve));
      if (platform.waits(TOKEN)) platform.timePasses();
    }
    await run;
    return ((await task())?.dueAt ?? 0) - world.now;
  };
  const card = async () => (await core.bots.getBot(caller, id)).bot.reception;
  const news = async () => {
    const page = { unreadOnly: false, limit: 100, offset: 0 };
    const { items } = await core.notifications.listNotifications(caller, page);
    return items.map(({ kind, payload }) => [kind, payload['state'], payload['error_code']]);
  };
  const asked = (call: string) => platform.asked.filter((each) => each.call === call).length;
  const bring = async () => {
    const found = await core.bots.admitPlatform(id, platform.webhook(TOKEN)?.secret);
    for (const body of platform.bring(TOKEN)) await core.bots.receiveUpdate(found, body);
  };
  const known = async () => {
    const page = { limit: 10, offset: 0 };
    return (await core.bots.listBotChats(caller, id, page)).items[0]?.knownCount;
  };
  return { ...world, world, place, turn, card, news, asked, bring, known };
}

describe('a webhook of a bot', () => {
  it('that the platform refuses is replaced by polling, of which the owner is notified once', async () => {
    const { platform, turn, card, news, asked, place, world, known } = await opened({
      refusal: PORT,
    });
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.joins(CHAT, person(1));
    expect(await turn()).to.equal(0);
    expect(await turn()).to.equal(SECOND);
    expect(await known()).to.equal(1);
    expect(await card()).to.deep.include({ state: 'polling', reason: PORT });
    for (let i = 0; i < 20; i++) await turn();
    // It is set again after 1, 2, 4, … 24 hours, not more often.
    for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
      const before = asked('setWebhook');
      world.now += hours * HOUR - 60 * SECOND;
      await turn();
      expect(asked('setWebhook'), `before ${hours}`).to.equal(before);
      world.now += 60 * SECOND;
      await turn();
      expect(asked('setWebhook'), `after ${hours}`).to.equal(before + 1);
    }
    expect(await news()).to.deep.equal([['bot.failed', 'polling', 'webhook_port']]);
    // Another reason is news.
    platform.webhookRefusal = CERTIFICATE;
    world.now += 24 * HOUR;
    await turn();
    expect(await news()).to.have.length(2);
    // Another address is tried at once. No update is lost on the way.
    platform.webhookRefusal = null;
    place.url = 'https://two.test';
    platform.joins(CHAT, person(2));
    await turn();
    expect(platform.webhook(TOKEN)?.address).to.include('https://two.test/');
    expect(await card()).to.include({ state: 'webhook', reason: '' });
  });

  it('that the platform cannot deliver to is removed, and its updates are polled', async () => {
    const { platform, turn, card, news, asked, world, known } = await opened();
    expect(await card()).to.include({ state: 'webhook' });
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.joins(CHAT, person(1));
    platform.failsToDeliver(TOKEN, CERTIFICATE);
    expect([await turn(), await turn(), await turn()]).to.deep.equal([15 * SECOND, 0, SECOND]);
    expect(platform.webhook(TOKEN)).to.equal(null);
    expect(await known()).to.equal(1);
    expect(await card()).to.deep.include({ state: 'polling', reason: CERTIFICATE });
    expect(await news()).to.deep.equal([['bot.failed', 'polling', 'webhook_certificate']]);
    // An hour later it fails in the same way.
    world.now += HOUR;
    expect(await turn()).to.equal(15 * SECOND);
    expect(await card()).to.include({ state: 'webhook', reason: '' });
    platform.joins(CHAT, person(2));
    platform.failsToDeliver(TOKEN, CERTIFICATE);
    for (let i = 0; i < 3; i++) await turn();
    expect(await known()).to.equal(2);
    expect(await news()).to.have.length(1);
    expect(asked('setWebhook')).to.equal(2);
    world.now += HOUR;
    await turn();
    expect(asked('setWebhook')).to.equal(2);
  });

  it('that delivers again is sound, so that a later failure is news', async () => {
    const { platform, turn, card, news, world, bring, known } = await opened({ refusal: PORT });
    await turn();
    platform.webhookRefusal = null;
    world.now += HOUR;
    await turn();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.joins(CHAT, person(1));
    world.now += SECOND;
    await bring();
    expect(await known()).to.equal(1);
    await turn();
    expect(await card()).to.deep.equal({ state: 'webhook', reason: '', failedWebhook: null });
    platform.webhookRefusal = PORT;
    platform.joins(CHAT, person(2));
    platform.failsToDeliver(TOKEN, PORT);
    for (let i = 0; i < 8; i++) await turn();
    expect(await known()).to.equal(2);
    expect(await news()).to.have.length(2);
  });

  it('remains while updates arrive, although others wait, and after a failure long ago', async () => {
    const { platform, turn, card, news, bring, world } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.failsToDeliver(TOKEN, CERTIFICATE);
    for (let i = 1; i < 12; i++) {
      await turn();
      await bring();
      platform.joins(CHAT, person(i));
    }
    await bring();
    expect(await card()).to.include({ state: 'webhook' });
    world.now += 2 * HOUR;
    platform.joins(CHAT, person(20));
    for (let i = 0; i < 3; i++) await turn();
    expect(await card()).to.include({ state: 'webhook' });
    expect(await news()).to.deep.equal([]);
  });

  it('to which updates are not delivered for minutes, without a failure, is removed', async () => {
    const { platform, turn, card, known } = await opened();
    platform.placesBot(TOKEN, CHAT, 'member');
    platform.joins(CHAT, person(1));
    let turns = 0;
    while ((await known()) !== 1 && turns < 20) {
      await turn();
      turns++;
    }
    expect(turns).to.be.within(9, 12);
    expect((await card()).reason).to.match(/does not deliver updates/);
  });

  it('is not looked at on a platform without such a method, where only the token is tested', async () => {
    const { platform, turn, asked, card } = await opened();
    for (const reason of ['refused', 'unauthorized'] as const) {
      platform.webhookReport = () => Promise.reject(new MessengerError(reason, 'Not Found'));
      const before = asked('identify');
      await turn();
      expect(asked('identify')).to.equal(before + 1);
      expect(await card()).to.include({ state: 'webhook', reason: '' });
    }
    platform.fails(new MessengerError('unauthorized', 'No.'));
    await turn();
    await turn();
    expect(await card()).to.include({ state: 'refused' });
  });

  it('is looked at less and less often, and then hourly', async () => {
    const { turn, asked, world } = await opened();
    const lookTimes: number[] = [];
    const start = world.now;
    for (let i = 0, seen = 0; i < 4 * 240; i++) {
      await turn();
      const looks = asked('webhookReport');
      if (looks > seen) lookTimes.push((world.now - start) / SECOND);
      seen = looks;
    }
    expect(lookTimes.slice(0, 5)).to.deep.equal([15, 30, 45, 75, 135]);
    const last = lookTimes.at(-1) ?? 0;
    expect(last - (lookTimes.at(-2) ?? 0)).to.equal(3_600);
    expect(lookTimes.length).to.be.lessThan(14);
    // The look also tests the token: the account is not requested in addition.
    expect(asked('identify')).to.equal(1);
  });

  it('that another program removes is set again, and the owner is notified if that continues', async () => {
    const { platform, turn, card, news, world } = await opened();
    await platform.deleteWebhook(TOKEN);
    await turn();
    expect(platform.webhook(TOKEN)).not.to.equal(null);
    expect(await card()).to.include({ state: 'webhook' });
    expect(await news()).to.deep.equal([]);
    for (let i = 0; i < 6; i++) {
      await platform.deleteWebhook(TOKEN);
      await turn();
    }
    expect(await card()).to.include({ state: 'conflict' });
    expect(await news()).to.deep.equal([['bot.failed', 'conflict', 'other_client']]);
    world.now += HOUR;
    await turn();
    expect(await card()).to.include({ state: 'webhook', reason: '' });
  });
});

describe('a bot that is polled', () => {
  const conflict = new MessengerError('conflict', 'Another program polls.');
  const polledBot = () => opened({ url: 'http://plain.test' });

  it('shows a conflict at once, and its owner is notified once when it has lasted for a minute', async () => {
    const { platform, turn, card, news } = await polledBot();
    platform.fails(conflict);
    await turn();
    expect(await card()).to.include({ state: 'polling', reason: '' });
    for (let i = 0; i < 3; i++) await turn();
    expect(await card()).to.include({ state: 'conflict' });
    expect(await news()).to.deep.equal([]);
    for (let i = 0; i < 10; i++) await turn();
    expect(await news()).to.deep.equal([['bot.failed', 'conflict', 'other_client']]);
    platform.fails(null);
    for (let i = 0; i < 30; i++) await turn();
    expect(await card()).to.include({ state: 'polling', reason: '' });
    // Later it is news again.
    platform.fails(conflict);
    for (let i = 0; i < 10; i++) await turn();
    expect(await news()).to.have.length(2);
  });

  it('shows a platform that cannot be reached, and a token that is not accepted', async () => {
    const { platform, turn, card, news } = await polledBot();
    platform.fails('away');
    await turn();
    await turn();
    expect(await card()).to.include({ state: 'polling' });
    await turn();
    expect(await card()).to.include({
      state: 'unavailable',
      reason: 'The platform cannot be reached.',
    });
    platform.fails(new MessengerError('unauthorized', 'No.'));
    await turn();
    expect((await card()).state).to.equal('refused');
    platform.fails(null);
    await turn();
    expect(await card()).to.deep.equal({ state: 'polling', reason: '', failedWebhook: null });
    expect(await news()).to.deep.equal([['bot.refused', undefined, undefined]]);
  });
});
