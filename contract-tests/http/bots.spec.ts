import { expect } from 'chai';
import type { MessengerPerson } from '../../ports/messenger.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

const person = (userId: bigint, name = `P ${userId}`): MessengerPerson => ({
  userId,
  displayName: name,
  username: `u${userId}`,
  isBot: false,
});

let bots = 0;
/** As the platform writes them. */
const newToken = () => `${7_000_000_000 + ++bots}:AAF-${'x'.repeat(20)}${bots}`;

for (const profile of profiles)
  describe(`${profile}: bots`, function () {
    this.timeout(240_000);
    let service: Service;
    let platform: MessengerService;
    before(async () => {
      platform = await openMessengerService();
      service = await startService(profile, {
        MESSENGER_API_URL: platform.origin,
        TRUST_PROXY: '1',
      });
    });
    after(async () => {
      await service.dispose();
      await platform.close();
    });

    const call = (method: string, path: string, body?: unknown, token = service.token) =>
      service.call(method, `/v1${path}`, { token, ...(body !== undefined && { body }) });
    const accounted = (account = {}): string => {
      const token = newToken();
      platform.account(token, account);
      return token;
    };
    const register = async (
      token = accounted(),
      owner = service.token,
    ): Promise<Answer['json']> => {
      const { status, json } = await call('POST', '/bots', { platform: 'telegram', token }, owner);
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    const chats = async (id: string): Promise<readonly Answer['json'][]> =>
      (await call('GET', `/bots/${id}/chats`)).json.items;
    const chat = (id: string, chatId: bigint) => call('GET', `/bots/${id}/chats/${chatId}`);
    const seen = (id: string, good: (items: readonly Answer['json'][]) => boolean) =>
      eventually(() => chats(id), good, 20_000);

    it('are registered with a valid token, and visible to their tenant', async () => {
      const token = accounted({ username: 'harbour_bot', name: 'Harbour' });
      const bot = await register(token);
      expect(Object.keys(bot)).to.deep.equal(
        'id platform username name created_at link_code owner_linked state last_error last_error_code last_error_fact'.split(
          ' ',
        ),
      );
      expect(bot).to.include({
        platform: 'telegram',
        username: 'harbour_bot',
        name: 'Harbour',
        owner_linked: false,
        state: 'polling',
        last_error: '',
        last_error_code: null,
        last_error_fact: '',
      });
      expect(bot.link_code.length).to.be.greaterThan(10);
      const list = (await call('GET', '/bots')).json;
      expect(list.items[0]).to.deep.equal(bot);
      expect(list.total).to.equal(list.items.length);
      expect((await call('GET', `/bots/${bot.id}`)).json).to.deep.equal(bot);
      const again = await register(token);
      expect(again).to.deep.equal(bot);
    });

    it('are rejected with an unknown token, which no response contains', async () => {
      for (const [token, type] of [
        ['12345:nobody-knows-this', 'value_error'],
        ['', 'string_too_short'],
        ['with blanks', 'string_pattern_mismatch'],
        [7, 'string_type'],
      ] as const) {
        const { status, json, text } = await call('POST', '/bots', { platform: 'telegram', token });
        expect(status).to.equal(422);
        expect(json.detail).to.have.length(1);
        expect(json.detail[0]).to.include({ type });
        expect(json.detail[0].loc).to.deep.equal(['body', 'token']);
        expect(json.detail[0]).not.to.have.property('input');
        if (token !== '' && token !== 7) expect(text).not.to.include(token);
      }
      const none = await call('POST', '/bots', {});
      expect(none.json.detail.map(({ type }: { type: string }) => type)).to.deep.equal([
        'missing',
        'missing',
      ]);
      const other = await call('POST', '/bots', { platform: 'pigeon', token: 'x' });
      expect(other.json.detail[0].type).to.equal('literal_error');
    });

    it('are unique per account across owners; a repeat with its key creates none', async () => {
      const token = accounted();
      await register(token);
      const other = await service.newOwner();
      const taken = await call('POST', '/bots', { platform: 'telegram', token }, other.token);
      expect([taken.status, taken.json.code]).to.deep.equal([409, 'bot_exists']);
      const fresh = accounted();
      const body = { platform: 'telegram', token: fresh };
      const headers = { 'idempotency-key': 'one-bot' };
      const first = await service.call('POST', '/v1/bots', { body, headers });
      const second = await service.call('POST', '/v1/bots', { body, headers });
      expect(second.text).to.equal(first.text);
      expect(second.headers.get('idempotent-replayed')).to.equal('true');
    });

    it('can be read by their tenant and changed by their owner, and are missing for others', async () => {
      await service.cli('tenant', 'create', 'harbour');
      const [owner, mate] = [
        await service.newOwner(undefined, 'harbour'),
        await service.newOwner(undefined, 'harbour'),
      ];
      const stranger = await service.newOwner();
      const token = accounted();
      const bot = await register(token, owner.token);
      platform.group(-51n, 'Watch');
      platform.placesBot(token, -51n, 'member');
      await eventually(
        () => call('GET', `/bots/${bot.id}/chats`, undefined, owner.token),
        ({ json }) => json.total === 1,
      );
      const looked = (of: string) =>
        Promise.all(
          [`/bots/${bot.id}`, `/bots/${bot.id}/chats`, `/bots/${bot.id}/chats/-51`].map((path) =>
            call('GET', path, undefined, of),
          ),
        );
      const [mine, theirs] = [await looked(owner.token), await looked(mate.token)];
      expect(theirs.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(theirs[0]?.json).to.deep.equal({ ...mine[0]?.json, link_code: null });
      // With the code one gets the reminders: that is more than reading.
      const reading = await call(
        'POST',
        '/tokens',
        { name: 'reading', access: 'read' },
        owner.token,
      );
      const read = await looked(reading.json.token);
      expect(read.map(({ text }) => text)).to.deep.equal(theirs.map(({ text }) => text));
      const list = await call('GET', '/bots', undefined, reading.json.token);
      expect(list.json.items).to.deep.equal([theirs[0]?.json]);
      expect(theirs[1]?.text).to.equal(mine[1]?.text);
      expect(theirs[2]?.text).to.equal(mine[2]?.text);
      expect((await call('GET', '/bots', undefined, mate.token)).json.items).to.deep.equal([
        theirs[0]?.json,
      ]);
      expect((await call('GET', '/bots', undefined, stranger.token)).json.total).to.equal(0);

      const changes = (id: string) =>
        [
          ['PATCH', `/bots/${id}/chats/-51`, { proactive_allowed: true }],
          ['POST', `/bots/${id}/chats/-51/sync`, undefined],
          ['DELETE', `/bots/${id}`, undefined],
        ] as const;
      for (const [method, path, body] of changes(bot.id)) {
        const refused = await call(method, path, body, mate.token);
        expect([refused.status, refused.json.code], path).to.deep.equal([403, 'forbidden']);
        const foreign = await call(method, path, body, stranger.token);
        const missing = await call(method, path.replace(bot.id, MISSING), body, stranger.token);
        expect(foreign.status).to.equal(404);
        expect(foreign.text).to.equal(missing.text);
      }
      for (const { status, text } of await looked(stranger.token)) {
        expect(status).to.equal(404);
        expect(text).to.equal('{"detail":"Not found.","code":"not_found"}');
      }
      expect((await looked(owner.token)).map(({ text }) => text)).to.deep.equal(
        mine.map(({ text }) => text),
      );

      const granted = await call(
        'PATCH',
        `/bots/${bot.id}/chats/-51`,
        { proactive_allowed: true },
        owner.token,
      );
      expect(granted.status).to.equal(200);
      expect(granted.json).to.deep.equal({ ...mine[1]?.json.items[0], proactive_allowed: true });
      for (const body of [{}, { proactive_allowed: null }]) {
        const stored = await call('PATCH', `/bots/${bot.id}/chats/-51`, body, owner.token);
        expect(stored.json.proactive_allowed).to.equal(true);
      }
      for (const value of ['true', 1, [], {}]) {
        const wrong = { proactive_allowed: value };
        const answer = await call('PATCH', `/bots/${bot.id}/chats/-51`, wrong, owner.token);
        expect([answer.status, answer.json.detail[0].type]).to.deep.equal([422, 'bool_type']);
      }
      const gone = await call('DELETE', `/bots/${bot.id}`, undefined, owner.token);
      expect([gone.status, gone.json]).to.deep.equal([200, { deleted: true }]);
      expect((await call('GET', `/bots/${bot.id}`, undefined, owner.token)).status).to.equal(404);
      // Its account may be registered anew, and knows nothing of before.
      const anew = await register(token, mate.token);
      expect(anew.id).not.to.equal(bot.id);
      const { json } = await call('GET', `/bots/${anew.id}/chats`, undefined, mate.token);
      expect(json).to.deep.equal({ items: [], total: 0 });
    });

    it('know their groups from polled updates', async () => {
      const token = accounted();
      const bot = await register(token);
      const [ada, bea, cid, dee] = [1n, 2n, 3n, 4n].map((id) => person(id)) as [
        MessengerPerson,
        MessengerPerson,
        MessengerPerson,
        MessengerPerson,
      ];
      // From then on it also reports changes of membership.
      await eventually(() => Promise.resolve(platform.waits(token)), Boolean);
      platform.group(-61n, 'Harbour', {
        description: 'Ships and lights',
        others: 40,
        members: [[dee, 'creator']],
      });
      platform.placesBot(token, -61n, 'administrator');
      platform.says(-61n, ada);
      platform.joins(-61n, bea, cid);
      platform.leaves(-61n, cid);
      platform.stands(-61n, person(5n), 'restricted');
      await seen(bot.id, ([card]) => card?.known_count === 3);
      const [card] = await chats(bot.id);
      expect(Object.keys(card)).to.deep.equal(
        'chat_id title collection_id description note_object_id known_count member_count last_seen_at synced_at proactive_allowed'.split(
          ' ',
        ),
      );
      expect(card).to.deep.include({
        chat_id: -61,
        title: 'Harbour',
        collection_id: '',
        description: '',
        note_object_id: '',
        known_count: 3,
        member_count: 0,
        synced_at: '',
        proactive_allowed: false,
      });
      expect(card.last_seen_at).to.match(/^\d{4}-.*\.\d{3}Z$/);
      const synced = await call('POST', `/bots/${bot.id}/chats/-61/sync`);
      expect(synced.status, synced.text).to.equal(200);
      expect(synced.json).to.include({ description: 'Ships and lights', known_count: 4 });
      expect(synced.json.member_count).to.be.at.least(44);
      expect(synced.json.synced_at).to.match(/Z$/);
      const { members, ...rest } = (await chat(bot.id, -61n)).json;
      expect(rest).to.deep.equal(synced.json);
      expect(members).to.deep.equal([
        {
          messenger_user_id: 1,
          display_name: 'P 1',
          username: 'u1',
          is_admin: false,
          last_seen_at: members[0].last_seen_at,
          role: 'member',
          source: 'message',
        },
        ...[
          [2, 'member', 'join', false],
          [4, 'creator', 'admin_list', true],
          [5, 'restricted', 'member_update', false],
        ].map(([id, role, source, admin]) => ({
          messenger_user_id: id,
          display_name: `P ${id}`,
          username: `u${id}`,
          is_admin: admin,
          last_seen_at: '',
          role,
          source,
        })),
      ]);
      expect(members[0].last_seen_at).to.match(/Z$/);
      // A group that becomes a bigger one has another number, and nothing is forgotten.
      await call('PATCH', `/bots/${bot.id}/chats/-61`, { proactive_allowed: true });
      platform.moves(-61n, -1_000_000_000_061n);
      await seen(bot.id, ([first]) => first?.chat_id === -1_000_000_000_061);
      const after = (await chat(bot.id, -1_000_000_000_061n)).json;
      expect(after).to.include({ known_count: 4, proactive_allowed: true, title: 'Harbour' });
      expect(after.members).to.deep.equal(members);
      expect((await chat(bot.id, -61n)).status).to.equal(404);
      // Thrown out, it forgets.
      platform.placesBot(token, -1_000_000_000_061n, null);
      await seen(bot.id, (items) => items.length === 0);
      expect((await chat(bot.id, -1_000_000_000_061n)).status).to.equal(404);
      const out = await call('POST', `/bots/${bot.id}/chats/-1000000000061/sync`);
      expect(out.status).to.equal(404);
    });

    it('preserve 64-bit ids exactly, in URLs and in responses', async () => {
      const token = accounted();
      const bot = await register(token);
      for (const id of [LEAST, MOST, -(2n ** 53n) - 1n]) {
        platform.group(id, `Group ${id}`);
        platform.placesBot(token, id, 'member');
        platform.says(id, person(MOST));
      }
      await seen(bot.id, (items) => items.length === 3);
      const { text } = await call('GET', `/bots/${bot.id}/chats`);
      for (const id of [LEAST, MOST, -(2n ** 53n) - 1n]) {
        expect(text).to.include(`"chat_id":${id},`);
        const one = await chat(bot.id, id);
        expect(one.text).to.include(`"chat_id":${id},`);
        expect(one.text).to.include(`"messenger_user_id":${MOST},`);
        const edited = await call('PATCH', `/bots/${bot.id}/chats/${id}`, {});
        expect(edited.text).to.include(`"chat_id":${id},`);
      }
      const wrong = async (sent: string) =>
        (await call('GET', `/bots/${bot.id}/chats/${sent}`)).json.detail[0];
      expect(await wrong('x')).to.deep.equal({
        type: 'int_parsing',
        loc: ['path', 'chat_id'],
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        input: 'x',
      });
      const above = await call('GET', `/bots/${bot.id}/chats/${MOST + 1n}`);
      expect(above.status).to.equal(422);
      expect(above.text).to.include('"ctx":{"le":9223372036854775807}');
      const below = await call('GET', `/bots/${bot.id}/chats/${LEAST - 1n}`);
      expect(below.text).to.include('"ctx":{"ge":-9223372036854775808}');
      expect((await wrong('1.5')).type).to.equal('int_parsing');
      expect((await call('GET', `/bots/${bot.id}/chats/+5`)).status).to.equal(404);
    });

    it('are linked to the sender of their private code, and send reminders there only', async () => {
      const owner = await service.newOwner();
      const token = accounted();
      const bot = await register(token, owner.token);
      const [me, stranger] = [person(801n), person(802n)];
      platform.group(-81n, 'Others');
      platform.placesBot(token, -81n, 'administrator');
      platform.writes(token, stranger, '/start wrong');
      platform.says(-81n, stranger);
      const mine = () => call('GET', `/bots/${bot.id}`, undefined, owner.token);
      const code = platform.writes(token, me, `/start ${bot.link_code}`);
      await eventually(mine, ({ json }) => json.owner_linked, 20_000);
      expect((await mine()).json.owner_linked).to.equal(true);
      expect((await mine()).json.link_code)
        .to.be.a('string')
        .and.not.equal(bot.link_code);
      platform.writes(token, stranger, `/start ${bot.link_code}`);
      await eventually(
        () => Promise.resolve(platform.acknowledged),
        (all) => all.some((each) => each.messageId === code),
      );
      const sentBy = () => platform.sent.filter((each) => each.token === token);
      const remind = async (title: string) => {
        const start = new Date(Math.ceil((Date.now() + 2_000) / 1_000) * 1_000);
        const { status } = await call(
          'POST',
          '/calendar/events',
          {
            title,
            starts_at: start.toISOString(),
            ends_at: start.toISOString(),
            location: 'Pier 3',
            tz: 'Europe/Berlin',
            reminders: [0],
          },
          owner.token,
        );
        expect(status).to.equal(200);
        const reported = () => call('GET', '/notifications', undefined, owner.token);
        await eventually(
          reported,
          ({ json }) => json.items.some((each: { title: string }) => each.title === title),
          20_000,
        );
      };
      await remind('Unasked');
      await call('PUT', '/settings', { calendar_reminders_messenger: true }, owner.token);
      await remind('High tide');
      await eventually(
        () => Promise.resolve(sentBy()),
        (all) => all.length > 0,
        20_000,
      );
      expect(sentBy()).to.have.length(1);
      expect(sentBy()[0]).to.include({ chatId: me.userId });
      expect(sentBy()[0]?.text).to.match(/^High tide\n.*\(Europe\/Berlin\), Pier 3$/);
      platform.blocks(token, me);
      await eventually(mine, ({ json }) => !json.owner_linked, 20_000);
      expect((await mine()).json.owner_linked).to.equal(false);
    });

    it('notify once of a revoked token, and continue with the new one', async () => {
      const owner = await service.newOwner();
      const token = accounted();
      const bot = await register(token, owner.token);
      platform.revoke(token);
      const refused = async () => {
        const { json } = await call('GET', '/notifications', undefined, owner.token);
        return json.items.filter(({ kind }: { kind: string }) => kind === 'bot.refused');
      };
      await eventually(refused, (all) => all.length > 0, 20_000);
      expect(await refused()).to.have.length(1);
      expect((await refused())[0].payload).to.deep.equal({
        bot_id: bot.id,
        name: `@${bot.username}`,
        cause: 'revoked',
      });
      expect(JSON.stringify(await refused())).not.to.include(token);
      const renewed = `${token}-renewed`;
      platform.account(renewed);
      expect(await register(renewed, owner.token)).to.deep.equal(bot);
      platform.group(-91n, 'After');
      platform.placesBot(renewed, -91n, 'member');
      await eventually(
        () => call('GET', `/bots/${bot.id}/chats`, undefined, owner.token),
        ({ json }) => json.total === 1,
        20_000,
      );
      expect(
        (await call('GET', `/bots/${bot.id}/chats`, undefined, owner.token)).json.total,
      ).to.equal(1);
      expect(await refused()).to.have.length(1);
    });

    it('do not affect the rest of the service while the platform is down or hangs', async () => {
      const token = accounted();
      const bot = await register(token);
      platform.group(-95n, 'Quiet');
      platform.placesBot(token, -95n, 'member');
      await seen(bot.id, (items) => items.length === 1);
      const body = { platform: 'telegram', token: '1:x' };
      for (const trouble of [{ status: 502 }, 'hangs'] as const) {
        platform.injectFault(trouble);
        expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
        expect((await call('GET', '/bots')).status).to.equal(200);
        expect((await chat(bot.id, -95n)).status).to.equal(200);
        const { json } = await call('GET', '/health/../../health/deep');
        const checks = json.checks as readonly { name: string; status: string }[];
        expect(checks.find(({ name }) => name === 'messenger')?.status).to.equal('failed');
      }
      platform.injectFault({ status: 502 });
      expect((await call('POST', '/bots', body)).status).to.equal(503);
      expect((await call('POST', `/bots/${bot.id}/chats/-95/sync`)).status).to.equal(503);
      platform.injectFault({ status: 429, retryAfter: 7 });
      const later = await call('POST', `/bots/${bot.id}/chats/-95/sync`);
      expect([later.status, later.headers.get('retry-after')]).to.deep.equal([503, '7']);
      platform.injectFault(null);
      platform.says(-95n, person(950n));
      // After failures it waits, twice as long each time.
      const [card] = await eventually(
        () => chats(bot.id),
        ([it]) => it?.known_count === 1,
        60_000,
      );
      expect(card?.known_count).to.equal(1);
    });
  });
