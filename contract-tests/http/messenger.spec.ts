import { expect } from 'chai';
import { openMessengerService, type MessengerService } from '../messenger-service.ts';
import { profiles, startService, type Service } from './harness.ts';

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
      const { ms, ...told } = json.checks.find(
        ({ name }: { name: string }) => name === 'messenger',
      );
      expect(ms).to.be.within(0, 5_000);
      return told;
    };

    it('is watched by the deep health check', async () => {
      expect(await health()).to.deep.equal({
        name: 'messenger',
        status: 'ok',
        detail: 'It answers.',
      });
      platform.fails({ status: 502 });
      expect(await health()).to.deep.equal({
        name: 'messenger',
        status: 'failed',
        detail: 'The platform failed (status 502).',
      });
      platform.fails('hangs');
      expect((await health()).status).to.equal('failed');
      platform.fails(null);
      expect((await health()).status).to.equal('ok');
    });
  });
