import { expect } from 'chai';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

for (const profile of profiles)
  describe(`${profile}: the platform of bots`, function () {
    this.timeout(60_000);
    let service: Service;
    let platform: MessengerService;
    before(async () => {
      platform = await openMessengerService();
      service = await startService(profile, { MESSENGER_API_URL: platform.origin });
    });
    after(async () => {
      await service.dispose();
      await platform.close();
    });

    const health = async () => {
      const { json } = await service.call('GET', '/health/deep');
      const { ms, ...reported } = json.checks.find(
        ({ name }: { name: string }) => name === 'messenger',
      );
      expect(ms).to.be.within(0, 5_000);
      return reported;
    };

    it('is watched by the deep health check', async () => {
      expect(await health()).to.deep.equal({
        name: 'messenger',
        status: 'ok',
        detail: 'It answers.',
        error_code: null,
        error_fact: '',
      });
      // A result is shown to all for ten seconds.
      const changed = (good: (detail: string) => boolean) =>
        eventually(health, ({ detail }) => good(String(detail)), 20_000);
      platform.injectFault({ status: 502 });
      expect(await changed((it) => it.includes('502'))).to.deep.equal({
        name: 'messenger',
        status: 'failed',
        detail: 'The platform failed (status 502).',
        error_code: 'server_error',
        error_fact: '502',
      });
      platform.injectFault('hangs');
      const silent = await changed((it) => it !== 'It answers.' && !it.includes('502'));
      expect(silent.status).to.equal('failed');
      platform.injectFault(null);
      expect((await changed((it) => it === 'It answers.')).status).to.equal('ok');
    });
  });
