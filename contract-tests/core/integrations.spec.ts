import { expect } from 'chai';
import { aesSealer } from '../../adapters/node/sealer.ts';
import { rotateSecrets } from '../../core/integrations/index.ts';
import type { Owner } from '../../ports/identity.ts';
import type { ModelRequest } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import { backends, type Backend } from '../backends.ts';
import { aBot } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const SECRET = 'sk-0123456789-last';
const config = { base_url: 'http://models.test/v1', model: 'lamp-7b' };

for (const [name, open] of backends)
  describe(`${name}: connections`, () => {
    let backend: Backend;
    let world: CoreFixture;
    let requested: ModelRequest[];
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(
        backend,
        `integrations-${name}-${process.pid}-${Math.random()}`,
      );
      answers(true);
    });

    const answers = (well: boolean, meanwhile?: () => Promise<unknown>) => {
      requested = [];
      world.model.says = async (request) => {
        requested.push(request);
        await meanwhile?.();
        return well ? { pieces: ['ready'] } : { refused: 401 };
      };
    };
    const connect = (over: object = {}, secret?: string) =>
      world.core.integrations.connectModel(world.caller, {
        config: { ...config, ...over },
        ...(secret !== undefined && { secret }),
      });
    const check = () => world.core.integrations.checkIntegration(world.caller, 'llm');
    const keys = () => requested.map(({ endpoint }) => endpoint.key);
    const stored = () => backend.uow.read(world.caller.scope, (s) => s.integrations.find('llm'));
    const reported = async () =>
      (
        await world.core.notifications.listNotifications(world.caller, {
          unreadOnly: false,
          limit: 50,
          offset: 0,
        })
      ).items.map(({ kind, payload }) => ({ kind, payload }));

    it('store a secret sealed, and show the end of a long one', async () => {
      const card = await connect({ temperature: 0.5 }, SECRET);
      expect(card).to.deep.include({
        status: 'ok',
        secretHint: 'last',
        config: { ...config, temperature: 0.5 },
      });
      expect(requested[0]?.endpoint).to.deep.equal({
        baseUrl: config.base_url,
        model: config.model,
        key: SECRET,
        temperature: 0.5,
        chosenBy: 'owner',
      });
      const row = JSON.stringify(await stored());
      expect(row).not.to.include(SECRET).and.not.to.include(btoa(SECRET));
      for (const [secret, hint] of [
        ['1234567', ''],
        ['12345678', '5678'],
      ] as const)
        expect((await connect({}, secret)).secretHint).to.equal(hint);
    });

    it('preserve the secret while the address leads to the same server, and send it to no other', async () => {
      await connect({}, SECRET);
      answers(true);
      for (const base_url of ['http://models.test/v1', 'http://models.test/other/']) {
        expect((await connect({ base_url, model: 'x' })).secretHint).to.equal('last');
        expect(keys().at(-1)).to.equal(SECRET);
      }
      for (const base_url of [
        'https://models.test/v1',
        'http://models.test:8080/v1',
        'http://models.test.evil.test/v1',
        'http://evil.test/v1',
        'http://models.test./v1',
      ]) {
        await connect({}, SECRET);
        answers(true);
        expect((await connect({ base_url })).secretHint, base_url).to.equal('');
        // It is not restored with the address.
        await connect();
        expect(keys(), base_url).to.deep.equal([null, null]);
        expect((await stored())?.sealedSecret).to.equal(null);
      }
    });

    it('delete the secret when an empty one is sent', async () => {
      await connect({}, SECRET);
      answers(true);
      expect((await connect({}, '')).secretHint).to.equal('');
      expect(keys()).to.deep.equal([null]);
    });

    it('are stored and enabled even if the model does not respond', async () => {
      answers(false);
      const card = await connect({}, SECRET);
      expect(card).to.include({ configured: true, enabled: true, status: 'error' });
      expect(card.lastError).to.match(/401/).and.not.to.include(SECRET);
      expect(await reported()).to.deep.equal([]);
    });

    it('notify the owner once when a working one fails', async () => {
      await connect();
      world.now += 1_000;
      expect((await check()).checkedAt).to.equal(world.now);
      expect(await reported()).to.deep.equal([]);
      answers(false);
      expect((await check()).status).to.equal('error');
      await check();
      expect(await reported()).to.deep.equal([
        {
          kind: 'integration.failed',
          payload: { kind: 'llm', error_code: 'server_error', error_fact: '401' },
        },
      ]);
      answers(true);
      expect(await check()).to.include({ status: 'ok', lastError: '' });
    });

    it('do not notify of a disabled one', async () => {
      await connect();
      await world.core.integrations.toggleIntegration(world.caller, 'llm', false);
      answers(false);
      expect((await check()).status).to.equal('disabled');
      const on = await world.core.integrations.toggleIntegration(world.caller, 'llm', true);
      expect([on.status, on.lastError === '']).to.deep.equal(['error', false]);
      expect(await reported()).to.deep.equal([]);
    });

    it('are not restored by a check that began before they were deleted', async () => {
      await connect({}, SECRET);
      let times = 0;
      answers(true, () =>
        times++ === 0 ? world.core.integrations.disconnect(world.caller, 'llm') : Promise.resolve(),
      );
      const card = await connect({ model: 'another' });
      expect(keys()).to.deep.equal([SECRET, null]);
      expect(card.secretHint).to.equal('');
      expect((await stored())?.sealedSecret).to.equal(null);
      times = 0;
      expect((await check()).status).to.equal('not_configured');
      expect(await stored()).to.equal(undefined);
    });

    it('apply the result of a check only to the settings it was made with', async () => {
      await connect();
      let times = 0;
      answers(false, async () => {
        if (times++ > 0) return;
        world.model.says = () => ({ pieces: ['ready'] });
        await connect({ model: 'better' });
      });
      const card = await check();
      expect(card).to.deep.include({ status: 'ok', config: { ...config, model: 'better' } });
      expect(await reported()).to.deep.equal([]);
    });

    it('report that their secret was sealed with another key, and are not checked', async () => {
      await connect({}, SECRET);
      await backend.uow.write(world.caller.scope, async ({ integrations }) => {
        const found = await integrations.find('llm');
        if (found) await integrations.put({ ...found, sealedSecret: `00000000.${'A'.repeat(60)}` });
      });
      answers(true);
      const card = await check();
      expect(card.status).to.equal('error');
      expect(card.lastError).to.match(/another key/);
      expect(requested).to.deep.equal([]);
      expect((await connect({}, SECRET)).status).to.equal('ok');
    });

    it('are sealed again with another key, once', async () => {
      await connect({}, SECRET);
      const other = await openCoreFixture(
        backend,
        `rotated-${name}-${process.pid}-${Math.random()}`,
      );
      await other.core.integrations.connectModel(other.caller, { config, secret: 'other secret' });
      const [today, tomorrow] = [aesSealer('k'.repeat(40)), aesSealer('n'.repeat(40))];
      const scopes = [world.caller.scope, other.caller.scope];
      const bot = aBot({ sealedToken: today.seal('the token of a bot') });
      await backend.uow.write(world.caller.scope, ({ bots }) => bots.add(bot));
      const opened = async (by: Sealer) => {
        const kept = await backend.uow.read(world.caller.scope, ({ bots }) => bots.find(bot.id));
        const secrets = await Promise.all(
          scopes.map(async (scope) => {
            const found = await backend.uow.read(scope, (s) => s.integrations.find('llm'));
            return by.open(found?.sealedSecret ?? '');
          }),
        );
        return [...secrets, by.open(kept?.sealedToken ?? '')];
      };
      const owners = scopes.map(({ ownerId, tenantId }) => ({ id: ownerId, tenantId }) as Owner);
      const accounts = {
        listOwners: async (limit: number, offset: number) => ({
          items: owners.slice(offset, offset + limit),
          total: owners.length,
        }),
      };
      const turn = (sealer: Sealer, old: Sealer) =>
        rotateSecrets({ uow: backend.uow, accounts, sealer }, old);
      expect(await turn(tomorrow, aesSealer('x'.repeat(40)))).to.deep.equal({
        rotated: 0,
        current: 0,
        lost: 3,
      });
      expect(await opened(today)).to.deep.equal([SECRET, 'other secret', 'the token of a bot']);
      expect(await turn(tomorrow, today)).to.deep.equal({ rotated: 3, current: 0, lost: 0 });
      expect(await turn(tomorrow, today)).to.deep.equal({ rotated: 0, current: 3, lost: 0 });
      expect(await opened(tomorrow)).to.deep.equal([SECRET, 'other secret', 'the token of a bot']);
      expect(await opened(today)).to.deep.equal([undefined, undefined, undefined]);
      expect(await turn(today, tomorrow)).to.deep.equal({ rotated: 3, current: 0, lost: 0 });
      expect((await check()).status).to.equal('ok');
    });

    it('are separate for each owner', async () => {
      await connect({}, SECRET);
      const other = await openCoreFixture(
        backend,
        `integrations-other-${process.pid}-${Math.random()}`,
      );
      const cards = await other.core.integrations.listIntegrations(other.caller);
      expect(cards.map(({ status }) => status)).to.deep.equal(['not_configured', 'not_configured']);
      for (const attempt of [
        other.core.integrations.checkIntegration(other.caller, 'llm'),
        other.core.integrations.toggleIntegration(other.caller, 'llm', false),
      ])
        expect(await attempt.catch((error: unknown) => error)).to.include({
          code: 'not_configured',
        });
      const gone = other.core.integrations.disconnect(other.caller, 'llm');
      expect(await gone.catch((error: unknown) => error)).to.include({ code: 'not_found' });
      expect((await stored())?.enabled).to.equal(true);
    });
  });
