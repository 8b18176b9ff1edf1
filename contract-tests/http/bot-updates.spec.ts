import { expect } from 'chai';
import type { MessengerPerson } from '../../ports/messenger.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const TOKEN = '7700000001:AAF-brings-what-happens';
const CHAT = -71n;
const person = (userId: bigint): MessengerPerson => ({
  userId,
  displayName: `P ${userId}`,
  username: '',
  isBot: false,
});

/** A service with one bot in one group. */
async function opened(profile: (typeof profiles)[number], env: Record<string, string> = {}) {
  const platform = await openMessengerService();
  platform.account(TOKEN);
  platform.group(CHAT, 'Harbour');
  const service = await startService(profile, { MESSENGER_API_URL: platform.origin, ...env });
  const register = async (): Promise<Answer['json']> =>
    (await service.call('POST', '/v1/bots', { body: { platform: 'telegram', token: TOKEN } })).json;
  return { platform, service, register };
}

const detail = async (service: Service, id: string): Promise<Answer['json']> =>
  (await service.call('GET', `/v1/bots/${id}/chats/${CHAT}`)).json;

for (const profile of profiles)
  describe(`${profile}: updates of bots`, function () {
    this.timeout(240_000);

    describe('with a webhook', () => {
      let platform: MessengerService;
      let service: Service;
      let bot: Answer['json'];
      before(async () => {
        let register: () => Promise<Answer['json']>;
        ({ platform, service, register } = await opened(profile, {
          PUBLIC_URL: 'https://workspace.test/base/',
          TRUST_PROXY: '1',
        }));
        bot = await register();
      });
      after(async () => {
        await service.dispose();
        await platform.close();
      });

      const path = () => `/v1/bots/${bot.id}/webhook`;
      const push = (secret: string | undefined, raw: string, at = path(), from = '10.0.0.1') =>
        service.call('POST', at, {
          token: null,
          raw,
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': from,
            ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
          },
        });
      const secret = () => platform.webhook(TOKEN)?.secret ?? '';

      it('the webhook is set before the registration responds', async () => {
        expect(platform.webhook(TOKEN)?.address).to.equal(
          `https://workspace.test/base/v1/bots/${bot.id}/webhook`,
        );
        expect(secret().length).to.be.within(32, 256);
        expect(JSON.stringify(bot)).not.to.include(secret());
      });

      it('updates are applied before the response', async () => {
        const webhook = platform.webhook(TOKEN);
        platform.placesBot(TOKEN, CHAT, 'administrator');
        platform.says(CHAT, person(1n));
        for (const body of platform.bring(TOKEN)) {
          const { status, text } = await push(webhook?.secret, body);
          expect([status, text]).to.deep.equal([200, '{}']);
        }
        expect((await detail(service, bot.id)).known_count).to.equal(1);
      });

      it('repeated updates get the same response and change nothing, in any order', async () => {
        platform.joins(CHAT, person(2n));
        platform.leaves(CHAT, person(2n));
        const [joined = '', left = ''] = platform.bring(TOKEN);
        for (const body of [left, joined, left, joined, joined])
          expect((await push(secret(), body)).status).to.equal(200);
        expect((await detail(service, bot.id)).known_count).to.equal(1);
      });

      it('requests for an unknown bot, without a secret or with a wrong one are rejected alike', async () => {
        platform.says(CHAT, person(3n));
        const [body = ''] = platform.bring(TOKEN);
        const unknown = '/v1/bots/7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f/webhook';
        let address = 0;
        const from = () => `10.2.0.${++address}`;
        const refused = [
          await push(undefined, body, path(), from()),
          await push('', body, path(), from()),
          await push('wrong', body, path(), from()),
          await push(`${secret()}x`, body, path(), from()),
          await push(secret(), body, unknown, from()),
          await push(secret(), body, '/v1/bots/x/webhook', from()),
          await push('wrong', 'no json', path(), from()),
        ];
        for (const { status, text, headers } of refused) {
          expect(status).to.equal(401);
          expect(text).to.equal('{"detail":"Not authenticated","code":"unauthorized"}');
          expect(headers.get('www-authenticate')).to.equal('Bearer');
        }
        const bearer = await service.call('POST', path(), { raw: body });
        expect(bearer.status).to.equal(401);
        expect((await detail(service, bot.id)).known_count).to.equal(1);
      });

      it('a busy bot is not rate limited, but guessing is', async () => {
        const bodies = Array.from({ length: 90 }, () => {
          platform.says(CHAT, person(4n));
          return platform.bring(TOKEN)[0] ?? '';
        });
        const statuses = new Set<number>();
        for (const body of bodies) statuses.add((await push(secret(), body)).status);
        expect([...statuses]).to.deep.equal([200]);
        const guesses: number[] = [];
        for (let i = 0; i < 62; i++)
          guesses.push((await push('guess', '{}', path(), '10.3.0.1')).status);
        expect(guesses[0]).to.equal(401);
        expect(guesses.at(-1)).to.equal(429);
      });

      it('an invalid update is 422, and one that is too large 413', async () => {
        for (const [body, type] of [
          ['{}', 'value_error'],
          ['{"update_id":"x"}', 'value_error'],
          ['[]', 'model_attributes_type'],
          ['null', 'missing'],
          ['', 'missing'],
          ['{', 'json_invalid'],
        ] as const) {
          const { status, json } = await push(secret(), body);
          expect(status, body).to.equal(422);
          expect(json.detail[0].type, body).to.equal(type);
          expect(json.detail[0].loc[0]).to.equal('body');
        }
        const strange = await push(secret(), '{"update_id":77,"a_thing_of_tomorrow":{}}');
        expect(strange.status).to.equal(200);
        const long = await push(secret(), JSON.stringify({ update_id: 1, x: 'x'.repeat(2 ** 20) }));
        expect(long.status).to.equal(413);
      });

      it('updates are neither lost during downtime nor duplicated after a late response', async () => {
        platform.says(CHAT, person(5n));
        const pending = platform.pending(TOKEN);
        service = await service.restart('SIGKILL');
        const brought = platform.bring(TOKEN);
        expect(brought).to.have.length(pending);
        for (const body of brought) {
          expect((await push(secret(), body)).status).to.equal(200);
          expect((await push(secret(), body)).status).to.equal(200);
        }
        expect((await detail(service, bot.id)).known_count).to.equal(3);
      });

      it('a deleted bot is no longer polled', async () => {
        const gone = await service.call('DELETE', `/v1/bots/${bot.id}`);
        expect(gone.status).to.equal(200);
        await eventually(
          () => Promise.resolve(platform.webhook(TOKEN)),
          (webhook) => webhook === null,
        );
        expect(platform.webhook(TOKEN)).to.equal(null);
      });
    });

    it('that are polled are neither lost nor duplicated, however often the process dies', async () => {
      const { platform, service: first, register } = await opened(profile);
      let service = first;
      try {
        const { id } = await register();
        await eventually(() => Promise.resolve(platform.waits(TOKEN)), Boolean);
        platform.placesBot(TOKEN, CHAT, 'administrator');
        let said = 0;
        for (let round = 0; round < 6; round++) {
          for (let i = 0; i < 40; i++) platform.says(CHAT, person(BigInt(++said)));
          // Somewhere between fetching and applying, or after.
          await new Promise((resolve) => setTimeout(resolve, round * 7));
          service = await service.restart('SIGKILL');
        }
        await eventually(
          () => detail(service, id),
          (card) => card.known_count === said,
          60_000,
        );
        const card = await detail(service, id);
        expect(card.known_count).to.equal(said);
        expect(card.members).to.have.length(said);
        const ids = card.members.map(
          (each: { messenger_user_id: number }) => each.messenger_user_id,
        );
        expect(new Set(ids).size).to.equal(said);
        await eventually(
          () => Promise.resolve(platform.pending(TOKEN)),
          (left) => left === 0,
          40_000,
        );
        expect(platform.pending(TOKEN)).to.equal(0);
      } finally {
        await service.dispose();
        await platform.close();
      }
    });

    if (profile === 'team')
      it('are applied once by two processes', async () => {
        const { platform, service, register } = await opened(profile);
        const other = await service.beside();
        try {
          const { id } = await register();
          await eventually(() => Promise.resolve(platform.waits(TOKEN)), Boolean);
          platform.placesBot(TOKEN, CHAT, 'administrator');
          for (let i = 1; i <= 300; i++) {
            platform.joins(CHAT, person(BigInt(i)));
            if (i % 3 === 0) platform.leaves(CHAT, person(BigInt(i)));
          }
          const seen = async () => (await detail(other, id)).known_count as number;
          await eventually(seen, (known) => known === 200, 40_000);
          expect(await seen()).to.equal(200);
          // The polling process dies; the other continues.
          await service.stop('SIGKILL');
          platform.joins(CHAT, person(1_000n));
          await eventually(seen, (known) => known === 201, 60_000);
          expect(await seen()).to.equal(201);
        } finally {
          await other.stop('SIGKILL');
          await service.dispose();
          await platform.close();
        }
      });
  });
