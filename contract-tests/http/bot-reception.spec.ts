import { expect } from 'chai';
import type { MessengerPerson } from '../../ports/messenger.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

type Json = Answer['json'];

const person = (userId: bigint): MessengerPerson => ({
  userId,
  displayName: `P ${userId}`,
  username: '',
  isBot: false,
});

let bots = 0;

for (const profile of profiles)
  describe(`${profile}: a bot that would receive nothing`, function () {
    this.timeout(240_000);
    let platform: MessengerService;
    let service: Service;
    before(async () => {
      platform = await openMessengerService();
      service = await startService(profile, {
        MESSENGER_API_URL: platform.origin,
        PUBLIC_URL: 'https://workspace.test:8081',
      });
    });
    after(async () => {
      await service.dispose();
      await platform.close();
    });

    /** A bot of a new owner, in a group. */
    const registered = async () => {
      const number = ++bots;
      const token = `${7_800_000_000 + number}:AAF-${'y'.repeat(20)}`;
      const chatId = -8_000n - BigInt(number);
      platform.account(token, { username: `lamp_${number}_bot` });
      platform.group(chatId, 'Harbour', { others: 40 });
      const { token: owner } = await service.newOwner();
      const body = { platform: 'telegram', token };
      const { status, json } = await service.call('POST', '/v1/bots', { token: owner, body });
      expect(status).to.equal(200);
      const get = async (path: string): Promise<Json> =>
        (await service.call('GET', `/v1${path}`, { token: owner })).json;
      const card = () => get(`/bots/${json.id}`);
      const news = async (): Promise<readonly Json[]> =>
        (await get('/notifications')).items.filter(({ kind }: Json) => kind === 'bot.failed');
      const members = async () => (await get(`/bots/${json.id}/chats`)).items[0]?.known_count;
      const isIn = (state: string) => eventually(card, (it) => it.state === state, 100_000);
      const knows = async (count: number) => {
        expect(await eventually(members, (known) => known === count, 60_000)).to.equal(count);
      };
      return { id: json.id, token, chatId, card, news, isIn, knows };
    };
    const health = async (): Promise<Json> => {
      const { json } = await service.call('GET', '/health/deep');
      return json.checks.find(({ name }: { name: string }) => name === 'messenger');
    };

    for (const [description, code] of [
      [
        'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
        'webhook_port',
      ],
      [
        'Bad Request: bad webhook: Failed to resolve host: Name or service not known',
        'webhook_unknown_host',
      ],
      ['Bad Request: bad webhook: IP address 192.168.1.7 is reserved', 'webhook_private'],
      ['Bad Request: bad webhook: a rule of tomorrow', 'webhook_failed'],
    ] as const)
      it(`polls if its webhook is refused: ${code}`, async () => {
        platform.refusesWebhooks(description);
        const { id, token, chatId, card, news, knows } = await registered();
        platform.placesBot(token, chatId, 'administrator');
        platform.says(chatId, person(1n));
        platform.joins(chatId, person(2n), person(3n));
        await knows(3);
        const { state, last_error: reason, ...rest } = await card();
        expect(state).to.equal('polling');
        expect(rest.last_error_code).to.equal(code);
        const [notice, ...more] = await news();
        expect(more).to.deep.equal([]);
        expect(notice.payload).to.deep.equal({
          bot_id: id,
          name: `@${rest.username}`,
          state: 'polling',
          error_code: code,
          error_fact: '',
        });
        expect(notice.body).to.include(reason);
        expect(platform.webhook(token)).to.equal(null);
        expect(platform.askedFor('setWebhook').filter((it) => it.token === token).length).to.equal(
          2,
        );
        for (const { params } of platform.askedFor('deleteWebhook'))
          expect(params['drop_pending_updates']).not.to.equal(true);
        const found = await eventually(health, ({ detail }) => /polled/.test(detail), 20_000);
        expect(found).to.include({
          status: 'ok',
          detail: 'It answers. At least one bot is polled because its webhook failed.',
        });
        platform.refusesWebhooks(null);
      });

    const pollsWithoutDeliveries = async () => {
      const { token, chatId, card, news, isIn, knows } = await registered();
      expect(await card()).to.include({ state: 'webhook', last_error: '', last_error_code: null });
      platform.placesBot(token, chatId, 'administrator');
      for (let i = 1n; i <= 5n; i++) platform.says(chatId, person(i));
      const statuses = await platform.deliver(token, { origin: service.base });
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      await knows(5);
      platform.joins(chatId, person(6n));
      platform.leaves(chatId, person(6n));
      platform.joins(chatId, person(7n));
      platform.failsToDeliver(token, 'Wrong response from the webhook: 502 Bad Gateway');
      const polled = await isIn('polling');
      expect(polled).to.include({
        last_error: 'The server at PUBLIC_URL answered the platform with status 502.',
        last_error_code: 'webhook_status',
        last_error_fact: '502',
      });
      await knows(6);
      expect(platform.webhook(token)).to.equal(null);
      expect(await news()).to.have.length(1);
    };

    /** @param it a bot that polls */
    const saysConflict = async (it: Awaited<ReturnType<typeof registered>>) => {
      const { id, token, chatId, card, news, isIn, knows } = it;
      platform.hasRival(token, 1_000);
      expect((await isIn('conflict')).last_error_code).to.equal('other_client');
      const conflicts = async () => (await news()).filter((it) => it.payload.state === 'conflict');
      // The notification follows after a minute; once is enough.
      if (profile === 'standalone') {
        const [notice] = await eventually(conflicts, (all) => all.length > 0, 100_000);
        expect(notice.payload).to.include({ bot_id: id, error_code: 'other_client' });
      }
      const found = await eventually(health, ({ detail }) => /no updates/.test(detail), 20_000);
      expect(found.detail).to.include('At least one bot receives no updates.');
      platform.hasRival(token, 0);
      platform.placesBot(token, chatId, 'administrator');
      platform.says(chatId, person(1n));
      await knows(1);
      expect((await isIn('polling')).last_error_code).to.equal('webhook_port');
      expect(await conflicts()).to.have.length(profile === 'standalone' ? 1 : 0);
      expect((await card()).state).to.equal('polling');
    };

    // At the same time, since both wait for most of it.
    it('polls if nothing is delivered to its webhook, and says that another program uses its token', async () => {
      platform.refusesWebhooks(
        'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
      );
      const polling = await registered();
      await eventually(() => Promise.resolve(platform.waits(polling.token)), Boolean);
      platform.refusesWebhooks(null);
      await Promise.all([pollsWithoutDeliveries(), saysConflict(polling)]);
    });
  });
